# Where the functions' debug information is in .dwo files, PC samples and names and lines become the very
# profile that they become with the same code and all of it in the binary.
. "$(dirname "$0")/../oracle.sh"
need perf python3 "$llvm/llvm-symbolizer" "$llvm/llvm-objcopy"

compile() {  # compile DIRECTORY OPTION...
  mkdir "$1"
  (cd "$1" && for source in shapes work main; do
    clang++-22 -O2 -g -fdebug-info-for-profiling "${@:2}" -I"$programs" -c "$programs/$source.cc"
  done && clang++-22 -fuse-ld=lld -Wl,--build-id=0x00112233445566778899aabbccddeeff00112233 shapes.o work.o main.o -o prog)
  "$llvm/llvm-objcopy" -O binary -j .text "$1/prog" "$1/code"
}
compile whole
compile split -gsplit-dwarf
[ -s split/work.dwo ] || fail "nothing is split"
same whole/code split/code

record_by_clock clock.data "$work/split/prog" 8000
python3 "$here/symbolized_pprof.py" clock.data "$work/split/prog" names.pb.gz inline
# profile INPUT BINARY OUT: there is much in it, of work.cc.
profile() {
  "$pgo" convert "$1" --binary "$2/prog" -o "$3.proftext" 2> convert.log || { cat convert.log; fail "cannot convert $1 for $2"; }
  ! grep "missing from the profile" convert.log || fail "something of $2 is missing"
  [ "$1" != clock.data ] || ! grep "matched by its file name" convert.log || fail "$2 does not have the build ID"
  awk -F: '/^[^ ]/ { sum += $2 } END { exit sum < 1000 }' "$3.proftext" || fail "the profile of $1 for $2 is too small"
}
for input in clock.data names.pb.gz; do
  for build in whole split; do profile $input $build $input.$build; done
  same $input.whole.proftext $input.split.proftext
  grep "work" $input.split.proftext > /dev/null || fail "the hot function is missing in $input"
done

# It is from the .dwo files: without that of the hot code, that is missing.
mv split/work.dwo elsewhere.dwo
"$pgo" convert clock.data --binary split/prog -o less.proftext 2> convert.log || { cat convert.log; fail "no profile of the rest"; }
grep -E "work\.dwo, which has a part of its debug information \(-gsplit-dwarf\), was not found; .* missing from the profile" convert.log > /dev/null ||
  { cat convert.log; fail "does not say what is missing"; }
! cmp -s clock.data.split.proftext less.proftext || fail "needs no .dwo files"
