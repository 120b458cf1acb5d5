# Shells complete commands, options and words of pgo: a real bash, and zsh and fish where they are installed.
. "$(dirname "$0")/../prelude.sh"

for shell in bash zsh fish; do "$pgo" completion $shell > script.$shell; done
"$pgo" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' > commands
expect() { [ "$1" = "$2" ] || fail "expected '$1', got '$2'"; }

# complete WORD...: what bash offers for the last word, as its readline would ask.
cat > ask.sh << 'END'
source ./script.bash
complete -p pgo > /dev/null
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_pgo pgo "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
END
complete() { bash --norc ask.sh "$@" | tr '\n' ' '; }
expect "$(sort commands | tr '\n' ' ')" "$(complete pgo '' | tr ' ' '\n' | grep . | sort | tr '\n' ' ')"
expect "merge " "$(complete pgo mer)"
expect "-h --help --version " "$(complete pgo -)"
while read -r command; do
  "$pgo" "$command" --help | sed "/^Examples\?:/,\$d" | grep -oE '^(  |    )(-[a-zA-Z],)?--[a-z0-9-]+' | tr -d ' ' | tr ',' '\n' | sort > options
  bash --norc ask.sh pgo "$command" - | sort > offered
  cmp options offered || { diff options offered; fail "bash offers other options of $command"; }
done < commands
expect "duration samples host " "$(complete pgo merge --normalize '')"
expect "samples " "$(complete pgo merge a.addr --normalize sa)"
expect "host " "$(complete pgo merge --normalize = h)"
expect "duration samples host " "$(complete pgo merge --normalize =)"
expect "diff " "$(complete pgo lock '')"
expect "zsh " "$(complete pgo completion z)"
# Files, which bash itself completes.
expect " " "$(complete pgo merge -o '')"
expect " " "$(complete pgo merge '')"
expect " " "$(complete pgo record -- -)"
bash --norc -ec 'source <("$0" completion bash); complete -p pgo' "$pgo" > /dev/null

if command -v fish > /dev/null; then
  export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
  fish --no-execute script.fish
  offers() { fish --no-config -c 'source script.fish; complete -C $argv[1]' "$1" | cut -f 1 | tr '\n' ' '; }
  expect "--normalize " "$(offers 'pgo merge --norm')"
  expect "duration host samples " "$(offers 'pgo merge --normalize ' | tr ' ' '\n' | grep . | sort | tr '\n' ' ')"
  expect "merge " "$(offers 'pgo mer')"
fi
if command -v zsh > /dev/null; then
  zsh -n script.zsh
  mkdir functions
  cp script.zsh functions/_pgo
  # A terminal in which somebody types the beginning and presses the tabulator; waits for the rest.
  cat > type.zsh << 'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' list-colors ''; PS1='> '; echo re''ady"
zpty -r shell text '*ready*'
zpty -w -n shell "$1"$'\t'
zpty -r shell text "*$2*"
zpty -d shell
END
  types() { timeout 60 zsh -f type.zsh "$1" "$2" || fail "zsh does not complete '$1' to '$2'"; }
  types 'pgo merge --norm' '--normalize'
  types 'pgo merge --normalize=du' '=duration'
  types 'pgo mer' 'merge'
  types 'pgo lock d' 'diff'
fi
