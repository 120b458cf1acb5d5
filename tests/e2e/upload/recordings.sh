# pgo record -o s3://... converts on the host and uploads the address profile, and pgo fetch gets it from there; other destinations are
# those of pgo upload.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
need qemu-x86_64 gcc
export PRODPGO_CACHE=$work/cache
expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}
refuses() { # MESSAGE ARGUMENT...
  local status=0
  "$pgo" record --engine emulate "${@:2}" -- ./prog > text 2> log || status=$?
  expect "exit code of record ${*:2}" 2 $status
  grep -qF -- "pgo: error: $1" log || fail "$(cat log)"
}
cat > prog.c << 'END'
int main(int argc, char** argv) {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 400000; i++) sum += i % 3 ? i : 1;
  return argc > 1 ? 3 : 0;
}
END
gcc -O1 -gdwarf-4 -Wl,--build-id prog.c -o prog
host=$(hostname)
start_moto
s3_make profiles

# The key is as given; the exit code that of the command.
status=0
"$pgo" record --engine emulate -o 's3://profiles/queryd/{hour}/{host}.addr' --report report.json -- ./prog fails > text 2> log || status=$?
expect "exit code of the command" 3 $status
grep -qE "^pgo: s3://profiles/queryd/[0-9T-]+/$host.addr: [0-9 ]+ samples, [0-9.]+ [kMB]*(bytes)? of a recording of [0-9.]+ [kM]B$" log || fail "$(cat log)"
python3 -c '
import json
report = json.load(open("report.json"))
assert report["labels"]["host"] and report["sent_bytes"] * 4 < report["recorded_bytes"], report
assert report["exit_status"] == 3 and len(report["places"]) == 1, report'
[ ! -e perf.data ] || fail "a recording is left"
"$pgo" fetch s3://profiles/queryd --path-template '{hour}/{host}.addr' --label "host=$host" --last 2h -o bundle > text 2> log || fail "$(cat log)"
"$pgo" convert bundle --binary prog -o prog.prof > text 2> log || fail "$(cat log)"
grep -q main <("$pgo" show prog.prof) || fail "the profile has no main: $("$pgo" show prog.prof)"

# A destination of pgo upload, with its names and labels.
"$pgo" record --engine emulate -o s3://profiles/other --label service=queryd --label zone=a -- ./prog > text 2> log || fail "$(cat log)"
grep -qE "s3://profiles/other/service=queryd/hour=[0-9T-]+/host=$host,zone=a,[0-9a-f]{12}.addr: " log || fail "$(cat log)"

refuses "-o queryd/{rack}.addr: there is no {rack}; use {host}, {hour}, or a key of --label" -o 's3://profiles/queryd/{rack}.addr'
refuses "--label is for what is uploaded, and -o x.data is a file" -o x.data --label service=queryd
stop_servers
