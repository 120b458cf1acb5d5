# What pgo convert --report wrote is shown as the conversion said it.
. "$(dirname "$0")/../perturbed_recording.sh"

"$pgo" convert plain.perf --binary "$subject_prog" -o made.proftext --report report.json 2> convert.log
"$pgo" show report.json > shown
says() { grep -qE -- "$1" shown || { cat shown; fail "does not say: $1"; }; }
says '^report.json: report of pgo convert$'
says '^  evidence +branch-records$'
says '^  quality +(good|fair|thin|weak)$'
says '^  density +[0-9.]+$'
says '^  split-half +overlap [0-9.]+ %$'
says "^  binaries +$subject_prog  $build_id  [0-9 ]+ traces, quality (good|fair|thin|weak)$"
says '^  outputs +made.proftext  [0-9.]+ kB$'
[ "$(python3 -c 'import json; print(json.load(open("report.json"))["outputs"][0]["digest"])')" = \
  "sha256:$(sha256sum made.proftext | cut -d' ' -f1)" ]
quality=$(sed -n 's/^  quality *//p' shown)
grep -q "^pgo: quality $quality, split-half overlap" convert.log || { cat convert.log; fail "calls it $quality elsewhere"; }
[ "$(grep -cE "quality:? (good|fair|thin|weak)" convert.log)" = 1 ] || { cat convert.log; fail "calls it two names"; }

# Without source positions there is no density, and nothing to judge by.
"$pgo" convert plain.perf --binary "$subject_prog" -o made.addr -o made.preagg --report by_address.json 2> /dev/null
"$pgo" show by_address.json > by_address
! grep -qE "^  (quality|density)" by_address || { cat by_address; fail "judges what it cannot know"; }
grep -qE "^  split-half +overlap " by_address

# The funnel, with all its figures.
python3 - <<'END'
import json, re
report = json.load(open("report.json"))
shown = re.sub(r"(?<=\d) (?=\d{3}\b)", "", open("shown").read())
for whole in report["samples"], report["branches"]:
    for count in [whole["seen"], whole["used"], *whole["dropped"].values()]:
        assert re.search(rf"\b{count}\b", shown), (count, shown)
END
"$pgo" show report.json --json > again
python3 -c 'import json; assert json.load(open("again")) == json.load(open("report.json"))'

# One that is damaged or altered is no report, or says less; nothing else happens.
head -c 200 report.json > cut.json
! "$pgo" show cut.json 2> error || fail "a half report was shown"
grep -q "which is none of the known formats" error
echo '{"evidence": "branch-records", "samples": {"seen": -1, "dropped": 7}, "branches": {}, "binaries": {"a": 1}, "outputs": [7]}' > altered.json
"$pgo" show altered.json > shown
says '^  outputs +\?  0 bytes$'
