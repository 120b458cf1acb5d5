# pgo bolt on real programs: the result runs as before, is the same whatever the place and the kind of
# profile, keeps its permissions, and llvm-bolt's figures say that fewer branches are taken.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt"

make_subject() {
  build -Wl,--emit-relocs
  record prog.perf ./prog
  "$pgo" convert prog.perf --binary prog -o prog.fdata -o prog.preagg 2> convert.log
  "$llvm/perf2bolt" -pa -p prog.preagg -profile-format=yaml -o prog.yaml prog > yaml.log 2>&1
}

with_subject
subject=$PWD
cd "$work"
cp "$subject"/prog* .
chmod 750 prog
"$pgo" bolt prog -o first --profile prog.perf --check '[ $({} 3) = '"$(./prog 3)"' ]' > table.txt 2> first.log
[ "$(./first)" = "$(./prog)" ]
[ "$(stat -c %a first)" = 750 ]
grep -qx '  checks        profile passed, elf passed, loader passed, command passed' table.txt
grep -q "^  BY THE PROFILE" table.txt

# Code that would not fill a huge page is not put where one could be: the file stays small.
"$pgo" bolt prog -o aligned --profile prog.perf -- -no-huge-pages=false > aligned.txt 2> aligned.log
size() { stat -c %s "$1"; }
[ "$(size aligned)" -gt 6000000 ]
[ "$(size first)" -lt $(($(size prog) + 1000000)) ] || fail "$(size prog) bytes became $(size first)"

# Elsewhere, from what the recording becomes on its way.
mkdir elsewhere
cp prog* elsewhere/
cd elsewhere
for profile in prog.perf prog.preagg prog.fdata; do
  "$pgo" bolt ./prog -o out --profile $profile --json > out.json 2> out.log
  same ../first out
done
"$pgo" bolt prog -o yaml --profile prog.yaml > yaml.txt 2>&1
[ "$(./yaml)" = "$(./prog)" ]
# Plain samples do as well, as a recording and as an address profile; it is said what they are.
record_by_clock clock.data ./prog 8000
"$pgo" convert clock.data --binary prog -o clock.addr 2> convert.log
for profile in clock.data clock.addr; do
  "$pgo" bolt prog -o plain.$profile --profile $profile > plain.txt 2> plain.log || { cat plain.log; fail "no BOLT from $profile"; }
  grep -q "^pgo: counts inferred from PC samples: " plain.log || { cat plain.log; fail "does not say what $profile is"; }
  grep -q "^  BY INFERRED COUNTS" plain.txt && grep -q "estimate, by branches that were not recorded but inferred from PC samples" plain.txt ||
    { cat plain.txt; fail "promises what is inferred"; }
  ! cmp -s prog plain.$profile || fail "$profile changes nothing"
  [ "$(./plain.$profile)" = "$(./prog)" ]
done
same plain.clock.data plain.clock.addr
# What was matched by its name alone is said here too.
perf record -q -e cpu-clock:u -c 100003 -B -N -o named.data -- ./prog 8000 > record.log 2>&1
"$pgo" bolt prog -o named --profile named.data > named.txt 2> named.log || { cat named.log; fail "no BOLT by name"; }
grep -q "^pgo: warning: .*by its file name" named.log || { cat named.log; fail "does not say how it found the binary"; }
# In place, which is said, and again: nothing is BOLTed twice.
"$pgo" bolt prog -o prog --profile prog.fdata > in_place.txt 2> in_place.log
same ../first prog
replaced="pgo: prog is replaced: the binary before BOLT is not kept, and later profiles need it"
grep -qxF "$replaced" in_place.log || { cat in_place.log; fail "replaces its input without a word"; }
"$pgo" bolt prog -o prog --profile prog.fdata > twice.txt 2> twice.log
grep -q 'prog is NOT optimized: prog: was written by llvm-bolt already; give the binary it was made' twice.log
same ../first prog
! grep replaced twice.log > /dev/null || fail "says that it replaced what it left alone"

python3 - out.json <<'CHECK'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["optimised"] is True and report["reason"] is None, report
taken = report["dyno_stats"]["taken branches"]
assert 0 < taken["after"] < taken["before"], taken
assert report["checks"] == {"profile": "passed", "elf": "passed", "loader": "passed"}, report["checks"]
assert "-enable-bat" in report["options"] and "-update-debug-sections" in report["options"]
assert 5 <= report["functions"]["profiled"] <= report["functions"]["all"], report["functions"]
CHECK
[ -z "$(find "$work" -name '*.tmp*')" ]
