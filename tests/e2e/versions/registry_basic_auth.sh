# A registry that wants user and password: push, list, pin, pull and copy as with a directory, and skopeo agrees.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
need skopeo
basic_auth > auth
start_registry auth
log_in "$registry"
skopeo() {
  command skopeo --insecure-policy copy "$@" > skopeo.log 2>&1 || fail "skopeo $*: $(cat skopeo.log)"
}

# Tags come back in the order that the registry has them in, which is none.
declare -A digests
for tag in week-48 v1 t10 t2 a; do
  profile "pushed/$tag/server.proftext" $((${#tag} * 100 + 7))
  digests[$tag]=$("$pgo" push "pushed/$tag/server.proftext" "oci://$registry/team/server:$tag" 2>> push.out)
done
week=${digests[week-48]}
expect "same files" "$week" "$("$pgo" push pushed/week-48/server.proftext "oci://$registry/team/server:again" 2> log)"
grep -q 'already exists' log || fail "no word of what was there: $(cat log)"
# t2 and v1, of the same length, are one version.
printf '%s\n' "$week again week-48" "${digests[a]} a" "${digests[t10]} t10" "${digests[t2]} t2 v1" | sort > expected
versions "oci://$registry/team/server" > list.out
diff expected list.out || fail "pgo list"

# A pin, and a pull of it. The second one needs no registry.
"$pgo" pin server "oci://$registry/team/server:week-48" > pin.out
"$pgo" pull --locked > pull.out 2> log
"$pgo" pull "oci://$registry/team/server@$week" -o out > pull.out 2> log
cmp out/server.proftext pushed/week-48/server.proftext
refuses "oci://$registry/team/server: has no version none; 'pgo list oci://$registry/team/server' shows those that it \
has" pull "oci://$registry/team/server:none"

# Copies keep the digest, both ways and from one repository to another.
"$pgo" copy "oci://$registry/team/server:week-48" oci-dir:copied > copy.out 2> log
"$pgo" copy oci-dir:copied:week-48 "oci://$registry/release/server:stable" > copy.out 2> log
expect "copy" "$week stable" "$(versions "oci://$registry/release/server")"

# What pgo pushed, skopeo reads; and what skopeo copied there, pgo.
skopeo --src-tls-verify=false --src-creds "$user:$password" "docker://$registry/team/server:week-48" \
  oci:by-skopeo:week-48
expect "copy of skopeo" "$week week-48" "$(versions oci-dir:by-skopeo)"
skopeo --dest-tls-verify=false --dest-creds "$user:$password" oci:by-skopeo:week-48 "docker://$registry/skopeo/server:v2"
"$pgo" pull "oci://$registry/skopeo/server:v2" -o from-skopeo > pull.out 2> log
cmp from-skopeo/server.proftext pushed/week-48/server.proftext
expect "what skopeo copied" "$week v2" "$(versions "oci://$registry/skopeo/server")"

stop_servers
"$pgo" pull --locked -o locked > pull.out 2> log
cmp locked/server.proftext pushed/week-48/server.proftext
check_no_secrets
