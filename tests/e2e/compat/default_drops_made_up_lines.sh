# By default two things are not written that llvm-profgen makes up: lines for code whose line the compiler
# did not know (0 minus the function's first line, in 16 bits), and calls from outside, which it gives to
# whatever removed function lies at address 1. All else is the same.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -ffunction-sections -Wl,--icf=all
  record prog.perf ./prog
  ask_profgen
}

with_subject
# The sort's callback is called by the C library; the linker folded other_as_same into its twin. Once in a while main
# is there, too.
grep -A1 '^_Z13other_as_samel:0:0$' reference.text | grep -E ' _ZL12compare_intsPKvS0_:[0-9]+( |$)' > /dev/null
grep -E '^ +6[0-9]{4}: [1-9]' reference.text > /dev/null

awk '
  # The depth of a line is its number of leading blanks; a block goes on while lines are deeper.
  { depth = match($0, /[^ ]/) - 1 }
  skipping && depth > skipped { next }
  { skipping = 0 }
  depth > 0 && $1 + 0 >= 32768 { skipping = 1; skipped = depth; next }
  $0 != "_Z13other_as_samel:0:0" { print }' reference.text > "$work/expected.text"
"$pgo" convert prog.perf --binary prog -o "llvm-text:$work/ours.text"
same "$work/expected.text" "$work/ours.text"

# The check against llvm-profgen says what such offsets are.
status=0
"$pgo" convert prog.perf --binary prog --check-against llvm-profgen -o "llvm-text:$work/checked.text" \
  2> "$work/check.log" || status=$?
[ "$status" = 1 ]
grep -E '^  [^ ]+  ([^ ]+ > )*6[0-9]{4}: ' "$work/check.log" > /dev/null || { cat "$work/check.log"; fail "no such offset differs"; }
grep -x '  (offsets from 32768 on are code without a line, line 0, which llvm-profgen writes at (0 - first line) mod 65536: see .*docs/reference/llvm-profgen.md)' \
  "$work/check.log" > /dev/null || { cat "$work/check.log"; fail "does not say what such offsets are"; }
