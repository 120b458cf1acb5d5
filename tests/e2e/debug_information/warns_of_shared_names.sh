# Static functions of one name share their counts in a profile. That is said, with what to do, when any of them
# ran, in the words of pgo doctor.
. "$(dirname "$0")/../prelude.sh"
need clang-22 qemu-x86_64

for one in a b; do
  cat > $one.c <<END
static int __attribute__((noinline)) inner(int x) { return x % 3 == 0 ? x * 7 : x + 1; }
static int __attribute__((noinline)) only_$one(int x) { return x % 5 == 0 ? inner(x) : x + 1; }
int $one(int x) { return inner(x) + only_$one(x + 1); }
END
done
echo 'int a(int x); int b(int x); int main(void) { int s = 0; for (int i = 0; i < 20000; i++) s += a(i) + b(i); return s == 0; }' > main.c
convert() {  # convert NAME OPTION...
  clang-22 -O2 -gline-tables-only -fdebug-info-for-profiling "${@:2}" a.c b.c main.c -o "$1"
  "$pgo" record --engine emulate -o "$1.data" -- "./$1" > record.log 2>&1
  "$pgo" convert "$1.data" --binary "$1" -o "$1.proftext" 2> "$1.log" || { cat "$1.log"; fail "cannot convert $1"; }
}
convert shared
grep -q '^inner:' shared.proftext
grep -qx 'pgo: warning: shared: 1 name in the profile belongs to several functions, which share their counts; compile with -funique-internal-linkage-names (C: with prototypes, f(void) and not f())' shared.log ||
  { cat shared.log; fail "not said"; }
# So do those that ThinLTO renamed.
convert promoted -flto=thin -fuse-ld=lld -Wl,-mllvm,-import-instr-limit=1000
llvm-nm-22 promoted | grep -q ' inner\.llvm\.' || fail "nothing was renamed"
grep -q '^pgo: warning: promoted: 1 name in the profile belongs to several functions' promoted.log ||
  { cat promoted.log; fail "not said of renamed ones"; }
convert unique -funique-internal-linkage-names
! grep -q 'share their counts' unique.log || fail "said of unique names"
