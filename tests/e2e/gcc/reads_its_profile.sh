# A program built by GCC 12, recorded, converted, built again with -fauto-profile: GCC's own dumps have the
# counts that were written, a hot indirect call becomes a direct one, and the program does what it did.
. "$(dirname "$0")/../prelude.sh"
need gcc g++ qemu-x86_64
[ "$(gcc -dumpversion)" = 12 ] || skip "gcc is $(gcc -dumpversion), not 12"

cat > prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>

typedef int (*step_function)(int);
static int __attribute__((noipa)) rare(int x) { return x * 17; }
static int add(int x) { return x + 3; }
static int twist(int x) { return x ^ (x >> 3); }
static step_function steps[] = {add, twist};

int __attribute__((noinline)) work(int x, int which) {
  if (x % 1000 == 7)
    return rare(x);
  return steps[which](x);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 200000;
  unsigned sum = 0;
  for (int i = 0; i < rounds; i++)
    sum += (unsigned)work(i, i % 100 == 0);
  printf("%u\n", sum);
}
END
gcc -O2 -g1 prog.c -o prog
# One sample for each 32 branches, 32 deep: every branch is recorded once, so that calls are exact and GCC has nothing to
# even out.
"$pgo" record --engine emulate --period 32 -o prog.perf -- ./prog > record.log 2>&1
"$pgo" convert prog.perf --binary prog -o prog.afdo -o prog.proftext 2> convert.log || { cat convert.log; false; }

"$pgo" show prog.afdo > shown
grep '^prog.afdo: GCC profile for -fauto-profile, ' shown
"$pgo" match prog --profile prog.afdo 2> error && fail "compares what cannot be compared"
grep -xF "pgo: error: prog.afdo: is a profile for GCC, which lacks the data to be compared with a build; convert the same \
recordings into another with -o FILE.prof, and name that one with --profile" error
grep '^  kind          by line, as GCC 12 looks them up$' shown
"$pgo" show prog.afdo --json > shown.json
entered() {  # entered FUNCTION: how often, in the profile
  sed -n "/\"function\": \"$1\"/{n;s/.*: //;s/,//p}" shown.json
}
[ "$(entered work)" = 200000 ]
[ "$(entered rare)" = 200 ]
# The same as the other profile has.
grep "^work:[0-9]*:$(entered work)$" prog.proftext

gcc -O2 -g1 -fauto-profile=prog.afdo -fdump-tree-optimized-lineno -fopt-info-optimized=remarks prog.c -o fast 2> gcc.log
[ ! -s gcc.log ] || { cat gcc.log; fail "gcc has something to say"; }
body() { sed -n "/^;; Function $1 /,/^}/p" fast-prog.c.*.optimized; }
for function in work rare; do
  body $function | grep -F "<bb 2> [count: $(entered $function)]:" || { body $function; fail "no count of $function"; }
done
# Callers outside are unknown; what ran was entered all the same.
body main | grep -F '<bb 2> [count: 1]:'
# The line of `rare` within `work`.
body work | grep -F "[count: $(sed -n '/^work:/,/^[^ ]/s/^ 2: \([0-9]*\) .*/\1/p' prog.proftext)]:"
# The indirect call, to `add` nearly always.
target=$(sed -n '/^work:/,/^[^ ]/s/^ 3: .* add:\([0-9]*\).*/\1/p' prog.proftext)
body work | sed -n 's/.*\[count: \([0-9]*\)\]:/\1/p' > blocks
awk -v target="$target" '$1 > target - 5 && $1 < target + 5 { found = 1 } END { exit !found }' blocks
grep -F 'prog.c:13:10: optimized: Indirect call -> direct call' remarks

[ "$(./fast)" = "$(./prog)" ]
gcc -O2 -g1 prog.c -o plain
text() { "$llvm/llvm-objcopy" -O binary --only-section=.text "$1" "$1.text"; }
text fast
text plain
! cmp -s fast.text plain.text || fail "the profile makes no difference"

# The same profile from another run of the converter; for GCC 13, with discriminators.
"$pgo" convert prog.perf --binary prog -j 1 -o gcc:again -o gcc-13:later.afdo 2> convert.log
cmp again prog.afdo
"$pgo" show later.afdo | grep '^  kind          by line and discriminator, as GCC 13 to 15 look them up$'

# What GCC cannot read is refused with the reason.
status=0
"$pgo" convert prog.perf --binary prog --compat=llvm-profgen -o x.afdo 2> error || status=$?
[ $status = 2 ]
[ "$(cat error)" = "pgo: error: --compat=llvm-profgen is for LLVM profiles; write x.afdo without it" ]
status=0
head -c 200 prog.afdo > cut.afdo
"$pgo" show cut.afdo > out 2> error || status=$?
[ $status = 2 ]
grep -E '^pgo: error: cut.afdo: offset 0x[0-9a-f]+: ends early; was it cut short\?$' error

# C++: constructors, destructors and templates have the names that GCC looks up.
cat > names.cc <<'END'
#include <cstdio>
#include <vector>
struct Held {
  __attribute__((noinline)) explicit Held(int x) : values(static_cast<size_t>(x % 5 + 1), x) {}
  __attribute__((noinline)) ~Held() { sum += static_cast<unsigned>(values[0]); }
  std::vector<int> values;
  static unsigned sum;
};
unsigned Held::sum = 0;
template <typename T> __attribute__((noinline)) void hold(T x) { Held held(static_cast<int>(x)); }
namespace {  // of one name in their scopes, and without a linkage name in GCC's debug information
struct Odd {
  __attribute__((noipa)) int next(int x) { return x + 1; }
};
struct Even {
  __attribute__((noipa)) int next(int x) { return x * 3; }
};
}  // namespace
int main() {
  for (int i = 0; i < 20000; i++) hold(i % 3 != 0 ? Odd().next(i) : Even().next(i));
  std::printf("%u\n", Held::sum);
}
END
g++ -O2 -g1 names.cc -o names
"$pgo" record --engine emulate --period 32 -o names.perf -- ./names > record.log 2>&1
"$pgo" convert names.perf --binary names -o names.afdo 2> convert.log
"$pgo" show names.afdo --json > shown.json
g++ -O2 -g1 -fauto-profile=names.afdo -fdump-tree-optimized-lineno names.cc -o fast
odd=_ZN12_GLOBAL__N_13Odd4nextEi
even=_ZN12_GLOBAL__N_14Even4nextEi
for function in _ZN4HeldC2Ei _ZN4HeldD2Ev _Z4holdIiEvT_ $odd $even; do
  [ "$(entered $function)" -gt 1000 ] || fail "$function is not in the profile"
  sed -n "/^;; Function .*($function/,/^}/p" fast-names.cc.*.optimized > code
  grep -F "<bb 2> [count: $(entered $function)]:" code || { cat code; fail "no count of $function"; }
done
[ "$(entered $odd)" = 13333 ]
[ "$(entered $even)" = 6667 ]
[ "$(./fast)" = "$(./names)" ]
# llvm-profgen, and so --compat, takes both for one function.
"$pgo" convert names.perf --binary names --compat=llvm-profgen -o reference.proftext 2> convert.log
grep '^next:' reference.proftext
