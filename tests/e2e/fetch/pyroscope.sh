# pgo fetch takes profiles of Pyroscope: one merge for each host and hour, with labels, selectors, credentials, windows
# that are too long, old and new servers, and what the server refuses.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
need protoc
fleet
mkdir saved

start_stand_in pyroscope --load load.json --save saved
fetches_all pyroscope || fail "$(cat said; members)"
expect "merges, one for each host and hour" 4 "$(asked SelectMergeProfile)"
expect "lists, one for each hour" 2 "$(asked Series)"
! grep -q warning said || fail "warnings: $(cat said)"
# The request, as protoc sees it; times are milliseconds.
one_hour() {
  "$pgo" fetch --from 2026-11-26T13:00:00Z --to 2026-11-26T14:00:00Z --label host=web-1 "pyroscope+http://$store" -o bundle > said
  protoc --decode_raw < "saved/$1" | tr '\n' ' '
}
asked_for='1: "process_cpu:samples:count:cpu:nanoseconds" 2: "{host=\"web-1\",service_name=\"queryd\",version=\"1.42\"}" 3: 1795698000000 4: 1795701599999 '
expect "the request, by protoc" "$asked_for" "$(one_hour SelectMergeProfile)"
# Labels that stay apart are asked for, and no others.
expect "the number of labels, by protoc" 3 "$(protoc --decode_raw < saved/Series | grep -c '^2')"
# A host without the service, and one label more that stays apart; other words for the service.
fetch 0 "pyroscope+http://$store?labels=thread,host" --service queryd
expect "members by thread" 8 "$(members | wc -l)"
fetch 0 "pyroscope+http://$store?selector={service_name=~\"que.*\",host!=\"web-1\"}"
expect "members of the selector" 2 "$(members | wc -l)"
fetch 0 --label thread=t5 --service queryd "pyroscope+http://$store?type=process_cpu:cpu:nanoseconds:cpu:nanoseconds"
expect "members of one thread" 4 "$(members | wc -l)"
expect "samples of one thread, counted by their time" 170 "$(members | head -1 | cut -d ' ' -f 5)"
# Nothing is there.
fetch 2 --service unknown "pyroscope+http://$store"
grep -qF "pyroscope+http://$store: found no profiles (from 2026-11-26T13:00:00Z to 2026-11-26T15:00:00Z); check the window, the service and the labels" said
fetch 2 --label rack=7 "pyroscope+http://$store"
grep -qF "pyroscope+http://$store: no profile of the window has a label 'rack'; labels: host, service_name, thread, version; check the \
spelling and the window; the parameter 'selector' takes matchers of any label" said
fetch 2 --sample-type alloc_space "pyroscope+http://$store"
grep -qF "no profile type has samples of the type 'alloc_space'; it has: process_cpu:cpu:nanoseconds:cpu:nanoseconds, \
process_cpu:samples:count:cpu:nanoseconds" said
status=0
"$pgo" merge "pyroscope+http://$store" -o merged.pb.gz > said 2>&1 || status=$?
expect "exit code without a window" 2 $status
grep -qF "pyroscope+http://$store: the window is missing; this store merges the profiles of a window; choose it with \
'pgo fetch', and name its bundle" said
fetch 2 "pyroscope+http://$store?selektor={}"
grep -qF "pyroscope+http://$store?selektor=...: unknown parameter 'selektor'; this kind of store takes: labels, selector, type" said ||
  fail "$(cat said)"
fetch 2 "pyroscope+http://$store?selector={host=~\"web}"
grep -qF 'the server answered 400 (Bad Request): failed to parse query: ' said
end_stand_in

# A limit below an hour: hours are asked for in parts, and merged.
start_stand_in pyroscope --load load.json --limit 1000
fetches_all pyroscope || fail "$(cat said; members)"
[ "$(asked SelectMergeProfile)" -ge 16 ] || fail "$(asked SelectMergeProfile) merges"
end_stand_in

# A server that looks back a week says nothing of what is older, however short the window is.
python3 - << 'END'
import json, time
labels = {"__name__": "process_cpu", "service_name": "queryd", "host": "web-1"}
json.dump([{"labels": labels, "time": time.time() - 86400 * days, "pprof": "web-1.pb"} for days in (9.5, 6.5)], open("old.json", "w"))
END
start_stand_in pyroscope --load old.json --lookback 604800
begin=$(date -u -d '10 days ago' +%FT%TZ)
rm -rf bundle cache
"$pgo" fetch --from "$begin" --to "$(date -u -d '6 days ago' +%FT%TZ)" --service queryd "pyroscope+http://$store" -o bundle > said 2>&1
grep -qF "warning: pyroscope+http://$store: has nothing of the first day of the window; unless told otherwise, Pyroscope looks back 7 days \
(querier.max-query-lookback)" said || fail "$(cat said)"
end_stand_in

# Servers that know one of the two merges only; one that has neither as pprof.
for kind in --new --router; do
  start_stand_in pyroscope --load load.json $kind --save saved
  fetches_all pyroscope || fail "$(cat said; members)"
  expect "merges by the other method" 4 "$(asked SelectMergeStacktraces)"
  expect "the other request, by protoc" "${asked_for}6: 4 " "$(one_hour SelectMergeStacktraces)"
  end_stand_in
done
start_stand_in pyroscope --load load.json --new --old
fetch 2 --service queryd "pyroscope+http://$store"
grep -qF "the server gives no profiles as pprof" said
end_stand_in

# Tenants and credentials.
start_stand_in pyroscope --load load.json --tenant team-a --basic me:secret
fetch 2 "pyroscope+http://$store"
grep -qF "pyroscope+http://$store: the server answered 401 (Unauthorized): invalid credentials; check the credentials: they are \
missing, wrong or expired" said
export PRODPGO_PYROSCOPE_USER=me PRODPGO_PYROSCOPE_PASSWORD=secret
fetch 2 "pyroscope+http://$store"
grep -qF "no org id; the server has tenants: name one with PRODPGO_PYROSCOPE_TENANT" said
PRODPGO_PYROSCOPE_TENANT=team-a fetches_all pyroscope || fail "$(cat said; members)"
! grep -rq secret said bundle || fail "the password is written down"
fetch 2 "pyroscope+http://pyroscope.example.com:4040"
grep -qF "the credentials of PRODPGO_PYROSCOPE_* are not sent to http://pyroscope.example.com:4040, because others could read \
them on the way; use https:, or a tunnel to this machine" said
unset PRODPGO_PYROSCOPE_USER PRODPGO_PYROSCOPE_PASSWORD
end_stand_in
start_stand_in pyroscope --load load.json --bearer glsa_1
PRODPGO_PYROSCOPE_TOKEN=glsa_1 fetches_all pyroscope || fail "$(cat said; members)"
end_stand_in

# A series that is listed, but empty when it is merged, causes a warning: the store may have lost it.
for kind in "" --new; do
  start_stand_in pyroscope --load load.json --forgets web-2 $kind
  fetch 0 --service queryd "pyroscope+http://$store"
  expect "members of the host that is left" 2 "$(members | wc -l)"
  grep -qF "warning: pyroscope+http://$store: 2026-11-26T13:00:00Z/host=web-2,service_name=queryd,version=1.42.pb.gz: Pyroscope lists this \
series, and its merge is empty: nothing ran or was recorded in this hour, or Pyroscope has lost it" said || fail "$(cat said)"
  end_stand_in
done

# A login page; a path that is none.
start_stand_in pyroscope --page
fetch 2 "pyroscope+http://$store"
grep -qF "pyroscope+http://$store: the server answered with an HTML page, such as a login page" said
end_stand_in

# The store drops the addresses of profiles that were pushed with names. pgo warns, and names the remedy. It guesses no build ID.
fleet --names
python3 "$stand_ins/made_pprof.py" --no-build-id --count 40 web-2.pb
python3 "$stand_ins/made_pprof.py" --no-build-id --count 40 --samples 19 web-2.later.pb
start_stand_in pyroscope --load load.json
fetch 0 --service queryd "pyroscope+http://$store"
grep -qF "warning: pyroscope+http://$store: 60.8 % of the samples have no addresses, so they count by function and line (evidence \
function-and-line), and BOLT cannot use them; Pyroscope removes the addresses of profiles that were pushed with function names; push them \
without names ('pgo upload' does), or by an agent that leaves them out (OpenTelemetry's eBPF profiler, Alloy)" said || fail "$(cat said)"
grep -qF "warning: pyroscope+http://$store: 39.2 % of the samples are of files without a build ID, so which build ran is not known, and \
only a file's name can match them with a binary; link with -Wl,--build-id, and use an agent that sends build IDs" said || fail "$(cat said)"
expect "builds of web-2" "2026-11-26T13:00:00Z" "$(members | sed -n 2p | cut -d ' ' -f 6)"
end_stand_in


# A server with other numbers for its fields is not understood (all of them: long_store_fields.sh).
fleet
breaks_when_fields_change pyroscope "fetches_all pyroscope" ProfileType.ID LabelPair.value \
  SelectMergeProfileRequest.end
