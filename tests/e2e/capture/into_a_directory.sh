# pgo record --every records a service of several processes into a directory, from which pgo fetch and pgo convert take
# the profiles; it stops cleanly, pauses, and says what it cannot do.
. "$(dirname "$0")/../prelude.sh"
. "$here/capture_prelude.sh"
program=busyd$$
start_service $program 2

# Once.
capture --service $program --for 1s -o once --label version=1.42 --json > once.json 2> log
grep -qE "^pgo: recording CPU time \(no branch records\) of program $program, one sample in [0-9 ]+ ns of CPU time, for 1 s, to once$" log ||
  { cat log; fail "no start"; }
grep -qE "^pgo: $program: recorded [0-9 ]+ samples of 2 processes$" log || { cat log; fail "no samples"; }
grep -qE '^pgo: once: 1 profile made, 1 stored, 0 dropped, 0 waiting; cost [0-9.]+ s of CPU time and about [0-9.]+ s of interrupts$' log ||
  { cat log; fail "no end"; }
file=$(find once -type f)
[[ $file =~ ^once/service=$program/version=1\.42/hour=20[0-9-]{8}T[0-9]{2}/host=[^/]+,[0-9a-f]{12}\.addr$ ]] || fail "another place: $file"
python3 - << 'END'
import json
r = json.load(open("once.json"))
assert r["spool"]["recordings"] == {"begun": 1, "kept": 1, "without_samples": 0, "failed": 0, "interrupted": 0}, r
run = r["run"]
assert run["profiles"]["stored"] == 1 and run["samples"] > 0 and run["cost"]["own_cpu_seconds"] > 0, r
END
# Each command replaces the report of the one before, also beside the profiles.
mkdir hourly
for _ in 1 2; do
  capture --service $program --for 1s -o hourly --report hourly/last.json 2> log || { cat log; fail "refuses the report"; }
done
accounts

# What is stored knows the build, the path and where time went.
"$pgo" show "$file" > shown
grep -q "$work/$program" shown || { cat shown; fail "the program is not named"; }
"$pgo" convert "$file" --binary $program -o $program.proftext > log 2>&1 || { cat log; fail "convert"; }
head -n 1 $program.proftext | grep -qE '^(main|busy_loop):' || { cat $program.proftext; fail "another function is the hottest"; }

# When a file has been replaced, what runs counts, and not what has its path now; also while a command runs.
cp $program kept
clang-22 -O0 -g -fuse-ld=lld -Wl,--build-id service.c -o $program.new
mv $program.new $program
spool=spool-of-replaced capture --service $program --for 1s -o replaced 2> log
"$pgo" record --engine clock --period "$(period 1000003)" --pid "${service_pids[0]}" -o dir:replaced --label service=delivered \
  -- sleep 1 > text 2>> log || { cat log; fail "not delivered"; }
! grep warning log || fail "a file was not found"
for service in $program delivered; do
  "$pgo" convert "$(find replaced/service=$service -name '*.addr')" --binary kept -o replaced.proftext > log 2>&1 || { cat log; fail "convert"; }
  grep -qE '^(main|busy_loop):' replaced.proftext || { cat replaced.proftext; fail "no samples of the program"; }
done
mv kept $program

# Again and again, until it is asked to end; what is under way then is kept.
start_capture log --service $program --every 2s --for 1s --max-overhead 50% -o store
await 60 has_profiles store 2
end_capture TERM
accounts
[ "$(status profiles_stored)" = $(($(profiles_in store) + 3)) ] || fail "stored: $(cat spool/status.json)"
[ "$(status waiting)" = 0 ]

# SIGINT and SIGTERM in the middle of a long recording: it is cut short.
for signal in INT TERM; do
  rm -rf cut
  before=$(status recordings_begun)
  start_capture log --service $program --for 100s -o cut
  await 60 test -s spool/recording/perf.data
  sleep 1
  end_capture $signal
  [ "$(profiles_in cut)" = 1 ] || { cat log; fail "not kept after SIG$signal"; }
  [ "$(status recordings_begun)" = $((before + 1)) ]
done
accounts

# A killed pgo leaves no perf behind, though the recording had minutes to go.
start_capture log --service $program --for 100s -o cut
await 60 test -s spool/recording/perf.data
perf=$(pgrep -P $recorder) command=$(pgrep -P "$(pgrep -P $recorder)")
kill -KILL $recorder
wait $recorder 2> /dev/null || :
recorder=
has_ended() { ! grep -q '^State:.[^ZX]' "/proc/$1/status" 2> /dev/null; }
for process in $command $perf; do await 20 has_ended "$process"; done

# A file pauses it. The recording that was killed is warned of once.
touch paused
start_capture log --service $program --every 2s --for 1s --pause-file paused -o paused-store
await 60 grep -q "^pgo: $program: paused: nothing is recorded while the pause file is there$" log
lost="^pgo: warning: $program: an earlier recording was interrupted (.*/status.json)$"
[ "$(grep -c "$lost" log)" = 1 ] || { cat log; fail "no warning of the killed recording"; }
rm paused
await 60 has_profiles paused-store 1
end_capture TERM

# From the store to a profile for the compiler.
"$pgo" fetch store --service $program -o $program.bundle > text 2> log ||
  { cat log; fail "fetch"; }
"$pgo" convert $program.bundle --binary $program -o fetched.proftext > log 2>&1 || { cat log; fail "convert"; }

capture --service $program --for 1s -o once 2> log
! grep "$lost" log || fail "warns of it again"

# A service that does not run, and one that ends meanwhile.
stop_services
status=0
capture --service $program --for 1s -o store 2> log || status=$?
[ $status = 2 ] && [ "$(tail -n 1 log)" = "pgo: error: no process of program $program is running" ] || { cat log; fail "another error"; }
