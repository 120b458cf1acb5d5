# Standard output that is full or closed is an error with exit code 2, whatever is printed there, and what is
# meant for it goes into no file.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -Wl,--emit-relocs
  record prog.perf ./prog
  "$pgo" convert prog.perf --binary prog -o prog.prof -o prog.fdata 2> convert.log
}
with_subject
subject=$PWD
cd "$work"
printf 'main;work 5\n' > stacks.folded

# unwritable ARGUMENT...: of pgo, without an answer of its own.
unwritable() {
  local status=0
  "$pgo" "$@" > /dev/full 2> log || status=$?
  [ "$status" -eq 2 ] || { cat log; fail "pgo $* > /dev/full: exit code $status"; }
  grep -qx 'pgo: error: standard output: cannot write: No space left on device' log || { cat log; fail "pgo $*: does not say why"; }
  status=0
  "$pgo" "$@" >&- 2> log || status=$?
  [ "$status" -eq 2 ] || { cat log; fail "pgo $* >&-: exit code $status"; }
  grep -qx 'pgo: error: standard output: cannot write: Bad file descriptor' log || { cat log; fail "pgo $* >&-: does not say why"; }
}
unwritable --help
unwritable --version
commands=$("$pgo" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\)  .*/\1/p')
[ "$(wc -w <<< "$commands")" -gt 20 ] || fail "finds few commands in the help: $commands"
for command in $commands; do unwritable $command --help; done
unwritable show stacks.folded
unwritable show stacks.folded --json
unwritable cost stacks.folded
unwritable show absent --json
unwritable merge stacks.folded -o folded:-
unwritable merge stacks.folded -o out.folded --json
[ "$(cat out.folded)" = "main;work 5" ] || fail "standard output went into a file"
unwritable convert "$subject/prog.perf" --binary "$subject/prog" -o llvm-text:-
unwritable convert "$subject/prog.perf" --binary "$subject/prog" -o out.prof --json
unwritable match "$subject/prog" --profile "$subject/prog.prof"
for form in "" --json; do PATH=$here/quick_perf:$PATH unwritable doctor "$subject/prog" $form; done
for form in --cflags --json ""; do unwritable flags --compiler clang++-22 --profilable $form; done
unwritable bolt "$subject/prog" -o bolted --profile "$subject/prog.fdata"
unwritable bolt "$subject/prog" -o bolted --profile "$subject/prog.fdata" --json

# Without a standard error the exit code is left.
status=0
"$pgo" merge stacks.folded -o out.folded 2>&- || status=$?
[ "$status" -eq 0 ] && [ "$(cat out.folded)" = "main;work 5" ] || fail "standard error went into a file"
status=0
"$pgo" show absent 2>&- || status=$?
[ "$status" -eq 2 ]
# A closed standard input is none to read from.
status=0
"$pgo" show - <&- 2> log || status=$?
[ "$status" -eq 2 ] || fail "reads a closed standard input"
