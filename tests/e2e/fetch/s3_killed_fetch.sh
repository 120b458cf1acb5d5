# A fetch that was killed (kill -9) in the middle of 1 000 objects: the next one asks the store for the rest only, and
# has all of them.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
start_moto

python3 "$here/../bench/make_pprofs.py" profiles 1000 20
s3_python profiles << 'END'
import pathlib, sys
s3.create_bucket(Bucket="profiles")
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    s3.put_object(Bucket="profiles", Key=f"queryd/{path.name}", Body=path.read_bytes())
END
[ "$(ls profiles | wc -l)" = 1000 ]

# The names of what was asked for, in the order of the server's log.
asked() { sed -n 's|.*"GET /profiles/queryd/\([^ ?]*\) HTTP.*|\1|p' moto.log; }

export PRODPGO_CACHE=$work/cache
"$pgo" fetch s3://profiles/queryd -o bundle > out 2>&1 &
fetching=$!
for ((tries = 0; tries < 2400 && $(asked | wc -l) < 500; tries++)); do
  kill -0 $fetching 2> /dev/null || fail "it ended before it was killed: $(cat out)"
  sleep .05
done
kill -KILL $fetching
{ wait $fetching; } 2> /dev/null || [ $? = 137 ]
[ ! -e bundle ] || fail "a bundle of a killed fetch"
[ "$(asked | wc -l)" -lt 1000 ] || fail "it was killed too late"

"$pgo" fetch s3://profiles/queryd -o bundle > out 2>&1
# 16 transfers at once may have been cut.
total=$(asked | wc -l)
[ "$total" -ge 1000 ] && [ "$total" -le 1016 ] || fail "both asked for $total objects"
[ "$(asked | sort -u | wc -l)" = 1000 ]
[ "$(python3 -c 'import json; print(len(json.load(open("bundle/bundle.json"))["members"]))')" = 1000 ]
ls profiles | while read -r name; do sha256sum < "profiles/$name"; done | sort > stored
find bundle -type f ! -name bundle.json -exec sha256sum {} + | sed 's/ .*/  -/' | sort > fetched
cmp stored fetched

# The third asks for nothing.
"$pgo" fetch s3://profiles/queryd -o again > out 2>&1
[ "$(asked | wc -l)" = "$total" ]
stop_servers
