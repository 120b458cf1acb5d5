# A real Parca takes what pgo upload pushes, and pgo fetch gets it back: merged, each by itself, and with labels of samples. Skipped
# where parca is not on PATH: no registry that tests may use has it.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
command -v parca > /dev/null || skip "parca is not on PATH"
now=$(date +%s)
for host in web-1 web-2; do
  for part in 0 1; do
    python3 "$stand_ins/made_pprof.py" --names --samples $((20 - part)) --time $((now - 60 + part))500000000 "$host.$part.pb"
  done
done
printf 'object_storage:\n  bucket: {type: FILESYSTEM, config: {directory: ./objects}}\n' > parca.yaml
port=$(free_port)
store=127.0.0.1:$port
start_server parca 1 "http://$store/metrics" parca --config-path=parca.yaml --http-address="$store" \
  --debuginfod-upstream-servers=http://127.0.0.1:1 --storage-path=./data --log-level=warn
for host in web-1 web-2; do
  "$pgo" upload "$host".?.pb "parca+http://$store" --label service=queryd --label "host=$host" --label version=1.42 > said 2>&1
done
for ((tries = 0; tries < 50; tries++)); do
  rm -rf bundle cache
  "$pgo" fetch --last 1h --service queryd "parca+http://$store" -o bundle > said 2>&1 && break
  sleep .2
done
expect "members" 'queryd web-1 1.42 337 11223344
queryd web-2 1.42 337 11223344' "$(members | cut -d ' ' -f 2-6)"
! grep -q 'no addresses' said || fail "$(cat said)"
for type in $of_samples $of_time; do
  rm -rf bundle cache
  "$pgo" fetch --last 1h --label host=web-1 "parca+http://$store?profiles=single&type=$type" -o bundle > said 2>&1 || fail "$(cat said)"
  expect "each by itself" "167 170" "$(members | cut -d ' ' -f 5 | sort | tr '\n' ' ' | sed 's/ $//')"
done
stop_servers
