# A real profefe takes what pgo upload pushes, and pgo fetch gets it back. Skipped where profefe is not on PATH: no registry that tests
# may use has it.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
command -v profefe > /dev/null || skip "profefe is not on PATH"
python3 "$stand_ins/made_pprof.py" --names --time "$(date +%s)000000000" a.pb
port=$(free_port)
store=127.0.0.1:$port
start_server profefe 0 "http://$store/api/0/version" profefe -addr="$store" -storage-type=badger -badger.dir=data
"$pgo" upload a.pb "profefe+http://$store" --label service=queryd --label host=web-1 --label version=1.42 > said 2>&1
"$pgo" fetch --last 1h --label host=web-1 "profefe+http://$store" -o bundle > said 2>&1 || fail "$(cat said)"
expect "members" 'queryd web-1 1.42 170 11223344' "$(members | cut -d ' ' -f 2-6)"
stop_servers
