# pgo record --unit and --cgroup record the processes of cgroups of the kernel, and of a container with other files.
. "$(dirname "$0")/../prelude.sh"
. "$here/capture_prelude.sh"
for root in /sys/fs/cgroup /sys/fs/cgroup/unified none; do
  [ ! -e $root/cgroup.procs ] || break
done
slice=$root/prodpgo-test-$$.slice unit=groupd$$.service
mkdir -p "$slice/$unit/worker" 2> reason || skip "no cgroup can be made: $(cat reason)"
tidy_up() {
  [ -z "$recorder" ] || kill -KILL $recorder 2> /dev/null || :
  stop_services
  sleep .2  # until the kernel has let go of them
  for directory in "$slice/$unit/worker" "$slice/$unit" "$slice"; do rmdir "$directory" 2> /dev/null || :; done
}
trap tidy_up EXIT

start_service groupd 3
echo "${service_pids[0]}" > "$slice/$unit/cgroup.procs" 2> reason || skip "no process can be moved: $(cat reason)"
echo "${service_pids[1]}" > "$slice/$unit/worker/cgroup.procs"

records() { # PROCESSES ARGUMENT...
  capture --for 1s -o store "${@:2}" 2> log || { cat log; fail "exit code $?: ${*:2}"; }
  grep -qE "^pgo: [a-z0-9]+: recorded [1-9][0-9 ]* samples of $1\$" log || { cat log; fail "expected $1: ${*:2}"; }
}
records "2 processes" --unit $unit
records "2 processes" --unit groupd$$
[ -n "$(find store/service=groupd$$ -name '*.addr')" ] || fail "not named for the unit"
records "1 process" --cgroup /prodpgo-test-$$.slice/$unit/worker --label service=worker
records "2 processes" --cgroup $unit --label service=any
records "2 processes" --cgroup "$slice" --label service=slice
records "1 process" --pid "${service_pids[2]}" --label service=one
status=0
capture --unit none$$ --for 1s -o store 2> log || status=$?
[ $status = 2 ] && [ "$(tail -n 1 log)" = "pgo: error: no process of unit none$$.service is running" ] || { cat log; fail "another error"; }
accounts
stop_services

# What processes used that end between two looks counts, because the kernel counts it for the cgroup. Each runs for about a
# tenth of a second.
if [ -e "$slice/$unit/cpu.stat" ]; then
  (
    echo $BASHPID > "$slice/$unit/cgroup.procs"
    while :; do ./groupd 2000 > /dev/null; done
  ) &
  service_pids=($!)
  disown
  used() { sed -n 's/^usage_usec //p' "$slice/$unit/cpu.stat"; }
  before=$(status recordings_begun)
  has_begun() { [ "$(status recordings_begun)" -ge $((before + $1)) ]; }
  start_capture log --unit $unit --every 2s --for 1s --max-overhead 50% -o store --report report.json
  await 60 has_begun 1
  after_first_look=$(used)
  await 60 has_begun 3
  before_last_look=$(used)
  await 60 has_begun 4
  end_capture TERM
  accounts
  python3 - $((before_last_look - after_first_look)) << 'END' || { cat log; fail "the CPU time of the cgroup is not counted"; }
import json, sys
seconds = json.load(open("report.json"))["run"]["cost"]["service_cpu_seconds"]
assert seconds >= int(sys.argv[1]) / 1e6, (seconds, sys.argv)
END
  stop_services
fi

# The program of a container, at a path where this host has another file.
[ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null || skip "no namespaces here"
mkdir -p inside
cp groupd inside/program
cp /bin/true program
unshare --mount bash -c "mount --bind inside/program program; exec ./program" > /dev/null &
service_pids=($!)
disown
seen_inside() { cmp -s "/proc/${service_pids[0]}/exe" groupd; }
await 20 seen_inside
records "1 process" --pid "${service_pids[0]}" --label service=contained
"$pgo" show "$(find store/service=contained -name '*.addr')" > shown
grep -qF "$(readelf -n groupd | sed -n 's/ *Build ID: //p')" shown || { cat shown; fail "another build"; }
