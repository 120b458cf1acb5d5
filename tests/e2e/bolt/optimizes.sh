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
# Of fdata and YAML without a report it is unknown whether the counts are inferred.
grep -qxF "pgo: warning: prog.yaml: it is unknown whether its counts were recorded or inferred; --allow-inferred (in CMake: BOLT_INFERRED; in Bazel: allow_inferred) accepts either" yaml.txt ||
  { cat yaml.txt; fail "does not warn of unknown evidence"; }
grep -qF "If they were inferred, the estimate means nothing." yaml.txt || { cat yaml.txt; fail "promises what may be inferred"; }
# PC samples do as well, as a recording, an address profile and an fdata with its report, when it is asked for: there are
# too few of them here to be good. Without that nothing is written, and the exit code says so.
record_by_clock clock.data ./prog 8000
"$pgo" convert clock.data --binary prog -o clock.addr -o clock.fdata --report clock.json 2> convert.log
for profile in clock.data clock.addr clock.fdata; do
  status=0
  "$pgo" bolt prog -o plain.$profile --profile $profile --report plain.json > plain.txt 2> plain.log || status=$?
  [ $status = 1 ] && [ ! -s plain.txt ] && [ ! -e plain.$profile ] || { cat plain.log; fail "thin counts of $profile give $status"; }
  grep -qE "^pgo: error: prog is NOT optimized: its counts were inferred from .*PC samples, and their quality is (fair|thin|weak)\
( \(clock.json\))?, not good: BOLT may well make the program slower with them; .*--allow-inferred \(in CMake: BOLT_INFERRED; in Bazel: allow_inferred\) optimizes anyway$" plain.log ||
    { cat plain.log; fail "does not say why"; }
  [ "$(tail -n 1 plain.log)" = "pgo: plain.$profile is not written (--on-inferred error)" ] || { cat plain.log; fail "says something else last"; }
  python3 -c 'import json; r = json.load(open("plain.json")); assert r["delivered"] == "nothing" and r["profile"]["evidence"] == "pc-samples", r'

  "$pgo" bolt prog -o kept --profile $profile --on-inferred keep --on-failure error > plain.txt 2> plain.log ||
    { cat plain.log; fail "--on-inferred keep fails"; }
  cmp prog kept
  [ "$(tail -n 1 plain.log)" = "pgo: warning: kept is prog as it was, NOT optimized, and the exit code is 0 (--on-inferred keep); \
--on-inferred error (in CMake: BOLT_ON_FAILURE error, or PRODPGO_REQUIRED=ON) makes this an error" ] ||
    { cat plain.log; fail "does not say what is delivered"; }
  "$pgo" bolt prog -o plain.$profile --profile $profile --allow-inferred > plain.txt 2> plain.log ||
    { cat plain.log; fail "no BOLT from $profile"; }
  [ $profile = clock.fdata ] || grep -q "^pgo: counts inferred from PC samples: " plain.log ||
    { cat plain.log; fail "does not say what $profile is"; }
  grep -qx "  branches      not known: the counts were inferred, not recorded. Measure whether the result is faster" plain.txt &&
    ! grep -q "taken branches" plain.txt || { cat plain.txt; fail "promises what is inferred"; }
  ! cmp -s prog plain.$profile || fail "$profile changes nothing"
  [ "$(./plain.$profile)" = "$(./prog)" ]
done
# Where the note says that the program was built with a compile profile, their quality does not matter.
printf '{"profile":"sha256:01","tool":"x"}' > note.text
python3 -c 'import struct; text = open("note.text", "rb").read()
open("note", "wb").write(struct.pack("<3I", 8, len(text), 1) + b"ProdPGO\0" + text + b"\0" * (-len(text) % 4))'
"$llvm/llvm-objcopy" --add-section .note.prodpgo=note prog profiled
cp clock.fdata profiled.fdata
sed -E 's/"quality": *"[a-z]+"/"quality": "good"/g' clock.json > profiled.json
"$pgo" bolt prog -o good --profile profiled.fdata > good.txt 2> good.log || { cat good.log; fail "good counts are refused"; }
status=0
"$pgo" bolt profiled -o refused --profile profiled.fdata > refused.txt 2> refused.log || status=$?
[ $status = 1 ] && [ ! -s refused.txt ] && [ ! -e refused ] || { cat refused.log; fail "a profiled build gives $status"; }
refusal="pgo: error: profiled is NOT optimized: its counts were inferred from PC samples (profiled.json), and it was built with \
a compile profile: with inferred counts, BOLT increased the taken branches of two of three such programs, with any number of \
samples; record branches (perf record -b, or pgo record --engine step); --allow-inferred (in CMake: BOLT_INFERRED; in Bazel: allow_inferred) optimizes anyway"
grep -qxF "$refusal" refused.log || { cat refused.log; fail "does not say why"; }
"$pgo" bolt profiled -o refused --profile profiled.fdata --allow-inferred > refused.txt 2> refused.log ||
  { cat refused.log; fail "--allow-inferred does not help"; }
"$pgo" bolt profiled -o recorded --profile prog.fdata > recorded.txt 2> recorded.log ||
  { cat recorded.log; fail "recorded counts are refused"; }
same plain.clock.data plain.clock.addr
same plain.clock.data plain.clock.fdata
# What was matched by its name alone is said here too.
perf record -q -e cpu-clock:u -c 100003 -B -N -o named.data -- ./prog 8000 > record.log 2>&1
"$pgo" bolt prog -o named --profile named.data --allow-inferred > named.txt 2> named.log || { cat named.log; fail "no BOLT by name"; }
grep -q "^pgo: warning: .*by its file name" named.log || { cat named.log; fail "does not say how it found the binary"; }
# Of several events that count different things one is chosen.
clock=cpu-clock/period=$(period 100003)/u
perf record -q -e "$clock" -e page-faults/period=1/u --buildid-mmap -N -o events.data -- ./prog 8000 > record.log 2>&1
status=0
"$pgo" bolt prog -o chosen --profile events.data --allow-inferred > chosen.txt 2> chosen.log || status=$?
[ $status = 2 ] && grep -q "name those to count with --event" chosen.log || { cat chosen.log; fail "chooses an event"; }
"$pgo" bolt prog -o chosen --profile events.data --allow-inferred --event "$clock" > chosen.txt 2> chosen.log ||
  { cat chosen.log; fail "no BOLT by one event"; }
[ "$(./chosen)" = "$(./prog)" ]
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
assert report["optimized"] is True and report["reason"] is None, report
taken = report["dyno_stats"]["taken branches"]
assert 0 < taken["after"] < taken["before"], taken
assert report["checks"] == {"profile": "passed", "elf": "passed", "loader": "passed"}, report["checks"]
assert "-enable-bat" in report["options"] and "-update-debug-sections" in report["options"]
assert 5 <= report["functions"]["profiled"] <= report["functions"]["all"], report["functions"]
CHECK
[ -z "$(find "$work" -name '*.tmp*')" ]
