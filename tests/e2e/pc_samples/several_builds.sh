# Two builds in production, stripped, feed one compile: each recording is counted on its own binary, and what
# comes out is the sum of what either build gives alone.
. "$(dirname "$0")/../oracle.sh"
need llvm-strip-22 llvm-objcopy-22 "$llvm/llvm-profdata"

flags="-gline-tables-only -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id"
for build in "old -O2" "new -O1 -DNEW"; do
  set -- $build
  clang++-22 $flags "${@:2}" "$programs"/{shapes,work,main}.cc -o $1.whole
  llvm-objcopy-22 --only-keep-debug $1.whole $1.debug
  llvm-strip-22 -o $1 $1.whole
  record_by_clock $1.data ./$1 8000
  "$pgo" convert $1.data --binary $1 --debug-file $1.debug -o $1.proftext 2> convert.log ||
    { cat convert.log; fail "cannot convert samples of a stripped binary"; }
  "$pgo" convert $1.data --binary $1.whole -o $1.whole.proftext 2> /dev/null
  same $1.whole.proftext $1.proftext
done
! cmp -s old.proftext new.proftext || fail "both builds give one profile"

"$pgo" convert new.data old.data --binary old --binary new --debug-file new.debug --debug-file old.debug -o both.proftext \
  2> convert.log || { cat convert.log; fail "cannot convert samples of two builds"; }
"$pgo" merge old.proftext new.proftext -o sum.proftext 2> /dev/null
same sum.proftext both.proftext

# Without any symbols nothing is found, and that is said.
status=0
"$pgo" convert old.data --binary old -o x.proftext 2> refused.log || status=$?
[ "$status" = 2 ]
grep -q "is stripped: it has no symbol table.*--debug-file" refused.log || { cat refused.log; fail "another refusal"; }
