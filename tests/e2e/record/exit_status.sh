# The command's streams and its exit status are its own; errors of ours are 2 and leave an earlier
# recording as it was.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf

# status_of COMMAND...: its exit status.
status_of() {
  local status=0
  "$@" || status=$?
  echo "$status"
}
record() { "$pgo" record --engine emulate --period "$(period 101)" -o perf.data "$@"; }

[ "$(status_of record -- sh -c 'exit 7' 2> log)" = 7 ]
grep -qx 'pgo: warning: sh failed: it ended with exit code 7' log
[ "$(status_of record -- sh -c 'kill -TERM $$' 2> log)" = 143 ]
grep -qx 'pgo: warning: sh failed: it ended with exit code 143, as after signal 15 (Terminated)' log
perf script -i perf.data > /dev/null
[ "$(echo through | record -- cat 2> log)" = through ]
record -- sh -c 'echo seen >&2' 2> log
grep -qx seen log
! grep failed log || fail "nothing failed"

cp perf.data before.data
[ "$(status_of record -- ./absent 2> log)" = 2 ]
grep -qx 'pgo: error: ./absent: cannot be executed: No such file or directory' log
[ "$(status_of record -- no-such-command 2> log)" = 2 ]
grep -qx 'pgo: error: no-such-command: was not found in PATH' log
[ "$(status_of record 2> log)" = 2 ]
grep -qx 'pgo: error: there is no command to record: put it after --, or use --pid' log
[ "$(status_of record --qemu ./absent -- true 2> log)" = 2 ]
grep -q '^pgo: error: ./absent was not found; install .* (Debian, Ubuntu: apt-get install qemu-user)$' log
[ "$(status_of record --pid 1 2> log)" = 2 ]
grep -qx 'pgo: error: --pid needs --engine perf or clock: emulation runs a command from its start' log
cmp before.data perf.data
[ "$(status_of "$pgo" record --engine emulate -o /dev/null -- true 2> log)" = 2 ]
grep -qx 'pgo: error: /dev/null is not a regular file: name another with -o' log

"$pgo" record --engine emulate --period 1000000000 -o perf.data -- true 2> log
grep -q 'perf.data has no samples: [0-9 ]* branches were taken, one period is 1000000000; use a smaller --period' log

# What a link leads to is made, or replaced.
mkdir kept
ln -s kept/new.data link.data
for round in 1 2; do
  "$pgo" record --engine emulate --period "$(period 101)" -o link.data -- true 2> log
  [ -L link.data ]
  perf script -i kept/new.data > /dev/null
  [ "$round" = 2 ] || chmod 640 kept/new.data
done
[ "$(stat -c %a kept/new.data)" = 640 ]
[ "$(ls kept)" = new.data ]
