# Most of what ran is in a library that was not built to be profiled: that is said, and not that more samples
# would help.
. "$(dirname "$0")/../prelude.sh"
need clang-22 qemu-x86_64

cat > work.c <<'EOF'
int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0) sum += i * 7; else if (i % 5 == 0) sum -= i; else sum ^= i;
    if (i % 7 == 0) sum += i / 3; else if (i % 11 == 0) sum -= 2 * i; else sum ^= 3 * i;
  }
  return sum;
}
EOF
echo 'int work(int n); int main(void) { int s = 0; for (int i = 0; i < 3000; i++) s += i % 2 ? work(30) : work(i % 9); return s == 0; }' > main.c
convert() {  # convert NAME OPTIONS_OF_LIBRARY...
  clang-22 -O2 "${@:2}" -c work.c
  clang-22 -O2 $flags main.c work.o -o "$1"
  "$pgo" record --engine emulate -o "$1.data" -- "./$1" > record.log 2>&1
  "$pgo" convert "$1.data" --binary "$1" -o "$1.proftext" 2> "$1.log" || { cat "$1.log"; fail "cannot convert $1"; }
}
lines="-gline-tables-only -fdebug-info-for-profiling"
for flags in "$lines" "$lines -fpseudo-probe-for-profiling"; do
  convert part
  case $flags in *probe*) what="pseudo probes" ;; *) what="debug information" ;; esac
  grep -qx "pgo: warning: most of the code that ran is not in the profile: it was built without $what; build the libraries \
that are linked into the program like the program itself (in CMake: LINKED of prodpgo_profilable and prodpgo_optimize)" part.log || { cat part.log; fail "not said"; }
  ! grep -q "times as many samples" part.log || fail "asks for more samples"
  convert all $flags
  ! grep -q "not in the profile" all.log || { cat all.log; fail "said of a whole program"; }
done
# Clang's line tables alone have no function for what nothing was inlined into.
flags=$lines
convert bare -gline-tables-only
grep -qx "pgo: warning: most of the code that ran is not in the profile: the debug information has lines for it, but no \
functions; compile with -fdebug-info-for-profiling (clang), or -g" bare.log || { cat bare.log; fail "does not say what has no functions"; }
