# pgo fetch records hosts that run: Go's net/http/pprof (of a real Prometheus) and gperftools in a C++ program, by name,
# from a list with labels, and from service discovery. What hosts cannot do is said, and does not stop the others.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
need prometheus g++
export PRODPGO_CACHE=$work/cache

# A server in Go that is busy.
go_port=$(free_port)
echo 'global: {}' > prometheus.yml
start_server prometheus 0 "http://127.0.0.1:$go_port/-/ready" prometheus --config.file=prometheus.yml \
  --storage.tsdb.path=data --web.listen-address="127.0.0.1:$go_port"
# Each query evaluates a million values, so that the server has work even where the machine has much else to do. It ends
# with the test, also with one that is killed.
while kill -0 $$ 2> /dev/null; do
  curl -s -m 60 -o values "http://127.0.0.1:$go_port/api/v1/query?query=count_over_time(vector(1)\[12d:1s\])" || sleep 1
done &
load=$! other=
trap 'kill $load $other 2> /dev/null || :; for pid in "${server_pids[@]}"; do kill -KILL "$pid" 2> /dev/null || :; done' EXIT

# One in C++, which serves /pprof/profile as gperftools' pprof asks for it.
cat > served.cc << 'END'
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
extern "C" int ProfilerStart(const char*);
extern "C" void ProfilerStop();
std::atomic<unsigned> total;
__attribute__((noinline)) void work() {
  for (unsigned i = 0; i < 1 << 20; i++) total += i * i % 7;
}
int main(int, char** argv) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(std::atoi(argv[1]));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) || listen(listener, 16)) return 1;
  std::thread([] { for (;;) work(); }).detach();
  for (;;) {
    int client = accept(listener, nullptr, nullptr);
    char request[4096] = "";
    if (read(client, request, sizeof request - 1) < 0) return 1;
    const std::string text = request;
    std::string body = "none";
    const size_t at = text.find("/pprof/profile?seconds=");
    if (at != std::string::npos) {
      ProfilerStart("served.prof");
      std::this_thread::sleep_for(std::chrono::seconds(std::atoi(request + at + 23)));
      ProfilerStop();
      std::ifstream file("served.prof", std::ios::binary);
      body.assign(std::istreambuf_iterator<char>(file), {});
    }
    const std::string head = std::string("HTTP/1.0 ") + (at == std::string::npos ? "404 No" : "200 OK") +
                             "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    if (write(client, head.data(), head.size()) < 0 || write(client, body.data(), body.size()) < 0) return 1;
    close(client);
  }
}
END
g++ -O1 -g served.cc -o served -pthread -Wl,--no-as-needed -l:libprofiler.so.0 ||
  skip "libprofiler.so.0 of gperftools is not installed"
cpp_port=$(free_port)
start_server served 143 "http://127.0.0.1:$cpp_port/" ./served "$cpp_port"

closed=127.0.0.1:$(free_port)
go=127.0.0.1:$go_port cpp=127.0.0.1:$cpp_port
# fetch STATUS ARGUMENT...: what it prints is in ./said.
fetch() {
  local wanted=$1 status=0
  rm -rf bundle
  "$pgo" fetch --tries 2 -o bundle "${@:2}" > said 2>&1 || status=$?
  [ $status = "$wanted" ] || fail "exit code $status of fetch ${*:2}: $(cat said)"
}
# members LABEL=VALUE...: bundle.json has a member with these labels, and only one.
members() {
  python3 - "$@" << 'END'
import json, sys
wanted = dict(label.split("=", 1) for label in sys.argv[1:])
members = json.load(open("bundle/bundle.json"))["members"]
found = [m for m in members if wanted.items() <= m["labels"].items()]
assert len(found) == 1, members
assert found[0]["samples"] > 0, found
END
}

# Go, beside a host that does not answer: the others count, and --strict refuses.
fetch 0 "pprof+http://$go,$closed?seconds=2"
members host="$go"
grep -q ": $closed/debug/pprof/profile: cannot connect to 127.0.0.1 port ${closed#*:}: Connection refused (tried 2 times)" said
"$pgo" show "$(find bundle/profiles -type f)" > shown
grep -q 'samples/count' shown
grep -q 'runtime\.' shown
fetch 2 --strict "pprof+http://$go,$closed?seconds=2"
# So does a name without an address. (No name server is asked for one that is longer than names can have.)
long=$(printf 'a%.0s' {1..64})
fetch 0 "pprof+http://$go,dns+$long:1?seconds=1"
members host="$go"
grep -q "warning: 1 of 2 profiles is missing (1 not-fetched); the first: .*dns+$long:1: no address was found" said
fetch 2 --strict "pprof+http://$go,dns+$long:1?seconds=1"
fetch 0 --sample-type alloc_space "pprof+http://$go"
members host="$go"
grep -q /debug/pprof/allocs bundle/bundle.json

# A live host is recorded each time, whatever the cache has.
fetch 0 "pprof+http://$go?seconds=2"
first=$(find bundle/profiles -type f -exec sha256sum {} +)
fetch 0 "pprof+http://$go?seconds=2"
[ "$first" != "$(find bundle/profiles -type f -exec sha256sum {} +)" ] || fail "the same profile twice"

# gperftools, by brpc's name for it, from a list of hosts with labels.
echo "$cpp host=web-1 zone=a" > hosts.txt
fetch 0 "pprof+http://@hosts.txt/hotspots/cpu?seconds=1"
members host=web-1 zone=a
"$pgo" convert bundle --binary served -o served.proftext 2> convert.log || { cat convert.log; fail "cannot convert"; }
grep -q '^_Z4workv:' served.proftext

# Prometheus HTTP service discovery.
echo "[{\"targets\": [\"$cpp\"], \"labels\": {\"zone\": \"b\", \"__meta\": \"x\"}}]" > targets
list_port=$(free_port)
start_server discovery 143 "http://127.0.0.1:$list_port/targets" \
  python3 -m http.server --bind 127.0.0.1 "$list_port"
fetch 0 "pprof+http://sd+http://127.0.0.1:$list_port/targets/pprof/profile?seconds=1"
members host="$cpp" zone=b

# The token goes to hosts that the user names, and by plain http only to this machine. (The log of http.server has no
# headers, so this host writes them down.)
cat > writes_headers.py << 'END'
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open("tokens", "a") as file:
            print(self.headers.get("Authorization"), file=file)
        self.send_response(401)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
END
token_port=$(free_port)
start_server writes_headers 143 "http://127.0.0.1:$token_port/" python3 writes_headers.py "$token_port"
echo "[{\"targets\": [\"127.0.0.1:$token_port\"]}]" > listed.json
: > tokens
export PRODPGO_TOKEN=TKsecret
fetch 2 "pprof+http://127.0.0.1:$token_port?seconds=1"
fetch 2 "pprof+http://@listed.json?seconds=1"
grep -qF "PRODPGO_TOKEN is not sent to http://127.0.0.1:$token_port, because a list of hosts named it; allow it by \
PRODPGO_TOKEN_HOSTS=127.0.0.1" said
PRODPGO_TOKEN_HOSTS=127.0.0.1 fetch 2 "pprof+http://@listed.json?seconds=1"
unset PRODPGO_TOKEN
printf '%s\n' 'Bearer TKsecret' None 'Bearer TKsecret' | diff - tokens

# What hosts say.
fetch 2 "pprof+http://$go/debug/pprof/nothing"
grep -q "$go/debug/pprof/nothing: the server answered 404 (Not Found): Unknown profile" said
# Another profiler, until it is killed: one that finds the only place taken, by the probe below, tries again.
curl -s -f -m 900 --retry 100 --retry-delay 1 --retry-all-errors -o other "$go/debug/pprof/profile?seconds=600" &
other=$!
status=000
for ((tries = 0; tries < 120 && status != 500; tries++)); do
  status=$(curl -s -m 60 -o probe -w '%{http_code}' "http://$go/debug/pprof/profile?seconds=1" || :)
  [ "$status" = 500 ] || sleep .5
done
[ "$status" = 500 ] || fail "the host records twice at once: status $status"
fetch 2 "pprof+http://$go?seconds=1"
grep -q "$go/debug/pprof/profile: the server answered 500 (Internal Server Error) to each of 2 tries: Could not enable CPU profiling: cpu profiling already in use" said
kill $other $load
stop_servers
