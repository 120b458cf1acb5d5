# While a bucket is away, profiles wait in the spool; a killed pgo loses the recording under way, and counts it; the next
# one sends what is there first, and each profile once.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/capture_prelude.sh"
trap 'stop_services; kill -KILL $recorder $proxy_pid "${server_pids[@]}" 2> /dev/null || :' EXIT
start_bucket profiles
program=awayd$$
start_service $program

start_loop() { start_capture "$1" --tries 1 --max-overhead 50% --service $program --every 2s --for 1s -o s3://profiles/busy "${@:2}"; }
start_loop first.log
waiting() { [ "$(status waiting)" -ge "$1" ]; }
await 60 waiting 2
grep -qE "^pgo: warning: $program: not sent: .*; 1 profile waits in spool$" first.log || { cat first.log; fail "no warning"; }
[ "$(grep -c 'not sent' first.log)" = 1 ] || { cat first.log; fail "says it again and again"; }

# Killed in the middle of a recording.
under_way() { [ "$(status under_way)" != 0 ] && [ -e spool/recording/perf.data ]; }
await 60 under_way
kill -KILL $recorder
wait $recorder 2> /dev/null || :
before=$(find spool -name '*.addr' | wc -l)

# The next one sends them first.
bucket_comes
start_loop second.log
sent() { [ "$(status waiting)" = 0 ] && [ "$(status profiles_stored)" -ge $((before + 1)) ]; }
await 60 sent
end_capture TERM
grep -qE "^pgo: $program: $before profiles wait in spool and will be sent first$" second.log || { cat second.log; fail "not first"; }
accounts
# The killed one, and the one that may have been under way at the end.
[[ "$(status recordings_interrupted)" = [12] ]] || fail "$(cat spool/status.json)"
keys_in profiles > keys
[ "$(wc -l < keys)" = "$(status profiles_made)" ] || { cat keys spool/status.json; fail "another number of objects"; }
! grep -vE "^busy/service=$program/hour=20[0-9-]{8}T[0-9]{2}/host=[^/]+,[0-9a-f]{12}\.addr$" keys || fail "another name"

# Away again, with room for one profile: the oldest are dropped and counted; and back.
echo 'print(max(entry["Size"] for entry in s3.list_objects_v2(Bucket="profiles")["Contents"]))' > size.txt
size=$(s3_python < size.txt)
bucket_goes
start_loop third.log --spool-size $((size * 3 / 2))
dropped() { [ "$(status profiles_dropped)" -ge 1 ]; }
await 60 dropped
grep -qE "^pgo: warning: $program: the spool spool is full: 1 profile was dropped, the oldest first \(1 so far\)$" third.log ||
  { cat third.log; fail "no warning"; }
bucket_comes
await 60 sent
end_capture TERM
accounts
stop_services

# A recording that cannot be sent when it is asked for once stays, and the command fails.
bucket_goes
other=otherd$$
start_service $other
status=0
spool=other capture --tries 1 --service $other --for 1s -o s3://profiles/other 2> log || status=$?
[ $status = 2 ] || { cat log; fail "exit code $status"; }
[ "$(tail -n 1 log)" = "pgo: warning: run the same command again to send the waiting profiles" ] || { cat log; fail "no advice"; }
bucket_comes
spool=other capture --tries 1 --service $other --for 1s -o s3://profiles/other 2> log
[ "$(keys_in profiles | grep -c '^other/')" = 2 ] || fail "it was not sent"
bucket_goes
proxy_pid=
stop_servers
