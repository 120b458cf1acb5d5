# pgo diff --report writes all figures, beside the table or other outputs.
. "$(dirname "$0")/../prelude.sh"

printf 'main;scan 600\nmain;parse 300\n' > before.folded
printf 'main;scan 700\nmain;parse 300\n' > after.folded
"$pgo" diff before.folded after.folded --json > wanted.json 2> log
"$pgo" diff before.folded after.folded --report report.json > text 2> log
cmp report.json wanted.json
grep -q scan text
"$pgo" diff before.folded after.folded --report again.json -o table.md > text 2> log
cmp again.json wanted.json
[ ! -s text ] || fail "a table was printed beside -o"
status=0
"$pgo" diff before.folded after.folded --report after.folded > text 2> log || status=$?
[ $status = 2 ] || fail "exit code $status"
grep -qF -- "--report after.folded would replace after.folded, which is read" log
