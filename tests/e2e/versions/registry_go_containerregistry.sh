# A registry that lists referrers without telling that it has taken one, gives them the type of their config, and cuts
# lists of tags without saying where they go on: the one of go-containerregistry.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
start_go_containerregistry
place=oci://$registry/team/server
digest=$(push week-48 100)
note=$(add_referrer profiles "$digest" "measured twice")
other=$(add_referrer profiles "$digest" "measured once more")
"$pgo" copy oci-dir:profiles:week-48 "$place" > copy.out 2> log
expect "versions" "$digest week-48" "$(versions "$place")"

# It lists them itself, so there is no index with a tag.
curl -s -f "http://$registry/v2/team/server/referrers/$digest" > referrers.json
grep -q "$note" referrers.json && grep -q "$other" referrers.json || fail "referrers: $(cat referrers.json)"
expect "tags" '{"name":"team/server","tags":["week-48"]}' "$(curl -s -f "http://$registry/v2/team/server/tags/list")"

"$pgo" copy "$place:week-48" oci-dir:back > copy.out 2> log
check_layout back
for one in "$digest" "$note" "$other"; do
  cmp "profiles/blobs/sha256/${one#sha256:}" "back/blobs/sha256/${one#sha256:}"
done

# All tags: it would cut a list at the number that it is asked for, and say nothing of the rest.
put_tags profiles "$digest" 1050
expect "number of tags" 1051 "$(versions "$place" | wc -w | awk '{ print $1 - 1 }')"

# A profile in parts, pinned and pulled.
large_profile large.proftext
"$pgo" push large.proftext "$place:large" > push.out 2> log
"$pgo" pin server "$place:large" > pin.out
"$pgo" pull --locked -o out > pull.out 2> log
cmp out/large.proftext large.proftext

check_signatures "oci://$registry/team"
refuses "oci://$registry/team/none: there is no such repository: the server answered 404 (Not Found): NAME_UNKNOWN: \
Unknown name; check its name; 'pgo push' makes a repository" list "oci://$registry/team/none"
stop_servers
