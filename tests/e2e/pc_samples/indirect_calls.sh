# Stacks of PC samples tell where indirect calls go: a call that reaches one function three times as often
# as another has both as targets in the profile, near that ratio, and clang promotes it.
. "$(dirname "$0")/../prelude.sh"
need perf clang-22 python3

# All have work of their own: a function in which no sample ends is not in the profile, and neither are its calls.
cat > calls.c <<'C'
__attribute__((noinline)) static unsigned work(unsigned x) {
  for (int i = 0; i < 30; i++) x = x * 1664525u + (x >> 7);
  return x;
}
#define SOME_WORK(shift) for (int n = 0; n < 10; n++) x = x * 22695477u + (x >> shift)
unsigned often(unsigned x) {
  SOME_WORK(5);
  return work(x) + 1;
}
unsigned seldom(unsigned x) {
  SOME_WORK(3);
  return work(x) - 1;
}
unsigned (*volatile functions[4])(unsigned) = {often, often, seldom, often};
int main(void) {
  unsigned x = 1;
  for (unsigned i = 0; i < 10000000; i++) {
    SOME_WORK(4);
    x = functions[i % 4](x);
  }
  return x == 7;
}
C
flags="-O2 -gline-tables-only -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id"
clang-22 $flags calls.c -o calls
python3 "$here/../bench/clock_stacks.py" record stacks 1000 -- ./calls > record.log 2>&1 ||
  { cat record.log; fail "perf cannot record stacks"; }
python3 "$here/../bench/clock_stacks.py" draw stacks 1 1 calls.pb.gz
"$pgo" convert calls.pb.gz --binary calls -o calls.proftext 2> convert.log || { cat convert.log; fail "cannot convert"; }

# The call in main: its targets and their counts. Of 1000 samples or more some 200 are of `seldom`, so that chance moves
# the ratio by a tenth.
awk '/^main:/ { inside = 1; next } /^[^ ]/ { inside = 0 } inside && /often:/ && /seldom:/' calls.proftext > site
[ "$(wc -l < site)" = 1 ] || { cat calls.proftext; fail "the call has not both of its targets"; }
often=$(grep -o 'often:[0-9]*' site | cut -d: -f2)
seldom=$(grep -o 'seldom:[0-9]*' site | cut -d: -f2)
ratio=$((100 * often / seldom))
if [ "$ratio" -lt 200 ] || [ "$ratio" -gt 450 ]; then
  cat site
  fail "often and seldom are $ratio to 100, 300 expected"
fi

# A direct call where the profile says so.
clang-22 $flags -fprofile-sample-use=calls.proftext -Rpass=pgo-icall-prom calls.c -o rebuilt 2> remarks.log
grep -q "Promote indirect call to often" remarks.log || { cat remarks.log; fail "clang promotes nothing"; }

# Without stacks nothing is known of them.
python3 "$here/../bench/clock_stacks.py" draw stacks 1 1 flat.pb.gz leaves
"$pgo" convert flat.pb.gz --binary calls -o flat.proftext 2> convert.log
! grep "often:.*seldom:" flat.proftext || fail "knows targets without having seen them"
