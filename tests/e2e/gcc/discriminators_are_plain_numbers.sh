# GCC's discriminators are plain numbers. llvm-profgen takes them for LLVM's encoding, in which 9 says that
# the code is there twice: it counts such code twice, and mixes others up.
. "$(dirname "$0")/../prelude.sh"
need gcc qemu-x86_64 "$llvm/llvm-dwarfdump" "$llvm/llvm-profgen" perf

cat > prog.c <<'END'
#include <stdio.h>
volatile unsigned a[16];
#define ADD(n) if (x & 1u << n) a[n] += x;
__attribute__((noinline)) void work(unsigned x) {
  ADD(0) ADD(1) ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7) ADD(8) ADD(9) ADD(10) ADD(11)
}
int main(void) {
  for (unsigned i = 0; i < 50000; i++) work(i * 0x9e3779b9u >> 8);
  printf("%u\n", a[3]);
}
END
gcc -O1 -g -fno-tree-slp-vectorize -fno-if-conversion prog.c -o prog
"$llvm/llvm-dwarfdump" --debug-line prog | grep -E '^0x[0-9a-f]+ +5 .* 9 ' || skip "this gcc numbers the blocks otherwise"
"$pgo" record --engine emulate --period "$(period 503)" -o prog.perf -- ./prog > record.log 2>&1
"$pgo" convert prog.perf --binary prog -o ours.proftext 2> convert.log
"$pgo" convert prog.perf --binary prog --compat=llvm-profgen --check-against llvm-profgen -o reference.proftext 2> reference.log
# Each condition holds in half of the calls.
head=$(sed -n 's/^work:[0-9]*://p' ours.proftext)
of_work() {  # discriminator and count of each place of the line
  sed 's/^ 1: / 1.0: /' "$1" | sed -n '/^work:/,/^ 2/s/^ 1\.\([0-9]*\): \([0-9]*\).*/\1 \2/p'
}
of_work ours.proftext | awk -v head="$head" '$2 > head * 1.2 { exit 1 }' || fail "counted more than once"
[ "$(of_work ours.proftext | sed -n 's/^9 //p')" -gt "$((head / 4))" ]
of_work reference.proftext | awk -v head="$head" '$2 > head * 1.2 { found = 1 } END { exit !found }' ||
  fail "llvm-profgen counts it once by now"
