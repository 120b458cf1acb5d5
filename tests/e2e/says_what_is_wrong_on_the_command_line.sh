# Wrong usage: what is wrong, in one line, and exit code 2.
. "$(dirname "$0")/prelude.sh"

refused() {  # refused TEXT ARGUMENT...
  local text=$1 status=0
  shift
  "$pgo" "$@" > out 2> error || status=$?
  [ $status -eq 2 ] || fail "pgo $*: exit code $status, not 2"
  [ ! -s out ] || fail "pgo $*: prints on standard output"
  [ "$(cat error)" = "pgo: error: $text" ] || fail "pgo $*: $(cat error)"
}

refused "there is no command 'convrt'; there are convert, record, show ('pgo --help' describes them)" convrt x
refused "there is no option --binry ('pgo convert --help' describes what there is)" \
  convert x --binry y -o z.prof
refused "--binary is required ('pgo convert --help' describes what there is)" convert x -o z.prof
refused "--output is required ('pgo convert --help' describes what there is)" convert x --binary y
refused "INPUT is required ('pgo convert --help' describes what there is)" convert --binary y -o z.prof

status=0
"$pgo" > out 2> error || status=$?
[ $status -eq 2 ] && [ ! -s out ]
grep -F 'pgo [OPTIONS] SUBCOMMAND' error
"$pgo" convert --help | grep -F 'pgo convert recordings/ --binary ./server'
