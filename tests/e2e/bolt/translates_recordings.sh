# A recording of a BOLTed binary gives the profile of the binary it was made from: every line has the
# count that a recording of that binary gives for the same run. One sample of 32 branches in 31 taken
# ones covers all that ran, so the two are equal but for what depends on where the samples fall.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt" "$llvm/llvm-profdata"

make_subject() {
  local layout="-reorder-blocks=ext-tsp -reorder-functions=cdsort -split-functions -split-all-cold -split-eh"
  build -Wl,--emit-relocs
  record first.perf ./prog
  "$llvm/perf2bolt" -p first.perf -o first.fdata prog > bolt.log 2>&1
  "$llvm/llvm-bolt" prog -o bolted -data=first.fdata $layout -enable-bat >> bolt.log 2>&1
  "$llvm/llvm-bolt" prog -o tableless -data=first.fdata $layout >> bolt.log 2>&1
  record tableless.perf ./tableless
  for binary in prog bolted; do
    "$pgo" record --engine emulate --period 31 -o $binary.perf -- ./$binary > record.log 2>&1
  done
}

with_subject
"$pgo" convert prog.perf --binary prog -o "llvm-text:$work/input.proftext" 2> "$work/input.log"
"$pgo" convert bolted.perf --binary bolted --binary prog -o "llvm-text:$work/moved.proftext" \
  2> "$work/moved.log"
grep -q '100.0 % of the traces were translated to prog' "$work/moved.log"

# "function line count" of each line and inlined line; calls are counted by branch, not by line.
lines() { sed -E 's/^( *[0-9.]+: [0-9]+) .*/\1/; s/^([^ ].*:[0-9]+):[0-9]+$/\1/' "$1"; }
lines "$work/input.proftext" > "$work/input.lines"
lines "$work/moved.proftext" > "$work/moved.lines"
all=$(wc -l < "$work/input.lines")
unequal=$(diff "$work/input.lines" "$work/moved.lines" | grep -c '^<' || true)
[ "$all" -ge 200 ] || fail "the subject is too small: $all lines"
[ $((unequal * 20)) -le "$all" ] || fail "$unequal of $all lines differ"

"$llvm/llvm-profdata" overlap --sample "$work/input.proftext" "$work/moved.proftext" > "$work/overlap.txt"
grep -Eq 'sample overlap: (100|99\.9[0-9]*)%' "$work/overlap.txt" || {
  cat "$work/overlap.txt"
  fail "the profiles overlap by less than 99.9 %"
}

# What is missing is said, and nothing is written.
refused() {
  local message=$1
  shift
  "$pgo" convert "$@" -o "llvm-text:$work/none" 2> "$work/refused.log" && fail "accepted: $*"
  grep -qF "$message" "$work/refused.log" || {
    cat "$work/refused.log"
    fail "expected: $message"
  }
  [ ! -e "$work/none" ] || fail "a profile was written"
}
refused "name that too: --binary bolted --binary INPUT" bolted.perf --binary bolted
refused "was it stripped? give the unstripped file, which still has the table; otherwise run llvm-bolt with -enable-bat" tableless.perf --binary tableless --binary prog
