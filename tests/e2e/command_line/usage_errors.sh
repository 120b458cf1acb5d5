# Wrong usage: what is wrong, in one line, and exit code 2.
. "$(dirname "$0")/../prelude.sh"

refused() {  # refused TEXT ARGUMENT...
  local text=$1 status=0
  shift
  "$pgo" "$@" > out 2> error || status=$?
  [ $status -eq 2 ] || fail "pgo $*: exit code $status, not 2"
  [ ! -s out ] || fail "pgo $*: prints on standard output"
  [ "$(cat error)" = "pgo: error: $text" ] || fail "pgo $*: $(cat error)"
}

refused "there is no command 'convrt'; did you mean convert? The commands are archive, bolt, completion, convert, copy, cost, diff, doctor, fetch, flags, gc, init, list, lock, manual, match, merge, pin, pull, push, record, refresh, show, status, upload, verify (see 'pgo --help')" convrt x
refused "there is no option --binry; did you mean --binary? (see 'pgo convert --help')" \
  convert x --binry y -o z.prof
refused "there is no option --frobnicate=1 (see 'pgo show --help')" show x --frobnicate=1
refused "there is no option -binary; write --binary (see 'pgo convert --help')" convert x -binary y -o z.prof
refused "there is no option -on-failure; write --on-failure (see 'pgo bolt --help')" bolt x -o y --profile z -on-failure=keep
refused "there is no option -icf=all; options for llvm-bolt go after --: pgo bolt ... -- -icf=all (see 'pgo bolt --help')" \
  bolt x -o y --profile z -icf=all
refused "there is no command 'frobnicate'; the commands are archive, bolt, completion, convert, copy, cost, diff, doctor, fetch, flags, gc, init, list, lock, manual, match, merge, pin, pull, push, record, refresh, show, status, upload, verify (see 'pgo --help')" frobnicate
refused "'y' is an unexpected argument (see 'pgo show --help')" show x y z
refused "--binary is required (see 'pgo convert --help')" convert x -o z.prof
refused "--output is required (see 'pgo convert --help')" convert x --binary y
refused "--profilable, --profile or --profile-path is required (see 'pgo flags --help')" flags --compiler gcc
refused "--profilable cannot be combined with --profile (see 'pgo flags --help')" flags --compiler gcc --profilable --profile x
refused "--cflags cannot be combined with --ldflags (see 'pgo flags --help')" flags --compiler gcc --profilable --cflags --ldflags
refused "INPUT is required (see 'pgo convert --help')" convert --binary y -o z.prof

# Values that an option does not take.
see="(see 'pgo record --help')"
refused "--engine: must be perf or clock or step or emulate, not foo $see" record --engine foo -- true
refused "--period: must be a whole number of at least 1, not 0 $see" record --period 0 -- true
refused "--period: must be a whole number of at least 1, not -3 $see" record --period=-3 -- true
refused "--pid: must be a whole number of at least 1, not x $see" record --pid x
refused "--pid: must be a whole number of at most 2147483647, not 2147483648 $see" record --pid 2147483648
refused "--pid: must be a whole number of at most 2147483647, not 4294967297 $see" record --pid 4294967297
refused "--period: its value is missing $see" record --period
refused "--output: its value is empty $see" record -o '' -- true
see="(see 'pgo convert --help')"
refused "--binary: its value is empty $see" convert x --binary '' -o z.prof
refused "--binary: its value is empty $see" convert x --binary= -o z.prof
refused "--with: must be llvm-profgen or create_llvm_prof, not foo $see" convert x --with foo --binary y -o z.prof
refused "--compat: must be llvm-profgen, not foo $see" convert x --compat foo --binary y -o z.prof
refused "--jobs: must be a whole number, not -1 $see" convert x -j -1 --binary y -o z.prof
refused "--jobs: must be a whole number of at most 4294967295, not 4294967296 $see" convert x -j 4294967296 --binary y -o z.prof
refused "--normalize: must be duration or samples or host, not time (see 'pgo merge --help')" \
  merge x --normalize time -o z.pb.gz
see="(see 'pgo bolt --help')"
refused "--on-failure: must be keep or keep-stale or error, not ignore $see" bolt x -o y --profile z --on-failure ignore
refused "--timeout: must be a whole number of at least 1, not -1 $see" bolt x -o y --profile z --timeout -1
refused "--timeout: must be a whole number of at least 1, not 0 $see" bolt x -o y --profile z --timeout 0
refused "--timeout: must be a whole number of at least 1, not 1.5 $see" bolt x -o y --profile z --timeout 1.5
refused "--jobs: must be a whole number, not -1 $see" bolt x -o y --profile z -j -1
refused "--min-match: must be a number from 0 to 100, not 101 (see 'pgo match --help')" \
  match x --min-match 101
refused "--min-match: must be a number from 0 to 100, not nan (see 'pgo match --help')" \
  match x --min-match nan
refused "--top: must be a whole number, not many (see 'pgo show --help')" show x --top many
# Options that do not apply to the output.
refused "--by-line is for profiles for compilers; write x.pb.gz without it" convert perf.data --by-line -o x.pb.gz
refused "--without-lines is for profiles for compilers; write x.pb.gz without it" convert perf.data --without-lines -o x.pb.gz
refused "--perf2bolt is for fdata outputs; write x.pb.gz without it" convert perf.data --perf2bolt /bin/true -o x.pb.gz
refused "--event chooses what is counted for --binary; name a binary as well" show x --event cycles

# With --json, standard output has the error as well. An option of another program asks for nothing.
refused_as_json() {  # refused_as_json TEXT ARGUMENT...
  local text=$1 status=0
  shift
  "$pgo" "$@" > out 2> error || status=$?
  [ $status -eq 2 ] || fail "pgo $*: exit code $status, not 2"
  [ "$(cat error)" = "pgo: error: $text" ] || fail "pgo $*: $(cat error)"
  python3 -c 'import json, sys
expected = {"error": {"kind": "usage", "message": sys.argv[1], "advice": ""}}
assert json.load(open("out")) == expected' "$text" || { cat out; fail "pgo $*: another error as JSON"; }
}
refused_as_json "--output is required (see 'pgo convert --help')" convert x --binary y --json
refused_as_json "there is no option --frobnicate (see 'pgo show --help')" show --json x --frobnicate
refused_as_json "there is no option -top; write --top (see 'pgo show --help')" show --json x -top 5
refused_as_json "--period: its value is missing (see 'pgo record --help')" record --json --period
refused_as_json "there is no command 'convrt'; did you mean convert? The commands are archive, bolt, completion, convert, copy, cost, diff, doctor, fetch, flags, gc, init, list, lock, manual, match, merge, pin, pull, push, record, refresh, show, status, upload, verify (see 'pgo --help')" convrt x --json
refused "--period: must be a whole number of at least 1, not 0 (see 'pgo record --help')" record --period 0 -- ./program --json

# The command to record and its options.
refused "there is no option -x; the recorded command and its options go after --: pgo record -- COMMAND -x (see 'pgo record --help')" \
  record -o x.perf ./json -x
refused "-o -: a recording is written as a file and cannot be streamed; name a file (one that is called - is ./-)" \
  record -o - -- true
[ ! -e - ] || fail "a file called - was written"

# The help lists the words that an option takes.
"$pgo" bolt --help | grep -qE -- '--on-failure keep\|keep-stale\|error( |$)' || fail "no words of --on-failure in the help"
"$pgo" merge --help | grep -qE -- '--normalize duration\|samples\|host( |$)' || fail "no words of --normalize in the help"
"$pgo" record --help | grep -qE -- '--engine perf\|clock\|step\|emulate( |$)' || fail "no words of --engine in the help"

# The help fits into 120 columns.
for command in "" bolt convert cost diff doctor flags match merge record show verify; do
  "$pgo" $command --help > help.txt || fail "no help of $command"
  [ "$(wc -L < help.txt)" -le 120 ] || fail "the help of ${command:-pgo} has lines of $(wc -L < help.txt) columns"
done

# A terminal takes text alone.
need script
on_terminal() {  # on_terminal STATUS COMMAND
  local status=0
  script -qec "$2" /dev/null < /dev/null > shown || status=$?
  [ $status -eq "$1" ] || { cat shown; fail "$2: exit code $status, not $1"; }
}
printf 'main;work 5\n' > stacks.folded
for command in "convert x --binary y -o llvm:-" "merge stacks.folded -o pprof:-"; do
  on_terminal 2 "'$pgo' $command"
  [ "$(tr -d '\r' < shown)" = "pgo: error: standard output is a terminal, and what would be written to it is binary; name a file, or redirect it (> FILE)" ] ||
    { cat shown; fail "another error"; }
done
on_terminal 0 "'$pgo' merge stacks.folded -o folded:-"
grep -q '^main;work 5' shown
on_terminal 0 "'$pgo' merge stacks.folded -o pprof:- > merged.pb.gz"

status=0
"$pgo" > out 2> error || status=$?
[ $status -eq 2 ]
[ ! -s out ]
grep -F 'pgo [OPTIONS] SUBCOMMAND' error
"$pgo" convert --help | grep -F 'pgo convert recordings/ --binary ./server'
