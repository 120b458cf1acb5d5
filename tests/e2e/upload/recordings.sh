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

# What cannot be sent is kept, and the error has the command that sends it later, also without a key.
kept() { # OPTION...: sets `path` and `command`, of what is in the current directory
  local status=0
  AWS_ENDPOINT_URL=http://127.0.0.1:$(free_port) "$pgo" record --engine emulate "$@" -- ./prog > text 2> log || status=$?
  expect "exit code of record $* without a store" 2 $status
  path=$(echo unsent-*)
  [[ $path =~ ^unsent-20[0-9]{6}T[0-9]{6}Z-[0-9]+\.addr$ ]] || fail "kept as $path"
  grep -qE "^pgo: error: s3://profiles[^ ]*: cannot connect to 127.0.0.1 port [0-9]+: Connection refused( \(tried 5 times\))?; check that the service runs, and its \
host and port; the profile is kept: pgo upload $path s3://.* sends it$" log || fail "$(cat log)"
  command=$(sed -n 's/.*the profile is kept: pgo \(.*\) sends it$/\1/p' log)
}
kept --connect-timeout 2.5 --parallel 3 -o 's3://profiles/away/{hour}/{host}.addr'
[[ $command =~ \ --parallel\ 3\ --connect-timeout\ 2\.5$ ]] || fail "without the options: $command"
grep -qF "(tried 5 times)" log || fail "$(cat log)"
eval "'$pgo' $command" > text 2> log || fail "$command: $(cat log)"
grep -qE "^$path  s3://profiles/away/[0-9T-]+/$host.addr$" text || fail "$(cat text)"
cp "$path" other.addr
status=0
"$pgo" upload "$path" other.addr s3://profiles/away/x.addr > text 2> log || status=$?
expect "exit code of two files for one object" 2 $status
grep -qF "pgo: error: s3://profiles/away/x.addr: names one object, and there are 2 files" log || fail "$(cat log)"
rm "$path" other.addr
kept --tries 1 -o s3://profiles/away --label service=queryd --label "zone=a b"
eval "'$pgo' $command" > text 2> log || fail "$command: $(cat log)"
grep -qE "^$path  s3://profiles/away/service=queryd/hour=[0-9T-]+/host=$host,zone=a%20b,[0-9a-f]{12}.addr$" text || fail "$(cat text)"
rm "$path"

# Branch records of a stripped program are sent as they were recorded.
cp prog prog.debug
strip prog
"$pgo" record --engine emulate -o 's3://profiles/stripped/{host}.addr' -- ./prog > text 2> log || fail "$(cat log)"
grep -qF "warning: $work/prog is stripped, so the recording is kept as it is: convert it where the debug file is" log || fail "$(cat log)"
grep -qF "pgo: s3://profiles/stripped/$host.perf.data: " log || fail "$(cat log)"
"$pgo" fetch s3://profiles/stripped --last 2h -o stripped > text 2> log || fail "$(cat log)"
"$pgo" convert stripped --binary prog.debug -o prog.prof > text 2> log || fail "$(cat log)"

# Without a build ID there is nothing to send, and the recording is kept.
gcc -O1 -gdwarf-4 -Wl,--build-id=none prog.c -o prog
status=0
"$pgo" record --engine emulate -o s3://profiles/without -- ./prog > text 2> log || status=$?
expect "exit code without a build ID" 2 $status
path=$(echo unsent-*.perf.data)
grep -qE "^pgo: error: no sample can be used: each is of a file that has no build ID, or that cannot be read any more.*; link the program with -Wl,--build-id; the \
recording is kept in $path: convert it with the binary that ran$" log || fail "$(cat log)"
"$pgo" convert "$path" --binary prog -o prog.prof > text 2> log || fail "$(cat log)"

refuses "-o queryd/{rack}.addr: there is no {rack}; use {host}, {hour}, or a key of --label" -o 's3://profiles/queryd/{rack}.addr'
# What the destination wants is known before anything runs.
for store in Pyroscope profefe; do
  refuses "${store,}+http://127.0.0.1:9: $store wants a service for each profile; name it: --label service=NAME" \
    -o "${store,}+http://127.0.0.1:9"
done
refuses "--label is for what is uploaded, and -o x.data is a file" -o x.data --label service=queryd
stop_servers
