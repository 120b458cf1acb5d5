# Two minutes of the loop on a loaded service, beside the same load without it, in turns: what it costs is printed, and
# pgo's own account of it is of the right size. Meanwhile the store and pgo are killed and started again: each recording
# and each profile is accounted for.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/capture_prelude.sh"
trap 'stop_services; kill -KILL $recorder $proxy_pid "${server_pids[@]}" 2> /dev/null || :' EXIT
start_bucket profiles
start_service loadd 0

# load FILE: runs the load once, and appends the CPU seconds that it took.
load() {
  python3 - "$1" << 'END'
import os, subprocess, sys
load = subprocess.Popen(["./loadd", "300000"], stdout=subprocess.DEVNULL)
used = os.wait4(load.pid, 0)[2]
open(sys.argv[1], "a").write(f"{used.ru_utime + used.ru_stime}\n")
END
}
start_loop() { start_capture "$1" --tries 1 --service loadd --every 3s --for 1s --max-overhead 50% -o s3://profiles/busy --json; }

bucket_comes
: > loop.log
for pair in 1 2 3 4 5 6; do
  load without
  start_loop loop.log > figures.json
  load with
  case $pair in
    2 | 4)  # the store goes, and comes back in the next round
      bucket_goes
      end_capture TERM ;;
    3)
      kill -KILL $recorder
      wait $recorder 2> /dev/null || : ;;
    *) end_capture TERM ;;
  esac
  case $pair in 3 | 5) bucket_comes ;; esac
done

# What is left goes when it is there again.
start_service loadd
made=$(status profiles_made)
sent() { [ "$(status waiting)" = 0 ] && [ "$(status profiles_made)" -gt "$made" ]; }
start_loop loop.log > figures.json
await 60 sent
end_capture TERM
accounts
[ "$(keys_in profiles | wc -l)" = "$(status profiles_stored)" ] || fail "stored: $(cat spool/status.json)"
[ "$(status profiles_dropped)" = 0 ] && [ "$(status profiles_made)" -ge 6 ] || fail "$(cat spool/status.json)"

python3 - << 'END'
import json, statistics
with_loop, without = ([float(line) for line in open(name)] for name in ("with", "without"))
shares = [100 * (a / b - 1) for a, b in zip(with_loop, without)]
figures = json.load(open("figures.json"))
run = figures["run"]
cost = run["cost"]
print(f"CPU time of the load with the loop, beside without it: {statistics.median(shares):+.2f} % (median of {len(shares)} pairs, "
      f"{min(shares):+.2f} to {max(shares):+.2f} %)")
print(f"in the last run: {cost['own_cpu_seconds']:.2f} s of pgo and perf, {cost['interrupt_seconds']:.3f} s of interrupts estimated, "
      f"{cost['service_cpu_seconds']:.2f} s of the service")
# A recording takes some hundredths of a second of pgo and perf, and at most some seconds on a busy machine.
begun = figures["spool"]["recordings"]["begun"]
assert 0.005 < cost["own_cpu_seconds"] < 10 * begun, figures
assert 0 <= cost["interrupt_seconds"] <= 20e-6 * run["samples"], figures
END
bucket_goes
proxy_pid=
stop_servers
