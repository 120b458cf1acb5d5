# pgo diff adds up the functions of each team, by the owners of the nearest pgo.toml, and names teams in JSON and pages.
. "$(dirname "$0")/../prelude.sh"

cat > pgo.toml <<'END'
[owners.functions]
"get*" = "storage team"
END
echo 'main;parse 3000
main;get;get_block 5000' > before.folded
echo 'main;parse 3000
main;get;get_block 2000' > after.folded

"$pgo" diff before.folded after.folded --by team > printed
grep -qE '^ +62.50 %  40.00 %  -22.50 % .* storage team$' printed
grep -qE '^ +37.50 %  60.00 %  \+22.50 % .* \(no team\)$' printed
"$pgo" diff before.folded after.folded -o diff.json -o diff.html 2> said
python3 - <<'END'
import json
teams = {row["name"]: row["team"] for row in json.load(open("diff.json"))["rows"]}
assert teams == {"main": "", "parse": "", "get": "storage team", "get_block": "storage team"}, teams
END
grep -qF '"teams":["","storage team"]' diff.html

# Without owners there are no teams.
"$pgo" diff before.folded after.folded --config '' --json > plain.json 2> said
if grep -q '"team"' plain.json; then fail "teams without owners"; fi
status=0
"$pgo" diff before.folded after.folded --config '' --by team 2> said || status=$?
[ $status -eq 2 ]
grep -q '^pgo: error: --by team: no teams are known; add \[owners\] to pgo.toml' said
