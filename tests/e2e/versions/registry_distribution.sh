# distribution 3, which has no list of referrers: many tags, and a part of an upload that breaks off.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
find_optional distribution
basic_auth > auth
registry_program=$program
start_registry auth
log_in "$registry"
place=oci://$registry/team/server
digest=$(push week-48 100)
note=$(add_referrer profiles "$digest" "measured twice")
"$pgo" copy oci-dir:profiles:week-48 "$place" > copy.out 2> log

put_tags profiles "$digest" 150
versions "$place" > list.out
expect "number of tags" 151 "$(wc -w < list.out | awk '{ print $1 - 1 }')"

"$pgo" copy "$place:week-48" oci-dir:back > copy.out 2> log
check_layout back
for one in "$digest" "$note"; do
  cmp "profiles/blobs/sha256/${one#sha256:}" "back/blobs/sha256/${one#sha256:}"
done

# A profile in parts, of which one breaks off; it goes on there.
start_proxy
log_in "$proxy"
large_profile large.proftext
before=$(wc -l < registry.log)
break_at '^PATCH .*Content-Range: 16777216-' body
touch go
"$pgo" push large.proftext "oci://$proxy/team/server:large" > push.out 2> log || fail "$(cat log)"
[ -e broken ] || fail "nothing broke off"
expect "uploads of the profile" 1 "$(tail -n +$((before + 1)) registry.log | grep -c '"POST ')"
log_in "$registry"
"$pgo" pull "$place:large" -o out > pull.out 2> log
cmp out/large.proftext large.proftext

check_signatures "oci://$registry/team"
stop_servers
check_no_secrets
