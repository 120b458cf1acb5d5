# pgo.toml: limits and owners for pgo verify; options win over it.
. "$(dirname "$0")/../prelude.sh"

for n in 1 2 3 4 5; do
  mkdir -p before after
  printf 'main;parse %d\nmain;get %d\nmain;put %d\n' $((6000 + n)) $((9000 - n)) $((9000 + 3 * n)) > before/host$n.folded
  printf 'main;parse %d\nmain;get %d\nmain;put %d\n' $((6000 + n)) $((15000 - n)) $((6000 + 3 * n)) > after/host$n.folded
done
verify() { # STATUS ARGUMENT...
  status=0
  "$pgo" verify before after "${@:2}" > printed 2> said || status=$?
  [ $status -eq $1 ] || { cat printed said; fail "exit code $status instead of $1: $*"; }
}
has() { grep -qE -- "$1" "${2-printed}" || { cat "${2-printed}"; fail "no '$1'"; }; }

verify 1
has '^  limits        each function: at most 20.0 % more$'
cat > pgo.toml <<'END'
[verify]
function-limit = 150
min-share = 10

[owners.functions]
"get" = "storage"
END
verify 0
has '^  limits        each function: at most 150.0 % more$'
has '^  functions     3 tested \(at least 10.0 %\)'
verify 1 --function-limit 20
has '^ *37.47 % .* get +storage$'
verify 1 --config ''

# A limit of the file needs no units; one of the command line does.
printf '[verify]\nlimit = 5\n' > other.toml
verify 1 --config other.toml
verify 2 --limit 5
verify 1 --config other.toml --units-before 100 --units-after 100
has '^  limits        a unit of work: at most 5.0 % more'

verify 1 --function-limit 20 -o owners.md --report report.json
has '^## Changed functions by team$' owners.md
has '^### storage$' owners.md
has '^### \\?\(no team\\?\)$' owners.md
[ "$(python3 -c 'import json; print(json.load(open("report.json"))["functions"]["grown"][0]["team"])')" = storage ]

sed -i 's/function-limit/functions-limit/' pgo.toml
verify 2
has "pgo.toml:2:1: unknown key 'functions-limit' in \\[verify\\]; did you mean function-limit\\?" said
