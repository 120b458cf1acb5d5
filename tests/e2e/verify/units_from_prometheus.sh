#!/bin/bash
# pgo verify asks a real Prometheus, with a password, for the units of work. The verdict is that of the same units in
# files, with resets and rates. Gaps, wrong queries and wrong passwords are errors, and no password is shown.
source "$(dirname "$0")/../prelude.sh"
need prometheus promtool

# Two windows of ten minutes. Each host serves 600 requests a minute before, and 1200 after; web-1 restarts at 10:04.
python3 - > metrics << 'END'
def lines(name, host, begin, rate, reset_at=None, gap=range(0)):
    total = 5000
    for second in range(0, 601, 15):
        if second:
            total += rate * 15
        if second == reset_at:
            total = rate * 15
        if second not in gap:
            print(f'{name}_total{{instance="{host}:9100",job="web"}} {total} {begin + second}')

before, after = 1767261600, 1767268800  # 2026-01-01, 10:00 and 12:00
print("# TYPE requests counter")
for host in ("web-1", "web-2", "web-3"):
    lines("requests", host, before, 10, reset_at=240 if host == "web-1" else None)
    lines("requests", host, after, 20)
print("# TYPE gaps counter")
for host in ("web-1", "web-2", "web-3"):
    # Prometheus itself bridges five minutes.
    lines("gaps", host, before, 10, gap=range(30, 450) if host == "web-2" else range(0))
    lines("gaps", host, after, 20)
print("# EOF")
END
promtool tsdb create-blocks-from openmetrics metrics data > blocks.log

export PRODPGO_PROMETHEUS_USER=me PRODPGO_PROMETHEUS_PASSWORD=hunter2
hash=$(python3 -W ignore -c 'import crypt; print(crypt.crypt("hunter2", crypt.mksalt(crypt.METHOD_BLOWFISH, rounds=16)))')
[[ $hash == '$2'* ]] || skip "this python3 makes no bcrypt hashes"
echo "basic_auth_users: {me: '$hash'}" > web.yml
echo 'global: {}' > prometheus.yml
# Another program may take the port before Prometheus does.
for attempt in 1 2 3 4 5; do
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  prometheus --config.file=prometheus.yml --web.config.file=web.yml --storage.tsdb.path=data \
    --storage.tsdb.retention.time=100y --web.listen-address=127.0.0.1:"$port" > prometheus.log 2>&1 &
  server=$!
  trap 'kill $server 2> /dev/null; wait' EXIT
  python3 - "$port" << 'END' && break
import sys, time, urllib.error, urllib.request
for attempt in range(600):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/-/ready")
    except urllib.error.HTTPError as answer:
        if answer.code == 401:
            sys.exit(0)
    except OSError:
        pass
    time.sleep(0.05)
sys.exit(1)
END
  kill $server
  [ "$attempt" -lt 5 ] || fail "Prometheus does not start: $(tail -n 3 prometheus.log)"
done
url=http://127.0.0.1:$port

mkdir before after
for host in web-1 web-2 web-3; do
  echo "main;serve 6000" > before/$host.folded
  echo "main;serve 11400" > after/$host.folded
done
windows=(--units-window-before 2026-01-01T10:00/2026-01-01T10:10
  --units-window-after 2026-01-01T13:00+01:00/2026-01-01T12:10Z)
# verify STATUS ARGUMENT...: what it prints is in ./said.
verify() {
  local wanted=$1 status=0
  "$pgo" verify before after --path-template '{host}.folded' "${@:2}" > said 2>&1 || status=$?
  [ $status = "$wanted" ] || fail "exit code $status of $*: $(cat said)"
  ! grep -q 'hunter2\|bWU6' said || fail "$(cat said)"
}
ask() { verify "$1" --units-prometheus "$url" "${windows[@]}" "${@:2}"; }

# The same units, from files. The reset hides nothing: web-1 did 10 * 600 as well.
for host in web-1 web-2 web-3; do
  echo "$host 6000" >> before.txt
  echo "$host 12000" >> after.txt
done
verify 0 --expect 3 --units-before @before.txt --units-after @after.txt --json
mv said files.json
ask 0 --expect 3 --units-query 'requests_total{job="web"}' --json
cmp said files.json
ask 0 --expect 3 --units-query 'sum by (instance) (requests_total)' --json
cmp said files.json
# A rate of the whole side: 30 and 60 requests a second, for seven minutes.
verify 0 --expect 3 --units-before 12600 --units-after 25200 --json
mv said totals.json
verify 0 --expect 3 --units-prometheus "$url/" --units-rate-query 'round(sum(rate(requests_total[1m])), 0.001)' \
  --units-window-before 2026-01-01T10:02/2026-01-01T10:09 --units-window-after 2026-01-01T12:02/2026-01-01T12:09 --json
cmp said totals.json

# Bundles tell the window of each profile: five minutes of each host, or of web-3 ten.
bundle() {
  rm -rf "$1.bundle"
  cp -r "$1" "$1.bundle"
  python3 - "$1.bundle" "$2" << 'END'
import hashlib, json, os, sys
directory, hour = sys.argv[1:]
members = []
for name in sorted(os.listdir(directory)):
    contents = open(f"{directory}/{name}", "rb").read()
    host = name.split(".")[0]
    end = "10" if host == "web-3" else "05"
    members.append({
        "path": name, "size": len(contents), "digest": "sha256:" + hashlib.sha256(contents).hexdigest(), "source": "x",
        "object": name, "labels": {"host": host}, "weight": 1, "builds": [], "samples": 1,
        "window": {"from": f"2026-01-01T{hour}:00:00Z", "to": f"2026-01-01T{hour}:{end}:00Z", "evidence": "store"}})
with open(f"{directory}/bundle.json", "w") as file:
    json.dump({"version": 1, "tool_version": "x", "sources": ["x"], "query": {}, "weight_denominator": 1,
               "members": members}, file)
END
}
bundle before 10
bundle after 12
printf 'web-1 3000\nweb-2 3000\nweb-3 6000\n' > before.txt
printf 'web-1 6000\nweb-2 6000\nweb-3 12000\n' > after.txt
"$pgo" verify before.bundle after.bundle --units-before @before.txt --units-after @after.txt --json > files.json ||
  [ $? = 3 ]
"$pgo" verify before.bundle after.bundle --units-prometheus "$url" --units-query requests_total --json > said ||
  [ $? = 3 ]
cmp said files.json

ask 2 --units-query gaps_total
grep -qF "$url/: {__name__=\"gaps_total\", instance=\"web-2:9100\", job=\"web\"} has no values from 2026-01-01T10:05:30Z to 2026-01-01T10:07:30Z; choose a window in which it has values throughout" said
ask 2 --units-query 'requests_total{'
grep -qF 'the server refuses the query (bad_data): 1:16: parse error' said
ask 2 --units-query no_such_metric
grep -qF "the query gives no values from 2026-01-01T10:00:00Z to 2026-01-01T10:10:00Z" said
ask 2 --units-query 'requests_total' --units-rate-query 'requests_total'
grep -qF "give --units-prometheus with either --units-query or --units-rate-query" said
ask 2 --units-query requests_total --units-before 5
grep -qF "give --units-prometheus, or --units-before and --units-after, not both" said
verify 2 --units-prometheus "$url" --units-query requests_total
grep -qF "before: is not a bundle, so it is not known when its profiles were recorded; give --units-window-before" said
ask 2 --units-query requests_total --units-window-before 2026-01-01/2026-01-02
grep -qF "give --units-window-before once for each --before" said
PRODPGO_PROMETHEUS_PASSWORD=wrong ask 2 --units-query requests_total
grep -qF "error: $url/: the server answered 401 (Unauthorized); check the credentials" said
