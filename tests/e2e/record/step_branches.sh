# Branch records by single steps are exact: each stack is a path that the program can take, and a branch that is taken
# three times out of four is so in the profile. perf, llvm-profgen and perf2bolt read the recording.
. "$(dirname "$0")/../oracle.sh"

cat > known.c <<'END'
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned long often, seldom;

__attribute__((noinline)) static void count(unsigned long random) {
  if (random & 3) {
    often++;
    __asm__ volatile("# often");
  } else {
    seldom++;
    __asm__ volatile("# seldom");
  }
}

int main(int argc, char** argv) {
  unsigned long random = 1;
  for (long i = argc > 1 ? atol(argv[1]) : 0; i > 0; i--) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    count(random);
  }
  printf("%lu\n", often + seldom);
}
END
clang-22 -O1 -g -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs known.c -o known
"$pgo" record --engine step --overhead 50 --period "$(period 1000003)" -o perf.data -- ./known 400000000 > out.txt 2> record.log
grep -qx 400000000 out.txt
grep -Eq '^pgo: perf.data: [0-9 ]+ samples from 1 thread in 1 process; [0-9 ]+ of them with [0-9 ]+ branches; single steps took [0-9.]+ % of the CPU time$' record.log ||
  { cat record.log; fail "does not say what it recorded"; }

perf script -i perf.data -F comm,event,brstack > perf.txt
grep -q '^ *known .*stepped-branches:u.* 0x[0-9a-f]*/0x[0-9a-f]*/' perf.txt || fail "perf shows no branch stacks"
"$pgo" convert perf.data --binary known -o llvm-text:pgo.prof 2> convert.log
grep -q 'counts inferred from [0-9 ]* samples by single steps, and [0-9 ]* PC samples\? in ' convert.log
# `often++` runs three times as often as `seldom++`. In 1000 passes, 7 % are five standard deviations.
awk '/^count:/ { inside = 1; next } /^[a-z]/ { inside = 0 } inside && $1 == "2:" { often = $2 } inside && $1 == "5:" { seldom = $2 }
  END { all = often + seldom; print often, seldom; exit !(all > 300 && often > 0.68 * all && often < 0.82 * all) }' pgo.prof ||
  { cat pgo.prof; fail "three times out of four are something else"; }

"$llvm/llvm-profgen" --binary=known --perfdata=perf.data --format=text --output=llvm.prof > profgen.log 2>&1
! grep -E 'uncondit|cross function|instruction boundary' profgen.log || fail "llvm-profgen does not believe the ranges"
grep -q '^count:' llvm.prof

# perf2bolt ignores the PC samples. Without them, pgo writes what perf2bolt does.
"$llvm/perf2bolt" -p perf.data known -o known.fdata > bolt.log 2>&1
grep -q 'traces mismatching disassembled function contents: 0 (0.0%)' bolt.log
text_of perf.data | recording_from_text bursts.data
"$pgo" convert bursts.data --binary known -o fdata:pgo.fdata 2> fdata.log
same known.fdata pgo.fdata
[ "$(fdata_total_of pgo.fdata)" -gt 300 ] || fail "few branches"

# A short recording has too few steps to count as branch records: BOLT refuses its counts as those of PC samples.
"$pgo" record --engine step --overhead 10 -o short.data -- ./known 100000000 > out.txt 2> short.log
"$pgo" convert short.data --binary known -o fdata:short.fdata --report short.json 2> short.log
grep -q '"evidence": "pc-samples"' short.json || { cat short.log short.json; fail "a few steps make branch records of PC samples"; }
grep -q ', quality weak.*; the single steps are too few to count as branch records ([0-9 ]* of 10 000 branch records needed)$' short.log

# So it is when the recording was cut off before the names of its events: only steps give a clock branches.
head -c $(($(stat -c %s short.data) / 2)) short.data > cut.data
"$pgo" convert cut.data --binary known -o fdata:cut.fdata --report cut.json 2> cut.log || { cat cut.log; fail "cannot read what is left"; }
grep -q '"evidence": "pc-samples"' cut.json || { cat cut.log cut.json; fail "takes a cut recording of steps for the processor's"; }
status=0
"$pgo" bolt known --profile short.data -o known.bolt > refused.log 2>&1 || status=$?
[ "$status" = 1 ] || { cat refused.log; fail "pgo bolt ends with $status"; }
grep -Eq 'known is NOT optimized: its counts were inferred from [0-9 ]+ PC samples? and [0-9 ]+ samples? by single steps \(too few to count as branch records\), and their quality is weak, not good: ' refused.log
grep -q 'record branches (perf record -b), or by single steps for longer or on more hosts; --allow-inferred .*optimizes anyway$' refused.log ||
  { cat refused.log; fail "does not say what to do"; }
