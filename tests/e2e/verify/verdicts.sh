# A release is judged: cheaper, more expensive or not enough data; by exit code, and in all output formats.
. "$(dirname "$0")/../prelude.sh"

# host DIRECTORY NUMBER FIRST SECOND: samples of two functions on a host, which differs from others by its number.
host() {
  mkdir -p $1
  printf 'main;first %d\nmain;second %d\n' $(($3 + 17 * ($2 % 3) - 11 * ($2 % 2))) $(($4 - 13 * ($2 % 4))) > $1/host$2.folded
}
for n in 1 2 3 4 5; do
  host before $n 6000 24000
  host cheaper $n 5700 21600
  host dearer $n 6360 25440
  host moved $n 9600 20400
done
mkdir alone
cp before/host1.folded alone
printf '# requests\n' > units
for n in 1 2 3 4 5; do printf 'host%d.folded 1000\n' $n >> units; done

verify() { # STATUS ARGUMENT...
  status=0
  "$pgo" verify "${@:2}" > printed 2> said || status=$?
  [ $status -eq $1 ] || { cat printed said; fail "exit code $status instead of $1: $*"; }
}
says() { grep -qE "^  verdict +$1\$" printed || { cat printed; fail "another verdict than $1"; }; }

verify 0 before/ cheaper/ --units-before 5000 --units-after 5000
says 'pass: a unit of work costs [0-9.]+ % to [0-9.]+ % less'
verify 0 --before before/ --after cheaper/ --units-before @units --units-after @units --expect 5
verify 3 before/ cheaper/ --units-before 5000 --units-after 5000 --expect 30
says 'inconclusive: .*, so more data will not decide'
verify 1 before/ dearer/ --units-before 5000 --units-after 5000
says 'fail: a unit of work costs [0-9.]+ % to [0-9.]+ % more; the limit is 1.0 % more'
verify 0 before/ dearer/ --units-before 5000 --units-after 5000 --limit 10
verify 0 before/ dearer/ --units-before 5000 --units-after 5300 # more work was done

# Shares show which function grew, but not a change that all functions have in common.
verify 0 before/ dearer/
says 'pass: .*; shares cannot show a change that all functions have in common'
verify 1 before/ moved/
says 'fail: first \(\+59.9 %\) grew by more than 20.0 %'
# A share of 80 % cannot grow by 80 %, so that next to nothing is known of the other function.
verify 3 before/ moved/ --function-limit 80
says 'inconclusive: only functions with 2[0-9.]+ % of the cost are certain not to have grown by more than 80.0 %, .*'

# One profile per side does not show how much hosts differ.
verify 3 alone/ cheaper/host1.folded --units-before 1000 --units-after 1000
says 'inconclusive: one profile per side does not show how much hosts and hours differ; .*'
verify 0 alone/ cheaper/host1.folded --units-before 1000 --units-after 1000 --sampling-only

# All formats at once; then only the verdict is printed.
verify 1 before/ moved/ -o v.md -o v.html -o v.xml -o v.json -o benchmark:b.json --report report.json
[ ! -s printed ]
grep -q '^pgo: fail: first ' said || { cat said; fail "the verdict is not named"; }
cmp v.json report.json
python3 - <<'END'
import json, xml.etree.ElementTree as xml
verdict = json.load(open("v.json"))
assert verdict["verdict"] == "fail", verdict
assert [row["name"] for row in verdict["functions"]["grown"]] == ["first"], verdict
suite = xml.parse("v.xml").getroot()
assert suite.tag == "testsuite" and suite.get("failures") == "1", suite.attrib
assert suite.find("testcase/failure").get("message").startswith("first (+59.9 %)"), xml.tostring(suite)
assert all({"name", "unit", "value"} <= set(entry) for entry in json.load(open("b.json")))
END
grep -q '^\*\*fail: `first` (+59.9 %)' v.md
grep -q '<title>fail: first' v.html || fail "the page does not begin with the verdict"

wrong() { # TEXT ARGUMENT...
  verify 2 "${@:2}"
  [ "$(head -n 1 said)" = "pgo: error: $1" ] || { cat said; fail "another error: $1"; }
}
verify 0 before/ moved/ --limit 300 --function-limit 150 --units-before 5000 --units-after 5000
wrong "--limit: must be a number from 0 to 10000, not 10001 (see 'pgo verify --help')" before/ cheaper/ --limit 10001
wrong "give both --units-before and --units-after, or neither" before/ cheaper/ --units-before 5
wrong "--expect needs --units-before and --units-after: shares cannot show a change that all functions have in common" \
  before/ cheaper/ --expect 3
wrong "--units-after many: expected a number above 0, or @FILE with lines 'HOST NUMBER', a host or file and its units of work" \
  before/ cheaper/ --units-before 5 --units-after many
sed 's/host3.folded 1000/host3.folded/' units > broken
wrong "broken:4: expected 'HOST NUMBER', a host or file and its units of work" \
  before/ cheaper/ --units-before @units --units-after @broken
sed -i /host3/d units
# The files of an earlier run stay as they are.
cp v.xml earlier.xml
wrong "the units of work of the before side have no entry for before/host3.folded" \
  before/ cheaper/ --units-before @units --units-after 5000 -o v.xml -o new.md
cmp v.xml earlier.xml
[ ! -e new.md ]

# Commands instead of profiles: what each is told, and what would be ignored is refused. Which of them is cheaper is a
# matter of the machine here, so that any of the three verdicts will do.
status=0
"$pgo" verify --run-before 'seq 200000 | sort | tail -n 1' --run-after 'seq 200000 | sort | tail -n 1' --pairs 7 \
  --report runs.json > printed 2> said || status=$?
case $status in 0 | 1 | 3) ;; *) cat printed said; fail "exit code $status" ;; esac
[ "$(python3 -c 'import json; r = json.load(open("runs.json")); print(r["pairs"], r["looks"], [f["name"] for f in r["figures"]][0])')" = \
  "7 1 CPU time" ] || { cat runs.json; fail "another report of runs"; }
grep -q '^  CPU time ' printed || { cat printed; fail "the table lacks the CPU time"; }
rm runs.json
wrong "true; exit 7: failed with exit code 7: it printed nothing" --run-before 'true; exit 7' --run-after true --report runs.json
[ ! -e runs.json ]
wrong "echo 1 and echo 2 print different output, from line 1 on; if the output differs in every run (times, addresses), use --any-output" \
  --run-before 'echo 1' --run-after 'echo 2'
wrong "--any-output needs --run-before and --run-after" before/ cheaper/ --any-output
# Those whose value is the default are not told from those that were not given: --top 20.
for option in "--min-share 1" "--debug-file f" "--debug-root d" "--top 5" "--jobs 1"; do
  wrong "options of profiles (units of work, labels, binaries, debug files, functions, threads) cannot be combined with --run-before and --run-after" \
    --run-before true --run-after true $option
done
wrong "options of profiles (units of work, labels, binaries, debug files, functions, threads) cannot be combined with --serve-before and --serve-after" \
  --serve-before true --serve-after true --ready true --load true --debug-root d
