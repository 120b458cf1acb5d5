# The costs of a real program's functions are those of go tool pprof -top, flat and cumulative.
. "$(dirname "$0")/../prelude.sh"
. "$here/go_prelude.sh"

./busy profile=1 heap
"$pgo" cost 0.pb.gz --sample-type cpu --cores 100 --json > ours.json 2> ours.log || { cat ours.log; fail "no costs"; }
"$pprof" -top -symbolize=none -sample_index=cpu -unit=ns -nodecount=1000000 -nodefraction=0 -edgefraction=0 \
  0.pb.gz > theirs.txt 2> theirs.log || { cat theirs.log; fail "go tool pprof fails"; }
python3 - <<'END' || fail "the costs differ"
import json, re
ours, theirs, total = {}, {}, 0
for row in json.load(open("ours.json"))["rows"]:
    flat, cumulative, rows = ours.get(row["name"], (0, 0, 0))
    assert abs(row["flat"]["cores"] - 100 * row["flat"]["share"]) < 1e-9, row
    ours[row["name"]] = flat + row["flat"]["share"], cumulative + row["cumulative"]["share"], rows + 1
lines = open("theirs.txt").read().splitlines()
begin = next(i for i, line in enumerate(lines) if re.match(r" *flat +flat%", line))
for line in lines[begin + 1:]:
    flat, _, _, cumulative, _, name = line.split(None, 5)
    number = lambda text: float(text.removesuffix("ns"))
    theirs[name.removesuffix(" (inline)").removesuffix(" (partial-inline)")] = number(flat), number(cumulative)
total = sum(flat for flat, _ in theirs.values())
assert len(theirs) > 3 and total > 0, theirs
assert set(ours) == set(theirs), set(ours) ^ set(theirs)
for name, (flat, cumulative) in theirs.items():
    share, cumulative_share, rows = ours[name]
    assert abs(share - flat / total) < 1e-9, (name, share, flat / total)
    assert rows > 1 or abs(cumulative_share - cumulative / total) < 1e-9, (name, cumulative_share, cumulative / total)
END

# Memory is no CPU time.
status=0
"$pgo" cost 1.pb.gz > printed 2> said || status=$?
[ $status -eq 2 ]
grep -q '^pgo: error: the profiles count inuse_space/bytes, which is not CPU time, .* with --sample-type$' said ||
  { cat said; fail "another error"; }
