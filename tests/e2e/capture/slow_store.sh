# A store that sends a byte now and then does not keep pgo record --every from ending.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/capture_prelude.sh"
trap 'stop_services; kill -KILL $recorder "${server_pids[@]}" 2> /dev/null || :' EXIT
cat > dripping.py << 'SERVER'
import http.server, sys, time
class Dripping(http.server.BaseHTTPRequestHandler):
    do_GET = lambda self: self.send_error(404)
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        print("asked", flush=True)
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        for _ in range(100000):
            self.wfile.write(b"a")
            time.sleep(.2)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Dripping).serve_forever()
SERVER
port=$(free_port)
start_server dripping 143 "http://127.0.0.1:$port/" python3 dripping.py "$port"
program=dripd$$
start_service $program
start_capture log --max-overhead 50% --service $program --every 2s --for 1s -o "parca+http://127.0.0.1:$port"
await 60 grep -q asked dripping.log
begin=$SECONDS
end_capture TERM
[ $((SECONDS - begin)) -lt 40 ] || fail "it ended after $((SECONDS - begin)) s"
grep -qE 'not sent: parca\+http://127.0.0.1:[0-9]+: was stopped, because pgo was asked to stop; 1 profile waits in spool$' log ||
  { cat log; fail "does not say so"; }
accounts
[ "$(status waiting)" = 1 ] || fail "$(cat spool/status.json)"
stop_services
