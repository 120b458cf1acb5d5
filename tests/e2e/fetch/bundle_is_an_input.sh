# A bundle stands for its members, which count by their weights in pgo convert, merge, diff and cost: as the
# same files with --weight, byte for byte, and as plain files where all weigh the same.
. "$(dirname "$0")/../perturbed_recording.sh"
need python3

ok() { "$pgo" "$@" 2> ok.log || { cat ok.log; fail "cannot pgo $*"; }; }
bundle() { python3 "$here/fetch/write_bundle.py" "$@"; }
refused() { # TEXT ARGUMENT...
  local status=0
  "$pgo" "${@:2}" 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status: $*"
  grep -qF -- "$1" refused.log || fail "expected '$1', got $(cat refused.log)"
}

# Two hosts with other samples each.
mkdir hosts weighed equal
for host in 0 1; do
  awk -v part=$host '/^sample/ && n++ % 3 != part { next } { print }' plain.txt |
    recording_from_text hosts/$host.data
  ok convert hosts/$host.data --binary "$subject_prog" -o $host.addr
done
cp hosts/* weighed
cp hosts/* equal
bundle weighed 4 0.data=1 1.data=3 # 1/2 and 3/2 on average
bundle equal 7 0.data=2 1.data=2

# Recordings: branch records.
ok merge 0.addr 1.addr --weight 0.addr=1/2 --weight 1.addr=3/2 -o wanted.addr
ok convert weighed --binary "$subject_prog" -o got.addr -o got.prof -o got.fdata --report report.json
same wanted.addr got.addr
ok convert wanted.addr --binary "$subject_prog" -o wanted.prof -o wanted.fdata
same wanted.prof got.prof
same wanted.fdata got.fdata
python3 - << 'PY'
import json
(one,) = json.load(open("report.json"))["provenance"]
assert one["path"] == "weighed" and one["query"] == {"service": "subject"}, one
assert one["sources"] == ["dir:/srv"] and one["members"]["profiles"] == 2, one
PY
ok convert hosts --binary "$subject_prog" -o wanted.addr -o wanted.prof
ok convert equal --binary "$subject_prog" -o got.addr -o got.prof
same wanted.addr got.addr
same wanted.prof got.prof

# PC samples, and address profiles.
mkdir clock clock_bundle addresses
for host in 0 1; do
  record_by_clock clock/$host.data "$subject_prog" $((4000 + 4000 * host))
  ok convert clock/$host.data --binary "$subject_prog" -o clock$host.addr
  cp clock/$host.data clock_bundle
  cp clock$host.addr addresses/$host.addr
done
bundle clock_bundle 1 0.data=30 1.data=10
bundle addresses 10 0.addr=6 1.addr=2
ok merge clock0.addr clock1.addr --weight clock0.addr=3/2 --weight clock1.addr=1/2 -o wanted.addr
ok convert clock_bundle --binary "$subject_prog" -o got.addr -o got.prof
same wanted.addr got.addr
ok convert wanted.addr --binary "$subject_prog" -o wanted.prof
same wanted.prof got.prof
ok merge addresses -o got.addr
same wanted.addr got.addr
ok merge addresses clock1.addr --weight addresses=2 -o got.addr
ok merge clock0.addr clock1.addr addresses/1.addr --weight clock0.addr=3 -o wanted.addr
same wanted.addr got.addr

# Labels are kept as a summary, and are those of members of comparisons.
bundle addresses 10 0.addr=6,host=web-1,zone=a 1.addr=2,host=web-2,zone=a
ok merge addresses -o labelled.addr
ok merge labelled.addr clock0.addr -o again.addr
ok show again.addr > shown
grep -qx '  host          web-1, web-2' shown || { cat shown; fail "no labels in the summary"; }
grep -qx '  zone          a (2)' shown || { cat shown; fail "no labels in the summary"; }
mkdir stacks
printf 'main;a 10\nmain;b 30\n' > stacks/1.folded
printf 'main;a 10\n' > stacks/2.folded
bundle stacks 4 1.folded=1,host=web-1 2.folded=3,host=web-2
ok cost stacks --by label:host --json > cost.json
python3 - << 'PY'
import json
rows = {row["name"]: row for row in json.load(open("cost.json"))["rows"]}
assert abs(rows["web-1"]["flat"]["share"] - 20 / 35) < 1e-3 and abs(rows["web-2"]["flat"]["share"] - 15 / 35) < 1e-3, rows
PY
ok show stacks > shown
grep -q '^stacks: bundle of 2 profiles' shown || { cat shown; fail "no bundle"; }

# What is not what its bundle says.
printf 'main;a 11\n' > stacks/2.folded
refused "stacks/2.folded: was changed: its SHA-256 digest is not what its bundle says" merge stacks -o x.folded
rm stacks/2.folded
refused "stacks/2.folded: is missing, and its bundle names it" merge stacks -o x.folded
[ ! -e x.folded ] || fail "left x.folded"
