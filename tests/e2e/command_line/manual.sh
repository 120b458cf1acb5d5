# Manual pages: one of pgo and one of each command, with all that --help lists, and nothing that man warns of.
. "$(dirname "$0")/../prelude.sh"
need man col

mkdir pages
"$pgo" manual --directory pages
"$pgo" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' > commands
[ "$(wc -l < commands)" -gt 20 ] || { cat commands; fail "these are not all commands"; }
[ "$(ls pages | wc -l)" = "$(($(wc -l < commands) + 1))" ] || { ls pages; fail "not one page for each command"; }
shown() { MANWIDTH=200 MAN_KEEP_FORMATTING= LC_ALL=C.UTF-8 man -E UTF-8 -l "$1" | col -b; }
for page in pages/*; do
  LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" > rendered 2> warnings ||
    { cat warnings; fail "man cannot show $page"; }
  [ ! -s warnings ] || { cat warnings; fail "man warns of $page"; }
done
shown pages/pgo.1 > text
while read -r command; do
  grep -qE "^ +pgo-$command\(1\)$" text || { cat text; fail "pgo(1) does not list $command"; }
  "$pgo" manual "$command" > one
  cmp one "pages/pgo-$command.1"
  shown "pages/pgo-$command.1" > page
  "$pgo" "$command" --help > help
  sed '/^Examples\?:/,$d' help | grep -oE '^(  |    )(-[a-zA-Z],)?--[a-z0-9-]+' | tr -d ' ' > options
  [ -s options ] || { cat help; fail "$command has no options"; }
  while IFS= read -r option; do
    grep -qE -- "^ +${option/,/, }( |$)" page || { cat page; fail "the page of $command lacks $option"; }
  done < options
  # All words, wherever the lines end.
  sed '/^ *\[.*\]$/d; s/^Usage:.*//; s/\(REQUIRED\|\.\.\.\)//g; /^[ ]*\(Options\|Positionals\|Examples\?\):$/d' help | grep -oE '[A-Za-z]{5,}' | sort -u > words
  tr '\n' ' ' < page | grep -oE '[A-Za-z]{5,}' | sort -u > words_of_page
  missing=$(comm -23 words words_of_page | grep -vxE 'Needs|Excludes|Output|FLOAT|TEXT' || true)
  [ -z "$missing" ] || { cat page; fail "the page of $command lacks: $missing"; }
done < commands
shown pages/pgo-flags.1 > page
grep -qE '^ +Purpose \(exactly one of these\)$' page || { cat page; fail "does not say how many options of a group"; }
cmp pages/pgo.1 <("$pgo" manual)

refused() { # TEXT ARGUMENT...
  local status=0
  "$pgo" manual "${@:2}" 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status: $*"
  grep -qF -- "$1" refused.log || fail "expected '$1', got $(cat refused.log)"
}
refused "there is no command 'marge'; did you mean merge? The commands are archive, bolt, " marge
refused "--directory writes the pages of all commands; leave out 'merge'" merge --directory pages
refused "none/pgo.1: the directory none does not exist" --directory none
