# A recording of a BOLTed binary gives the profiles of the binary it was made from: every line, and every
# block for BOLT, has the count that a recording of that binary gives for the same run. One sample of 32 branches in 31 taken
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

# For BOLT: the same blocks, with the same counts. The newest branch of each stack is left out, of the input's recording
# here, by the lines of branches that no code in the program follows. One sample in 31 of 32 branches counts one trace twice, each time
# another one: that moves about one count in 31 of every function, hence up to 3 % of a block's, 1 % of all.
fdata_of() { "$pgo" convert "$1" "${@:3}" -o "fdata:$2" 2> "$2.log"; }
"$pgo" convert prog.perf --binary prog -o "preagg:$work/input.traces" 2> "$work/input.log"
awk '$1 != "B" || $3 ~ /^X/' "$work/input.traces" > "$work/input.followed"
"$llvm/perf2bolt" -pa -p "$work/input.followed" -o "$work/input.fdata" prog > "$work/perf2bolt.log" 2>&1
fdata_of bolted.perf "$work/moved.fdata" --binary bolted --binary prog
grep -q '100.0 % of the traces were translated to prog' "$work/moved.fdata.log"
blocks() {  # the count of each block that is branched to or fallen into: function, offset, count
  awk '{ count[$5 " " $6] += $8 } END { for (block in count) print block, count[block] }' "$1" | sort
}
blocks "$work/input.fdata" > "$work/input.blocks"
blocks "$work/moved.fdata" > "$work/moved.blocks"
[ "$(wc -l < "$work/input.blocks")" -ge 150 ] || fail "the subject is too small"
awk '
  FILENAME == ARGV[1] { input[$1 " " $2] = $3; next }
  { moved[$1 " " $2] = $3; if (!(($1 " " $2) in input)) input[$1 " " $2] = 0 }
  END {
    for (block in input) {
      distance = input[block] - moved[block]
      if (distance < 0) distance = -distance
      all += input[block]
      far += distance
      if (distance > 20 && distance * 16 > input[block]) { print block, input[block] + 0, moved[block] + 0; worse = 1 }
      # The run begins and ends within a stack: what ran once, when the program was loaded, may be missing.
      if ((!input[block] || !moved[block]) && distance > 2) { print block, "in one only:", distance; worse = 1 }
    }
    if (worse || far * 100 > all) { print far " of " all " counts differ"; exit 1 }
  }' "$work/input.blocks" "$work/moved.blocks" || fail "not the same blocks"

# Where only the BOLTed binary is known, perf2bolt reads the table itself (compile_profile_of_bolted_binary compares every
# byte), which loses branches; the command says what would be better. The other one is also found beside it.
cp bolted prog bolted.perf "$work"
cd "$work"
fdata_of bolted.perf alone.fdata --binary bolted
[ "$(head -1 alone.fdata)" = boltedcollection ]
grep -qF "pgo: alone.fdata: perf2bolt reads branches of bolted through BOLT's address translation table, and loses some; \
for a better profile, also name the binary that llvm-bolt read: --binary bolted --binary INPUT" alone.fdata.log ||
  { cat alone.fdata.log; fail "does not say what to give"; }
mv prog bolted.prebolt
fdata_of bolted.perf beside.fdata --binary bolted
same moved.fdata beside.fdata
grep -q '100.0 % of the traces were translated to bolted.prebolt' beside.fdata.log
cd - > /dev/null

# Another BOLTed binary has the same build ID, and another table.
head -30 "$work/input.fdata" > "$work/part.fdata"
"$llvm/llvm-bolt" prog -o "$work/other" -data="$work/part.fdata" -reorder-blocks=ext-tsp -reorder-functions=cdsort \
  -split-functions -split-all-cold -split-eh -enable-bat > "$work/other.log" 2>&1
fdata_of bolted.perf "$work/wrong.fdata" --binary "$work/other" --binary prog
grep -qE 'warning: .*/other: [0-9.]+ % of the traces do not fit its code: did another binary run that llvm-bolt made from prog' \
  "$work/wrong.fdata.log" || { cat "$work/wrong.fdata.log"; fail "does not warn of another binary"; }

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
