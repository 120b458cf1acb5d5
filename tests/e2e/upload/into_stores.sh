# pgo upload pushes profiles to Pyroscope, Parca and profefe, so that pgo fetch gets them back with addresses and build IDs; what a store
# loses, refuses or limits is said.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
made() { python3 "$stand_ins/made_pprof.py" "$@"; }
now=$(date +%s)000000000
made --names --time "$now" --host h1 named.pb

# upload STATUS ARGUMENT...: what it prints is in ./said.
upload() {
  local wanted=$1 status=0
  "$pgo" upload --tries 2 "${@:2}" > said 2>&1 || status=$?
  [ $status = "$wanted" ] || fail "exit code $status of upload ${*:2}: $(cat said)"
}
for kind in pyroscope parca profefe; do
  start_stand_in $kind
  upload 0 named.pb "$kind+http://$store" --label service=queryd --label host=web-1 --label version=1.42
  grep -qF "pgo: $kind+http://$store: uploaded 1 profile" said || fail "$(cat said)"
  names="pgo: warning: named.pb: the names of 22 locations are not sent, because $kind+http://$store would remove their addresses; the store, \
or pgo, finds the names by build ID"
  if [ $kind = profefe ]; then
    ! grep -q 'are not sent' said || fail "$(cat said)"
  else
    grep -qxF "$names" said || fail "$(cat said)"
  fi
  lost="pgo: warning: named.pb: Parca does not keep labels of samples: host"
  if [ $kind = parca ]; then grep -qxF "$lost" said || fail "$(cat said)"; fi
  expect "$kind: what comes back" "queryd web-1 1.42 170 11223344" "$(back "$kind+http://$store")"
  end_stand_in
done

# Pyroscope: what is too large goes in parts, and what is too old is refused.
start_stand_in pyroscope
made --samples 16500 --time "$now" large.pb
upload 0 large.pb "pyroscope+http://$store" --label service=queryd
grep -qF "pgo: warning: large.pb: is pushed in 2 parts, because Pyroscope takes 16 000 samples and 4 MiB at once" said || fail "$(cat said)"
expect "pushes" 2 "$(asked Push)"
expect "all samples come back" "queryd None None 57850 11223344" "$(back "pyroscope+http://$store")"
made --time 1795699200000000000 old.pb
upload 2 old.pb "pyroscope+http://$store" --label service=queryd
grep -qF "the server answered 400 (Bad Request): profile with labels is outside of ingestion window (profile timestamp is too old); it was \
recorded at 2026-11-26T13:20:00Z, and Pyroscope takes profiles of the last hour, unless validation.reject-older-than of its configuration \
allows others" said || fail "$(cat said)"
upload 2 named.pb "pyroscope+http://$store"
grep -qF "pyroscope+http://$store: Pyroscope wants a service for each profile; name it: --label service=NAME" said || fail "$(cat said)"
end_stand_in
start_stand_in pyroscope --tenant team-a
upload 2 named.pb "pyroscope+http://$store" --label service=queryd
grep -qF "named.pb: pyroscope+http://$store: the server answered 401 (Unauthorized): no org id" said || fail "$(cat said)"
end_stand_in

# Parca and profefe.
start_stand_in parca
upload 2 named.pb "parca+http://$store"
grep -qE "named.pb: without labels, it could not be told apart from others in Parca" said || fail "$(cat said)"
upload 2 named.pb "parca+http://$store/elsewhere" --label service=queryd
grep -qF "the server answered UNIMPLEMENTED" said || fail "$(cat said)"
end_stand_in
start_stand_in profefe
upload 2 named.pb "profefe+http://$store" --label service=queryd --label a=b,c
grep -qF "named.pb: profefe takes no label with a comma: a=b,c" said || fail "$(cat said)"
# Labels come back as they were.
upload 0 named.pb "profefe+http://$store" --label service=queryd --label 'zone=a+b %41' --label host=web-1
"$pgo" fetch --last 1h --service queryd --label 'zone=a+b %41' "profefe+http://$store" -o bundle > said 2>&1 || fail "$(cat said)"
expect "the profile with odd labels" 1 "$(members | wc -l)"
end_stand_in

# Whether a server that failed has stored a profile is not known: nothing is sent twice.
cat > failing.py << 'SERVER'
import http.server, sys
class Failing(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_error(503)
    do_GET = lambda self: self.send_error(503)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Failing).serve_forever()
SERVER
port=$(free_port)
start_server failing 143 "http://127.0.0.1:$port/" python3 failing.py "$port"
pushes=0
for kind in pyroscope parca profefe; do
  upload 2 named.pb "$kind+http://127.0.0.1:$port" --label service=queryd
  expect "pushes with that of $kind" $((++pushes)) "$(grep -c '"POST ' failing.log)"
done
stop_servers

# A server with other numbers for its fields is not understood (all of them: fetch/long_store_fields.sh).
echo '[]' > load.json
breaks_when_fields_change pyroscope "pushes pyroscope" RawSample.raw_profile
breaks_when_fields_change parca "pushes parca" RawSample.raw_profile
