# A proxy is started, loaded and stopped in turn, and what its processes use is compared. Nothing of it is left.
. "$(dirname "$0")/../prelude.sh"
PATH=$PATH:/usr/sbin  # where Debian puts nghttpx
need nghttpx nghttpd h2load python3

# Ports that are free now; each proxy has its own.
read -r backend before after <<< "$(python3 - <<'END'
import socket
sockets = [socket.socket() for _ in range(3)]
for one in sockets:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in sockets))
END
)"
mkdir served
head -c 2000 /dev/zero > served/page
nghttpd --no-tls --address=127.0.0.1 --htdocs=served "$backend" > backend.log 2>&1 &
trap 'kill %1' EXIT

proxy() { # PORT
  echo "exec nghttpx --frontend=127.0.0.1,$1;no-tls --backend=127.0.0.1,$backend;;proto=h2;no-tls --workers=1 --errorlog-file=/dev/stderr --conf=/dev/null" |
    sed "s/--frontend=\([^ ]*\)/'--frontend=\1'/; s/--backend=\([^ ]*\)/'--backend=\1'/"
}
# Both sides have the same port, so that they have the same load: they run in turn.
ready="h2load -n 1 http://127.0.0.1:$before/page | grep -q ' 1 2xx'"
load() { echo "h2load -n $1 -c 4 -m 10 http://127.0.0.1:$before/page"; }

status=0
"$pgo" verify --serve-before "$(proxy "$before")" --serve-after "$(proxy "$before")" --ready "$ready" \
  --load "$(load 2000)" --stop QUIT --pairs 7 -o r.md --report report.json > printed 2> said || status=$?
case $status in 0 | 1 | 3) ;; *) cat printed said; fail "exit code $status" ;; esac
python3 - <<'END'
import json
result = json.load(open("report.json"))
names = [figure["name"] for figure in result["figures"]]
assert result["kind"] == "loads" and result["pairs"] == 7, result
assert names == ["CPU time", "CPU time per request", "user time", "system time", "wall time", "peak memory", "requests",
                 "throughput", "mean latency"], names
assert result["per"] == "request" and result["figures"][6]["after"] == 2000, result
ticks = ("user time", "system time")  # so short a load may take none
assert all(figure["before"] > 0 and figure["after"] > 0 for figure in result["figures"] if figure["name"] not in ticks), result
END
! pgrep -f "127.0.0.1,$before;no-tls" > left || { cat left; fail "a proxy is left"; }

# Another proxy is stopped where one of a wrong backend is never ready.
wrong="$(proxy "$after" | sed "s/127.0.0.1,$backend/127.0.0.1,$after/")"
status=0
"$pgo" verify --serve-before "$wrong" --serve-after "$wrong" --ready "$ready" --load "$(load 1)" --ready-timeout 1 \
  > printed 2> said || status=$?
[ $status -eq 2 ] || { cat printed said; fail "exit code $status"; }
grep -q 'the server was not ready within 1 s' said || { cat said; fail "another error"; }
! pgrep -f "127.0.0.1,$after;no-tls" > left || { cat left; fail "a proxy is left"; }
