# pgo refresh that is killed at any time is run again, with the result of one run; runs at the same time wait for each
# other.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"

cp -r store builds pgo.toml "$(mkdir undisturbed && echo undisturbed)"
(cd undisturbed && PRODPGO_CACHE=$work/undisturbed/cache "$pgo" refresh > text 2> log)
wanted=$(locked - manifest undisturbed/pgo.lock)

for delay in 0.01 0.03 0.06 0.1 0.15 0.2 0.25 0.3; do
  "$pgo" refresh > killed.text 2> killed.log &
  process=$!
  sleep "$delay"
  kill -9 $process 2> /dev/null || true
  wait $process 2> /dev/null || true
done
refresh 0
expect "version after kills" "$wanted" "$(locked - manifest)"
"$pgo" list oci-dir:registry --json > list.json
python3 -c 'import json; (version,) = json.load(open("list.json"))["versions"]; assert len(version["tags"]) == 1, version'

# Two at once: one pins, the other waits, and finds nothing new.
rm -r registry pgo.lock cache
"$pgo" refresh > first.text 2> first.log &
first=$!
"$pgo" refresh > second.text 2> second.log &
second=$!
wait $first || { cat first.log; fail "the first failed"; }
wait $second || { cat second.log; fail "the second failed"; }
cat first.text second.text > both
expect "pinned once" 1 "$(grep -c '^queryd: pinned to' both)"
expect "nothing new once" 1 "$(grep -c '^queryd: nothing new' both)"
expect "version" "$wanted" "$(locked - manifest)"
left=$(find cache/refresh -type f)
expect "what is left in the workspace" "" "$left"
