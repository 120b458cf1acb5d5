# A recording becomes a pprof profile whose addresses have names; without a binary it keeps its addresses.
. "$(dirname "$0")/../perturbed_recording.sh"
need perf clang++-22

record_by_clock prog.data "$subject_prog" 8000
"$pgo" convert prog.data --binary "$subject_prog" -o named.pb.gz -o pprof-plain:named.pb --report report.json \
  2> convert.log || { cat convert.log; fail "cannot convert a recording to pprof"; }
python3 - <<'CHECK' || { cat report.json; fail "most samples of the program have no name"; }
import json
report = json.load(open("report.json"))
named = report["named"]
assert report["weighed_by"].endswith("/nanoseconds"), report["weighed_by"]
program = next(file for file in report["files"] if file["is_binary"])["named"]
assert program["by_debug_information"] > 0.9 * program["total"], program
assert 0 < program["total"] <= named["total"], named
CHECK
python3 "$here/pprof_samples.py" named.pb.gz > samples.txt
python3 "$here/pprof_samples.py" named.pb | cmp - samples.txt || fail "the plain form is another profile"
# Samples show a name as "[name]:[linkage name]", and paths may have any words.
grep -q ":_Z" samples.txt || { head -5 samples.txt; fail "functions have no names"; }
grep -q "^pgo: [0-9 ]* different samples*; of .*/nanoseconds, [0-9.]* % is named by debug information" convert.log ||
  { cat convert.log; fail "does not say what is named"; }

"$pgo" convert prog.data -o plain.pb.gz 2> convert.log || { cat convert.log; fail "needs a binary"; }
python3 "$here/pprof_samples.py" plain.pb.gz > unnamed_samples.txt
! grep -q ":_Z" unnamed_samples.txt || fail "names without a binary"
[ "$(awk '{ sum += $1 } END { print sum }' samples.txt)" = "$(awk '{ sum += $1 } END { print sum }' unnamed_samples.txt)" ] ||
  fail "naming loses samples"

# What the recording's header says of the machine is in the profile.
for side in prog.data plain.pb.gz; do
  "$pgo" diff "$side#host=$(uname -n)" prog.data --json > diff.json 2> diff.log ||
    { cat diff.log; fail "$side has no samples of this host"; }
  ! "$pgo" diff "$side#host=elsewhere" prog.data > diff.txt 2> diff.log || fail "$side has samples of another host"
done
