# pgo upload writes files into a bucket, by the names that a directory has, and pgo fetch takes them from there.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
export PRODPGO_CACHE=$work/cache PYTHONDONTWRITEBYTECODE=1
start_moto
s3_make profiles
python3 "$here/stand_ins/made_pprof.py" --time 1795699200000000000 a.pb
"$pgo" upload a.pb s3://profiles/ci --label service=queryd --label host=web-1 > text 2> log
key=service=queryd/hour=2026-11-26T13/host=web-1,$(sha256sum a.pb | cut -c 1-12).pb
[ "$(cat text)" = "a.pb  s3://profiles/ci/$key" ] || fail "$(cat text log)"
"$pgo" fetch s3://profiles --label host=web-1 --service queryd -o bundle > text 2> log
grep -q 'bundle: 1 profile, 170 samples' text || fail "$(cat text log)"
cmp a.pb "$(find bundle/profiles -type f)"
stop_servers
