# A binary that llvm-bolt rewrote runs in production. Its recordings, taken back through BOLT's address
# translation table, give the compiler what recordings of llvm-bolt's input give. With one sample for each 32
# branches, 32 deep, every branch is recorded once, so calls must agree to the last one. The code between
# two stacks is not seen, one range in 32, and which one differs: totals that are not small agree to 1/16.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt"

make_subject() {
  build -Wl,--emit-relocs
  "$pgo" record --engine emulate --period 32 -o plain.perf -- ./prog > record.log 2>&1
  "$llvm/perf2bolt" -p plain.perf -o prog.fdata prog > bolt.log 2>&1
  "$llvm/llvm-bolt" prog -o bolted -data=prog.fdata -reorder-blocks=ext-tsp -reorder-functions=cdsort \
    -split-functions -enable-bat >> bolt.log 2>&1
  "$pgo" record --engine emulate --period 32 -o bolted.perf -- ./bolted >> record.log 2>&1
}

# name:total:calls of each function, sorted.
functions_of() { grep '^[^ ]' "$1" | sort; }

with_subject
"$pgo" convert plain.perf --binary prog -o "llvm-text:$work/plain.text"
"$pgo" convert bolted.perf --binary bolted --binary prog -o "llvm-text:$work/bolted.text" 2> "$work/moved.log"
! grep "did not run" "$work/moved.log" || fail "warns of the binary that BOLT was given"
subject=$PWD
cd "$work"

# For BOLT, too, what both ran is one profile, of the one that BOLT was given.
preagg_of() { "$pgo" convert "${@:2}" --binary "$subject/bolted" --binary "$subject/prog" -o "$1" 2> convert.log; }
preagg_of both.preagg "$subject"/{plain,bolted}.perf
preagg_of plain.preagg "$subject/plain.perf"
preagg_of moved.preagg "$subject/bolted.perf"
sum_of() { awk '$1 == "T" { sum += $5 } $1 == "B" { sum += $4 } END { print sum + 0 }' "$1"; }
[ "$(sum_of both.preagg)" -eq $(($(sum_of plain.preagg) + $(sum_of moved.preagg))) ] || fail "counts are lost"
"$pgo" convert "$subject/plain.perf" --binary "$subject/prog" -o alone.preagg
same alone.preagg plain.preagg

# What is missing to take them back, to the letter.
refused() {  # refused TEXT BINARY...
  local text=$1 status=0
  shift
  "$pgo" convert "$subject/bolted.perf" $(printf -- '--binary %s ' "$@") -o none.proftext 2> error || status=$?
  [ $status -eq 2 ]
  [ "$(grep error: error)" = "pgo: error: $text" ] || fail "$(cat error)"
}
ln -sf "$subject/bolted" bolted
id=$(llvm-readelf-22 -n bolted | awk '/Build ID:/ { print $NF }')
refused "bolted: was rewritten by BOLT (build ID $id); its counts belong to the input of BOLT; \
name that too: --binary bolted --binary INPUT" bolted
"$llvm/llvm-objcopy" --remove-section=.note.bolt_bat bolted untranslated
refused "untranslated: was rewritten by BOLT and has neither an address translation table nor debug \
information; was it stripped? give the unstripped file, which still has the table; otherwise run llvm-bolt with \
-enable-bat (small) or -update-debug-sections" untranslated "$subject/prog"
[ "$(functions_of plain.text | wc -l)" -ge 15 ]
functions_of plain.text | sed 's/:.*:/:/' > plain.calls
functions_of bolted.text | sed 's/:.*:/:/' > bolted.calls
diff plain.calls bolted.calls

paste -d: <(functions_of plain.text) <(functions_of bolted.text) | awk -F: '
  { distance = $2 - $5; if (distance < 0) distance = -distance }
  $2 > 10000 && distance > $2 / 16 { print; far = 1 }
  END { exit far }'

# For BOLT the recording counts at the input's addresses too. perf2bolt leaves out the two newest branches
# of each stack of 32, so it gives what we give without them; of shorter stacks both give the same.
fdata_of() { "$pgo" convert "$1" --binary "$subject/bolted" -o "fdata:$2" 2> convert.log; }
perf2bolt_of() { "$llvm/perf2bolt" -p "$1" -o "$2" "$subject/bolted" > perf2bolt.log 2>&1; }
text_of "$subject/bolted.perf" > full.txt
recording_from_text full.perf < full.txt
awk -F'branches=' '{ n = split($2, entry, " ") } n == 32 { sub(/branches=[^ ]+ [^ ]+ /, "branches=") } { print }' \
  full.txt | recording_from_text without_newest.perf
awk '{ n = split($0, field, " ") } n > 32 { sub(/ [^ ]+$/, "") } { print }' full.txt | recording_from_text short.perf
perf2bolt_of full.perf full.perf2bolt
perf2bolt_of short.perf short.perf2bolt
for recording in full without_newest short; do fdata_of $recording.perf $recording.fdata; done
same full.perf2bolt without_newest.fdata
same short.perf2bolt short.fdata
[ "$(fdata_total_of full.perf2bolt)" -lt "$(fdata_total_of full.fdata)" ]
