# pgo fetch takes profiles of Parca: merged for each host and hour, or each by itself; labels, selectors, credentials, large
# answers, and what goes wrong on the wire.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
need protoc
fleet
mkdir -p saved

start_stand_in parca --load load.json --save saved
fetches_all parca || fail "$(cat said; members)"
expect "merges, one for each host and hour" 4 "$(asked Query)"
! grep -q warning said || fail "warnings: $(cat said)"
# From the cache, as long as the hour counts the same.
"$pgo" fetch "${window[@]}" --service queryd "parca+http://$store" -o bundle > said 2>&1
expect "merges after the second time" 4 "$(asked Query)"
# The request, as protoc sees it: a merge (1: 2) as pprof (5: 1), in seconds and nanoseconds.
"$pgo" fetch --from 2026-11-26T13:00:00Z --to 2026-11-26T14:00:00Z --label host=web-1 -o bundle \
  "parca+http://$store?selector={version=~\"1.*\"}&group=thread" > said 2>&1
protoc --decode_raw < saved/Query > decoded
diff - decoded << 'END'
1: 2
3 {
  1: "process_cpu:samples:count:cpu:nanoseconds:delta{version=~\"1.*\",host=\"web-1\",service_name=\"queryd\",version=\"1.42\"}"
  2 {
    1: 1795698000
  }
  3 {
    1: 1795701599
    2: 999000000
  }
}
5: 1
8 {
  1: "labels.thread"
}
END
"$pgo" show --json "$(find bundle/profiles -type f)" > shown
grep -q '"thread"' shown || fail "no label of samples: $(cat shown)"
# The profiles of each second by themselves, also one at a part of a second.
fetches_single "$of_samples" || fail "$(cat said; members)"
fetches_single "$of_time" || fail "$(cat said; members)"
# Nothing is there.
fetch 2 --service unknown "parca+http://$store"
grep -qF "parca+http://$store: found no profiles (from 2026-11-26T13:00:00Z to 2026-11-26T15:00:00Z); check the window, the service and the labels" said
fetch 2 --label rack=7 "parca+http://$store"
grep -qF "no profile of the window has a label 'rack'; labels: host, service_name, thread, version" said
for parameter in labels group; do
  fetch 2 --service queryd "parca+http://$store?$parameter=hots"
  grep -qF "the parameter '$parameter' names the label 'hots', which no profile of the window has; labels: host, service_name, thread, \
version; check the spelling and the window" said || fail "$(cat said)"
done
fetch 2 "parca+http://$store?type=cpu"
grep -qF "parca+http://$store?type=cpu: the server answered INVALID_ARGUMENT: profile-type selection must be of the form \
<name>:<sample-type>:<sample-unit>:<period-type>:<period-unit>(:delta), got(1): \"cpu\"" said || fail "$(cat said)"
fetch 2 "parca+http://$store?selector={host=~\"web}"
grep -qF 'the server answered INVALID_ARGUMENT: failed to parse query' said
fetch 2 "parca+http://$store/elsewhere"
grep -qF "the server answered UNIMPLEMENTED: unknown method /elsewhere/parca.query.v1alpha1.QueryService/ProfileTypes; check the path \
of the URL, and the version of the server" said || fail "$(cat said)"
end_stand_in

# More than 4 MiB, in pieces.
start_stand_in parca --load load.json --filler 6000000 --pieces
fetches_all parca || fail "$(cat said; members)"
end_stand_in

# On the wire.
start_stand_in parca --load load.json --cut
fetch 2 "parca+http://$store"
grep -qF "parca+http://$store: the server did not answer as gRPC does: a frame is cut; check the URL, and what is between this machine and \
the server" said || fail "$(cat said)"
end_stand_in
start_stand_in parca --load load.json --no-trailers
fetch 2 "parca+http://$store"
grep -qF "the server did not answer as gRPC does: no grpc-status, so the answer may be cut" said
end_stand_in
start_stand_in parca --page
fetch 2 "parca+http://$store"
grep -qF "parca+http://$store: the server answered with an HTML page, such as a login page" said
end_stand_in

# The cache tells projects apart.
start_stand_in parca --load load.json
fetches_all parca || fail "$(cat said; members)"
PRODPGO_PARCA_PROJECT=4711 "$pgo" fetch "${window[@]}" --service queryd "parca+http://$store" -o bundle > said 2>&1
expect "merges of two projects" 8 "$(asked Query)"
end_stand_in

# Credentials.
start_stand_in parca --load load.json --bearer psc_v1_0 --project 4711
PRODPGO_PARCA_TOKEN=psc_v1_0 PRODPGO_PARCA_PROJECT=4711 fetches_all parca || fail "$(cat said; members)"
PRODPGO_PARCA_TOKEN=psc_v1_secret fetch 2 "parca+http://$store"
grep -qF "the server answered UNAUTHENTICATED: invalid token; check the credentials: they are missing, wrong or expired" said
! grep -q secret said || fail "the token is written down"
end_stand_in

# Pushed with names: the addresses are gone.
fleet --names
start_stand_in parca --load load.json
fetch 0 --service queryd "parca+http://$store"
grep -qF "warning: parca+http://$store: 60.8 % of the samples have no addresses, so they count by function and line (evidence \
function-and-line), and BOLT cannot use them; Parca removes the addresses of locations that were pushed with function names; push them \
without names ('pgo upload' does), or by parca-agent" said || fail "$(cat said)"
end_stand_in


# A server with other numbers for its fields is not understood (all of them: long_store_fields.sh).
fleet
breaks_when_fields_change parca "fetches_all parca" ProfileType.sample_type QueryRangeRequest.query MetricsSample.timestamp \
  QueryRequest.merge QueryResponse.pprof
