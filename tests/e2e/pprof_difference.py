"""Compares what pgo diff --per total --json says with the rows of go tool pprof -top -diff_base, where a row
is a function's name.

    pprof_difference.py OURS.json THEIRS.txt LEAST

LEAST: so many functions differ at least between the sides.
"""

import collections
import json
import re
import sys


def theirs_of(path):
    rows = {}
    lines = open(path).read().splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:2] == ["flat", "flat%"])
    for line in lines[start + 1:]:
        flat, _, _, cumulative, _, name = line.split(None, 5)
        value = [int(re.match(r"-?\d+", text).group()) for text in (flat, cumulative)]
        rows[name.removesuffix(" (inline)").removesuffix(" (partial-inline)")] = value
    return rows


def ours_of(path):
    rows = collections.defaultdict(lambda: [0, 0])
    for row in json.load(open(path))["rows"]:
        for at, kind in enumerate(("flat", "cumulative")):
            rows[row["name"]][at] += round(row[kind]["difference"])
    return rows


ours, theirs = ours_of(sys.argv[1]), theirs_of(sys.argv[2])
# They leave out what did not change.
ours = {name: values for name, values in ours.items() if any(values)}
theirs = {name: values for name, values in theirs.items() if any(values)}
assert len(theirs) >= int(sys.argv[3]), f"only {len(theirs)} rows to compare"
wrong = [(name, ours.get(name), theirs.get(name)) for name in sorted(ours.keys() | theirs.keys())
         if ours.get(name) != theirs.get(name)]
for name, one, other in wrong[:10]:
    print(f"{name}: ours {one}, theirs {other}")
print(f"{len(theirs)} functions, {len(wrong)} differ")
sys.exit(bool(wrong))
