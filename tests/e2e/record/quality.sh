# The quality of branch records: few samples of a program with much cold code reach no density. Where halves of them agree
# they are fair all the same, but not when there are hardly any records, however these agree.
. "$(dirname "$0")/../prelude.sh"
need clang-22 python3

# Nine tenths of the branches are in one loop, the rest in 1500 functions.
python3 - > prog.c << 'END'
count = 1500
print("volatile unsigned sink;")
for i in range(count):
    print(f"__attribute__((noinline)) static void cold{i}(unsigned x) {{ if (x % {i % 7 + 2} == 0) sink += {i}; }}")
print("""__attribute__((noinline)) static unsigned hot(unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) { if (i % 3 == 0) sum += sink; else sum ^= i; }
  return sum;
}
int main(void) {
  for (unsigned x = 0; x < 40; x++) {""")
for i in range(count):
    print(f"cold{i}(x);", "sink += hot(400);" if i % 15 == 0 else "")
print("}\n  return 0;\n}")
END
clang-22 -O1 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id prog.c -o prog

# judge PERIOD: the quality of the profile, and that of its binary, are in `verdict`.
judge() {
  "$pgo" record --engine emulate --period "$(period "$1")" -o prog.data -- ./prog > record.log 2>&1 ||
    skip "cannot record under emulation: $(tail -n 1 record.log)"
  "$pgo" convert prog.data --binary prog -o prog.prof --report report.json > convert.log 2>&1
  python3 -c 'import json; r = json.load(open("report.json"))
assert r["density"] < 2 and r["split_half_overlap"] > .9, r
print(r["quality"], r["binaries"][0]["quality"])' > verdict
}
judge 3001
[ "$(cat verdict)" = "fair fair" ] || { cat report.json; fail "18 000 records that agree are not fair"; }
judge 12007
[ "$(cat verdict)" = "weak weak" ] || { cat report.json; fail "5 000 records are not weak"; }
grep -F "quality weak, from software branch records, split-half overlap 9" convert.log
