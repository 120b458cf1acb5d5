# What pgo record says of options of services that contradict one another, before anything runs.
. "$(dirname "$0")/../prelude.sh"
export HOME=$work
refuses() { # MESSAGE ARGUMENT...
  local status=0
  "$pgo" record "${@:2}" > text 2> log || status=$?
  [ $status = 2 ] || { cat log; fail "exit code $status: ${*:2}"; }
  [ "$(cat log)" = "pgo: error: $1" ] || { cat log; fail "expected '$1'"; }
}
advice="; --for 30s records a service once, --for 30s --every 10m repeatedly"
refuses "--label is for what is uploaded, and -o x.data is a file" --label a=b -o x.data -- true
refuses "--max-overhead applies only to services$advice" --max-overhead 1% -o x.data -- true
refuses "--pause-file applies only to services$advice" --pause-file x -o x.data -- true
refuses "--spool applies only to services$advice" --spool x -o x.data -- true
refuses "--spool-size applies only to services$advice" --spool-size 1G -o x.data -- true
refuses "a service is recorded for a given time, not while a command runs; give --for 30s instead of -- true" \
  --service a -o x -- true
refuses "--for is missing: how long to record; give --for 30s" --service a --every 10m -o x
refuses "-o is missing: where to send the profiles; name a directory or a store, as for pgo upload" --service a --for 1s
refuses "-o x.data: with --for, -o names a directory or a store; for one file: pgo record -o FILE --pid P -- sleep 30" \
  --service a --for 1s -o x.data
refuses "--no-clock does not apply to services" --service a --for 1s -o x --no-clock
refuses "--pause-file applies only to repeated recording; give --every 10m, or leave it out: one recording is made at once" \
  --service a --for 1s -o x --pause-file y
refuses "--max-overhead applies only to repeated recording; give --every 10m, or leave it out: one recording is made at once" \
  --service a --for 1s -o x --max-overhead 2%
refuses "--service build/a: is a path, and the file name of a program is expected; give --service a" \
  --service build/a --for 1s -o x
several="--pid takes one process; --service NAME records all processes of a program"
refuses "$several" --for 1s --label service=a -o x --pid 1 2
refuses "$several (see 'pgo record --help')" -o x.data --pid 1 2 3 -- true
one="name one service, with --service, --unit, --cgroup or --pid"
refuses "the service to record is missing; $one" --for 1s -o x
refuses "more than one service is given; $one" --for 1s -o x --service a --unit b
refuses "--for soon: expected a duration such as 30s or 10m" --for soon --service a -o x
refuses "--every 0s: expected a duration such as 30s or 10m" --for 1s --every 0s --service a -o x
refuses "--for 2m is longer than --every 1m" --for 2m --every 1m --service a -o x
for share in x 0 -1% 51% 1%% nan; do
  refuses "--max-overhead $share: expected a share of at most 50% such as 1% or 0.5%" \
    --for 1s --every 1m --max-overhead=$share --service a -o x
done
refuses "--spool-size much: expected a size such as 500M or 8G" --for 1s --spool-size much --service a -o x
refuses "the profiles need the label service; give it with --label service=NAME" --for 1s --cgroup /a -o x
refuses "the profiles need the label service; give it with --label service=NAME" --for 1s --pid $$ -o x
for engine in emulate step; do
  refuses "--engine $engine runs a command from its start; a service that runs is recorded with --engine perf or clock" \
    --for 1s --service a --engine $engine -o x
done
touch file
refuses "file: is not a directory; name a directory for the profiles; it need not be there yet" --for 1s --service a -o file
[ "$(ls)" = "$(printf '%s\n' file log text)" ] || fail "something was made: $(ls)"
