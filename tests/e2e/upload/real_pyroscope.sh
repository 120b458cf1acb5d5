# A real Pyroscope takes what pgo upload pushes, and pgo fetch gets it back. Skipped where pyroscope is not on PATH: no registry that
# tests may use has one that builds.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
command -v pyroscope > /dev/null || skip "pyroscope is not on PATH"
python3 "$stand_ins/made_pprof.py" --names --time "$(date +%s)000000000" a.pb
port=$(free_port)
store=127.0.0.1:$port
start_server pyroscope 0 "http://$store/ready" pyroscope -analytics.reporting-enabled=false -self-profiling.disable-push=true \
  -server.http-listen-address=127.0.0.1 -server.http-listen-port="$port" -server.grpc-listen-port="$(free_port)"
for ((tries = 0; tries < 300; tries++)); do
  ! curl -sf -m 5 -o answer "http://$store/ready" || break
  sleep .1
done
"$pgo" upload a.pb "pyroscope+http://$store" --label service=queryd --label host=web-1 --label version=1.42 > said 2>&1 ||
  fail "$(cat said)"
for ((tries = 0; tries < 100; tries++)); do
  rm -rf bundle cache
  "$pgo" fetch --last 1h --service queryd "pyroscope+http://$store" -o bundle > said 2>&1 && break
  sleep .3
done
expect "members" 'queryd web-1 1.42 170 11223344' "$(members | cut -d ' ' -f 2-6)"
! grep -q 'no addresses' said || fail "$(cat said)"
stop_servers
