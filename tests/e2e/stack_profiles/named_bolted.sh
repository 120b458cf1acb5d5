# A binary that llvm-bolt rewrote has no debug information of its own: its addresses are named through the address
# translation table, by the debug information of llvm-bolt's input. Lines are compared with those of the same output
# with debug information (-update-debug-sections), functions with the symbols that llvm-bolt wrote.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt" llvm-objcopy-22 python3

make_subject() {
  build -Wl,--emit-relocs
  record first.perf ./prog
  "$pgo" bolt prog -o with_lines --profile first.perf -- -update-debug-sections > bolt.log 2>&1
  llvm-objcopy-22 --strip-debug with_lines bolted
}

with_subject
cp prog with_lines bolted "$work"
cd "$work"

python3 "$here/address_pprof.py" bolted in.pb own
"$pgo" convert in.pb --binary bolted --binary prog -o named.pb --report report.json 2> convert.log ||
  { cat convert.log; fail "cannot name the addresses of a BOLTed binary"; }
! grep warning convert.log || fail "a warning"
python3 - <<'CHECK' || { cat report.json; fail "little is named by debug information"; }
import json
named = json.load(open("report.json"))["named"]
assert named["by_debug_information"] > 0.8 * named["total"], named
CHECK
"$pgo" convert in.pb --binary with_lines -o with_lines.pb 2> convert.log
python3 "$here/compare_bolted_names.py" named.pb with_lines.pb || fail "names that the debug information of BOLT does not give"

# Without llvm-bolt's input, symbols name the code, and a message says so.
"$pgo" convert in.pb --binary bolted -o symbols.pb --report report.json 2> convert.log
grep -qFx "pgo: warning: bolted: was rewritten by BOLT and has no debug information; its code has the names of its symbols; name \
the input of BOLT, too: --binary INPUT" convert.log || { cat convert.log; fail "does not say what is missing"; }
