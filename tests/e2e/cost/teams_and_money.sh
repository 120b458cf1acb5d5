# Costs in cores and money, by function, team and service: with the prices and owners of the nearest pgo.toml, over
# which options win.
. "$(dirname "$0")/../prelude.sh"

mkdir -p repo/.github repo/deep fleet/query fleet/storage
cat > repo/pgo.toml <<'END'
[owners]
codeowners = ".github/CODEOWNERS"
[owners.functions]
"get*" = "storage team"
[cost]
cores = 1200
core-hour = 0.04
currency = "USD"
END
echo '* @all' > repo/.github/CODEOWNERS
echo 'main;parse 30
main;get;get_block 50' > fleet/query/web-1.folded
echo 'main;get 20' > fleet/storage/db-1.folded
cd repo/deep

cost() { # STATUS ARGUMENT...
  status=0
  "$pgo" cost "${@:2}" > printed 2> said || status=$?
  [ $status -eq $1 ] || { cat printed said; fail "exit code $status instead of $1: $*"; }
}
has() { grep -qE -- "$1" "${2-printed}" || { cat printed said; fail "no '$1'"; }; }

cost 0 ../../fleet
has '^  total +1 200 cores: USD 421 000 a year \(USD 0.04 for a core hour\)$'
has '^  one percent +1 % of the CPU is 12.0 cores: USD 4 210 a year$'
has '^  50.00 % +50.00 % +600 +210 000  storage team  get_block$'
has '^  30.00 % +30.00 % +360 +126 000  - +parse$'
[ ! -s said ]
cost 0 ../../fleet --by team --traffic 2
has '^  70.00 % +70.00 % +840 +295 000  storage team$'
has '^  30.00 % +100.00 % +360 +126 000  \(no team\)$'
has '^  traffic +2.0 times as much needs 2 400 cores, 1 200 more: USD 842 000 a year, if cost grows in proportion to traffic$'
cost 0 ../../fleet --path-template '{service}/{host}.folded' --by label:service --cores 10
has '^  total +10.0 cores: USD 3 510 a year'
has '^  80.00 % +8.00 +2 810  query$'
cost 0 '../../fleet#service=storage' --path-template '{service}/{host}.folded' --cumulative
has '^ *0.00 % +100.00 % +1 200 +421 000  - +main$'

# Without pgo.toml only shares are known.
cost 0 ../../fleet --config ''
has '^ +FLAT  CUMULATIVE  FUNCTION$'
has '^pgo: Only shares are shown; --cores N and --core-hour PRICE, or \[cost\] in pgo.toml, add cores and money' said
cost 2 ../../fleet --config '' --by team
has '^pgo: error: --by team: no teams are known; add \[owners\] to pgo.toml' said
cost 2 ../../fleet --by line
has '^pgo: error: --by line: function, file, binary, team or label:KEY expected$' said
cost 2 ../../fleet --config '' --traffic 2
has '^pgo: error: --traffic needs the number of cores that are busy today \(--cores\)$' said

# A mistake in pgo.toml names its place.
sed -i 's/^cores = 1200/core = 1200/' ../pgo.toml
cost 2 ../../fleet
has "/repo/pgo.toml:6:1: unknown key 'core' in \\[cost\\]; did you mean cores\\?$" said
echo '[verify]' > other.toml
cost 0 ../../fleet --config other.toml

# Files: a table and all figures.
cost 0 ../../fleet --config '' --cores 1 --top 1 -o cost.md -o cost.json --report report.json
[ ! -s printed ]
has '^\| 50.00 % \| 50.00 % \| 0.50 \| `get_block` \|$' cost.md
cmp cost.json report.json
python3 - <<'END'
import json
report = json.load(open("report.json"))
assert [row["name"] for row in report["rows"]] == ["get_block", "parse", "get", "main"], report
assert report["total"] == {"share": 1, "cores": 1, "per_year": None}, report
END
