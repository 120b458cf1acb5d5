# pgo fetch takes profiles by gRPC over HTTP/2, as Polar Signals Cloud wants it: a proxy speaks HTTP/2 for the stand-in.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
PATH=$PATH:/usr/sbin  # where Debian puts nghttpx
need nghttpx
fleet

start_stand_in parca --load load.json --bearer psc_v1_0 --project 4711
behind=$store
store=127.0.0.1:$(free_port)
# Its URL answers anything, also an error, as soon as it listens.
start_server nghttpx 143 "http://$store/" nghttpx --frontend="${store/:/,};no-tls" --backend="${behind/:/,}" --workers=1 \
  --errorlog-file=/dev/stderr --conf=/dev/null
PRODPGO_PARCA_TOKEN=psc_v1_0 PRODPGO_PARCA_PROJECT=4711 fetch 0 --service queryd "parca+http://$store?protocol=grpc" || fail "$(cat said)"
expect "members by gRPC" "$all_members" "$(members)"
PRODPGO_PARCA_TOKEN=psc_v1_secret fetch 2 "parca+http://$store?protocol=grpc"
grep -qF "the server answered UNAUTHENTICATED: invalid token" said || fail "$(cat said)"
stop_servers
