# Two builds of one program, recorded separately and converted together: told apart by build ID, each
# symbolized with its own binary, and added up by source position, as `llvm-profdata merge` would add
# their profiles. BOLT's formats are by address, so each build gets a file of its own.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-profdata"

make_subject() {
  build
  mv prog first
  build -O1
  mv prog second
  record first.perf ./first
  record second.perf ./second
}

with_subject
for build in first second; do
  "$pgo" convert $build.perf --binary $build -o "llvm:$work/$build.prof" -o "preagg:$work/$build.preagg"
done
"$llvm/llvm-profdata" merge --sample --text "$work/first.prof" "$work/second.prof" -o "$work/expected.text"

"$pgo" convert first.perf second.perf --binary first --binary second -o "llvm-text:$work/ours.text" \
  -o "preagg:$work/%b.together"
same "$work/expected.text" "$work/ours.text"
same "$work/first.preagg" "$work/first.together"
same "$work/second.preagg" "$work/second.together"

"$pgo" convert second.perf first.perf --binary second --binary first -o "llvm-text:$work/turned.text"
same "$work/expected.text" "$work/turned.text"

# Without a place for the name, BOLT's files would overwrite each other.
if "$pgo" convert first.perf --binary first --binary second -o preagg:all.preagg 2> "$work/error"; then
  fail "one file for two binaries was accepted"
fi
grep -F -- '-o all.preagg: BOLT needs one profile for each binary; put %b (file name) or %i (build ID) into the path' "$work/error"
