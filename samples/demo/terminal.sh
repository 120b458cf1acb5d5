# What the demo prints: each command as you would type it, and the lines of its output that matter. Sourced.
bold='' plain=''
[ ! -t 1 ] || bold=$'\033[1m' plain=$'\033[0m'

say() { printf '\n%s\n' "$bold$*$plain"; }

# line COMMAND...: prints the command, with quotes where a shell needs them.
line() {
  local word text=
  for word; do
    [[ ! $word =~ [^[:alnum:]_./:=,@%+{}-] ]] || word="'$word'"
    text+=" $word"
  done
  echo "\$$text"
}

# show LINES COMMAND...: prints the command, runs it, and prints the lines of its output that match LINES, an extended
# regular expression. If the command fails, the demo ends.
show() {
  judge "$@"
  [ $code = 0 ] || { cat output.log >&2; return 2; }
}

# judge LINES COMMAND...: the same for a command whose exit code is a verdict; `code` has it.
judge() {
  local lines=$1
  shift
  line "$@"
  code=0
  "$@" > output.log 2>&1 || code=$?
  [ $code != 2 ] || { cat output.log >&2; return 2; }
  grep -E -- "$lines" output.log || true
}
