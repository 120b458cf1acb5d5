# A binary that llvm-bolt rewrote runs in production. Its recordings, taken back through BOLT's address
# translation table, give the compiler what recordings of llvm-bolt's input give. With one sample for each 32
# branches, 32 deep, every branch is recorded once, so calls must agree to the last one. The code between
# two stacks is not seen, one range in 32, and which one differs: totals that are not small agree to 1/16.
. "$(dirname "$0")/oracle.sh"
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
"$pgo" convert bolted.perf --binary bolted --binary prog -o "llvm-text:$work/bolted.text"
subject=$PWD
cd "$work"

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
refused "bolted: was rewritten by BOLT (build id $id); its counts belong to the binary that BOLT was given, so \
name that too: --binary bolted --binary INPUT" bolted
"$llvm/llvm-objcopy" --remove-section=.note.bolt_bat bolted untranslated
refused "untranslated: was rewritten by BOLT and has neither an address translation table nor debug \
information; run llvm-bolt with -enable-bat (small) or -update-debug-sections" untranslated "$subject/prog"
[ "$(functions_of plain.text | wc -l)" -ge 15 ]
functions_of plain.text | sed 's/:.*:/:/' > plain.calls
functions_of bolted.text | sed 's/:.*:/:/' > bolted.calls
diff plain.calls bolted.calls

paste -d: <(functions_of plain.text) <(functions_of bolted.text) | awk -F: '
  { distance = $2 - $5; if (distance < 0) distance = -distance }
  $2 > 10000 && distance > $2 / 16 { print; far = 1 }
  END { exit far }'
