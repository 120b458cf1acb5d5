# perf is tried before it is used, shown as it is run, and its recording appears whole or not at all.
# A stand-in plays perf on a machine with branch records.
. "$(dirname "$0")/../prelude.sh"

printf 'event type=ip,tid,time,branch branch=user,any\nsample pid=1 time=1 ip=0x10 branches=0x20/0x10\n' |
  recording_from_text made.perf
printf 'event type=ip,tid,time\ncomm pid=1 time=1 name=true\n' | recording_from_text without_samples.perf
mkdir bin
cat > bin/perf <<'END'
#!/bin/bash
printf '%s\n' "$*" >> "$STAND_IN_LOG"
case $1 in
  stat) exit "${STAND_IN_STAT:-0}" ;;
  script) echo " 0x20/0x10/P/-/-/0 "; exit ;;
esac
if [ -n "${STAND_IN_SAYS:-}" ]; then printf 'Error:\n%s\n' "$STAND_IN_SAYS" >&2; exit 255; fi
while [ "$1" != -o ]; do shift; done
case $2 in */.new.clock.data.*) [ "${STAND_IN_WITHOUT:-}" = clock ] && STAND_IN_EMPTY=1 ;; esac
[ -n "${STAND_IN_EMPTY:-}" ] || cp "${0%/bin/perf}/${STAND_IN_LEAVES:-made.perf}" "$2"
shift 2
[ "$1" != --pid ] || shift 2
if [ "${1:-}" = -- ]; then shift; exec "$@"; fi
exit 130  # an interrupt ended the watch over a process
END
chmod +x bin/perf
export STAND_IN_LOG=$work/log PATH=$work/bin:$PATH

# Here only branch records are recorded; the clock beside them is at the end.
status=0
"$pgo" record --no-clock -o new.perf --period 5 -- sh -c 'exit 3' 2> said || status=$?
[ "$status" -eq 3 ]
cmp made.perf new.perf
grep -q "^pgo: recording .*: $work/bin/perf record -q -e .* -j any,u -c 5 --buildid-mmap -N -o new.perf -- sh -c 'exit 3'$" said
grep -m1 . log | grep -q '^record -e .* -c 1009 .* -- true$'

"$pgo" record --no-clock -o other.perf --pid $$ 2> said
cmp made.perf other.perf
grep -q -- "-o other.perf --pid $$\$" said

# A process is recorded while a command runs, as perf does it.
"$pgo" record --no-clock -o timed.perf --pid $$ -- sh -c 'echo ran > ran' 2> said
cmp made.perf timed.perf
grep -q -- "-o timed.perf --pid $$ -- sh -c 'echo ran > ran'\$" said
[ "$(cat ran)" = ran ]
rm timed.perf ran

# A recording without samples is told at once.
STAND_IN_LEAVES=without_samples.perf "$pgo" record --engine clock -o other.perf -- true 2> said
[ "$(tail -n 1 said)" = "pgo: warning: other.perf has no samples: one period is 250007 ns of CPU time; use a smaller --period or record for longer" ] ||
  { cat said; fail "no warning"; }
STAND_IN_LEAVES=without_samples.perf "$pgo" record --no-clock -o other.perf --period 77 -- true 2> said
[ "$(tail -n 1 said)" = "pgo: warning: other.perf has no samples: one period is 77 events; use a smaller --period or record for longer" ] ||
  { cat said; fail "no warning"; }
"$pgo" record --engine clock -o other.perf --period 99 -- true 2> said
[ "$(head -n 1 said)" = "pgo: warning: --period is in nanoseconds of CPU time here: 99 asks for 10 101 010 samples a second, which slows down what is recorded; the default is 250007" ] ||
  { cat said; fail "nanoseconds without a warning"; }
"$pgo" record --engine clock -o other.perf --period 10000 -- true 2> said
! grep warning said > /dev/null || { cat said; fail "a warning of what is usual"; }
"$pgo" record --no-clock -o other.perf --period 99 -- true 2> said
! grep warning said > /dev/null || { cat said; fail "a warning of events"; }
"$pgo" record --no-clock -o other.perf -- true 2> said
[ "$(wc -l < said)" = 2 ] || { cat said; fail "more than what is run and what it left"; }
[ "$(tail -n 1 said)" = "pgo: other.perf: 1 sample" ]
grep -q -- '^record -q ' log

# With --verbose perf prints what it likes; --report and --json have the result.
: > log
"$pgo" record --no-clock -o other.perf --verbose --report made.json --json -- true > result.json 2> said
[ "$(tail -n 1 said)" = "pgo: other.perf: 1 sample; moved here from the path that perf names" ]
! grep -q -- '^record -q ' log || { cat log; fail "perf was told to be quiet"; }
cmp made.json result.json
python3 -c 'import json; r = json.load(open("made.json")); print(r["output"], r["engine"], r["samples"], r["exit_status"])' > figures
[ "$(cat figures)" = "other.perf perf 1 0" ] || { cat made.json; fail "another result"; }
rm made.json result.json figures

# What a link leads to is replaced, and keeps its permissions; or made.
mkdir kept
echo before > kept/old.perf
chmod 640 kept/old.perf
for name in old new; do
  ln -s kept/$name.perf $name.link
  "$pgo" record --no-clock -o $name.link -- true 2> said
  [ -L $name.link ]
  cmp made.perf kept/$name.perf
done
[ "$(stat -c %a kept/old.perf)" = 640 ]
[ "$(ls kept)" = "$(printf '%s\n' new.perf old.perf)" ]
rm -r kept old.link new.link

# A perf that fails, in the trial or later, leaves what was there.
echo before > new.perf
status=0
STAND_IN_SAYS='cycles: PMU Hardware is missing.' "$pgo" record --no-clock -o new.perf -- true 2> said || status=$?
[ "$status" -eq 2 ]
grep -q '^pgo: error: perf cannot record branches here: .* (.*cycles: PMU Hardware is missing); .*; or record on any machine: PC samples (--engine clock), or exact branches by single steps (--engine step) or under emulation (--engine emulate)$' said
# Of the other engines only those are named that take the same options.
status=0
STAND_IN_SAYS='cycles: PMU Hardware is missing.' "$pgo" record --no-clock -o new.perf --pid $$ 2> said || status=$?
[ "$status" -eq 2 ]
grep -q '; or record PC samples, on any machine (--engine clock)$' said || { cat said; fail "names another engine"; }
status=0
STAND_IN_SAYS='no such event.' "$pgo" record --engine clock -o new.perf --pid $$ 2> said || status=$?
[ "$status" -eq 2 ]
[ "$(cat said)" = "pgo: error: perf cannot record CPU time here: cpu-clock: no such event; 'perf record -e cpu-clock -- true' \
shows all that perf says" ] || { cat said; fail "another error of the clock"; }
status=0
STAND_IN_SAYS='No permission' STAND_IN_STAT=1 "$pgo" record --no-clock --engine perf -o new.perf -- true 2> said || status=$?
[ "$status" -eq 2 ]
grep -Eq 'perf_event_open is forbidden here|kernel.perf_event_paranoid is' said
status=0
STAND_IN_EMPTY=1 "$pgo" record --no-clock -o new.perf -- true 2> said || status=$?
[ "$status" -eq 2 ]
grep -q '^pgo: error: .*/bin/perf ended with status 0 and left no recording; its output is above; --verbose makes it print more$' said
[ "$(cat new.perf)" = before ]

# Nor does it say that it records what it cannot start.
cannot() { # ERROR ARGUMENT...
  status=0
  "$pgo" record --no-clock "${@:2}" 2> said || status=$?
  [ "$status" -eq 2 ]
  [ "$(cat said)" = "pgo: error: $1" ] || { cat said; fail "another error: $1"; }
}
cannot "there is no process 4194305" -o new.perf --pid 4194305
cannot "$work/none/new.perf: the directory $work/none does not exist" -o none/new.perf -- true
cannot "no-such-program: is not a program that can be run here, or not in PATH" -o new.perf --pid $$ -- no-such-program
cannot "new.perf would be written twice, by -o and by --report" -o new.perf --report new.perf -- true
cannot "no-such-program: is not a program that can be run here, or not in PATH" -o new.perf -- no-such-program
cannot "./new.perf: is not a program that can be run here" -o new.perf -- ./new.perf

status=0
PATH=$work "$pgo" record --no-clock -- true 2> said || status=$?
[ "$status" -eq 2 ]
grep -q '^pgo: error: perf was not found; install it (Debian: apt-get install linux-perf; .*; or record by single steps (--engine step) or under emulation (--engine emulate)$' said
status=0
PATH=$work "$pgo" record --no-clock --pid $$ 2> said || status=$?
[ "$status" -eq 2 ]
grep -q '^pgo: error: perf was not found; install it ([^)]*)$' said
[ "$(ls)" = "$(printf '%s\n' bin log made.perf new.perf other.perf said without_samples.perf)" ]

# Beside branch records a second perf records the clock, which says what the program costs; and runs the command.
"$pgo" record -o new.data --report made.json -- sh -c 'exit 3' 2> said && fail "the exit status is lost" || [ $? -eq 3 ]
cmp made.perf new.data
cmp made.perf new.clock.data
grep -q "^pgo: recording .*, and CPU time in a second file: $work/bin/perf record -q -e .* -o new.data -- \
$work/bin/perf record -q -e cpu-clock -c 1000003 --buildid-mmap -N -o new.clock.data -- sh -c 'exit 3'$" said ||
  { cat said; fail "another command"; }
grep -q '^pgo: new.data: 1 sample$' said || { cat said; fail "no branch records"; }
grep -q '^pgo: new.clock.data: 1 sample of CPU time; use these with pgo diff: branch samples do not measure cost$' said ||
  { cat said; fail "the second recording is not named"; }
[ "$(python3 -c 'import json; r = json.load(open("made.json")); print(r["clock_output"], r["clock_samples"])')" = \
  "new.clock.data 1" ] || { cat made.json; fail "the report does not name the second recording"; }
# Without it the branch records are as good.
rm new.data new.clock.data made.json
STAND_IN_WITHOUT=clock "$pgo" record -o new.data -- true 2> said
cmp made.perf new.data
[ ! -e new.clock.data ]
grep -q '^pgo: warning: new.clock.data was not written: perf left no recording of CPU time$' said || { cat said; fail "no warning"; }
cannot_clock() { # OPTION...
  status=0
  "$pgo" record -o new.data --report new.clock.data "$@" -- true 2> said || status=$?
}
cannot_clock
[ "$(cat said)" = "pgo: error: new.clock.data would be written twice, by -o and by --report" ] || { cat said; fail "clobbered"; }
cannot_clock --no-clock
[ $status -eq 0 ]
rm new.clock.data
rm new.data

# Another user's process: said in one line, before perf is run. Root without capabilities is as good as another user.
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
  : > log
  status=0
  setpriv --reuid 65534 --clear-groups "$pgo" record --engine clock -o new.perf --pid $$ 2> said || status=$?
  [ "$status" -eq 2 ]
  [ "$(wc -l < said)" = 1 ] || { cat said; fail "more than one line"; }
  grep -qE "^pgo: error: process $$ belongs to user 0, and user 65534 lacks CAP_PERFMON or CAP_SYS_PTRACE( \(kernel.perf_event_paranoid is [34], .*\))?; record as root or as user 0$" said ||
    { cat said; fail "another error"; }
  [ ! -s log ] || { cat log; fail "perf was run"; }
fi
