# What refers to a version, as a signature does, is copied with it, to a registry that lists no referrers and back.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
start_registry
place=oci://$registry/team/server
digest=$(push week-48 100)
fallback_index() {
  curl -s -f "http://$registry/v2/team/server/manifests/${digest/:/-}" \
    -H 'Accept: application/vnd.oci.image.index.v1+json'
}
note=$(add_referrer profiles "$digest" "measured twice")

"$pgo" copy oci-dir:profiles:week-48 "$place" > copy.out 2> log
grep -q 'and 1 referrer$' log || fail "no word of the referrer: $(cat log)"
fallback_index > index.json
python3 - "$note" << 'END'
import json, sys
index = json.load(open("index.json"))
assert index["mediaType"] == "application/vnd.oci.image.index.v1+json", index
(entry,) = index["manifests"]
assert entry["digest"] == sys.argv[1] and entry["artifactType"] == "application/vnd.example.note.v1", index
END
# The index is no version.
expect "versions" "$digest week-48" "$(versions "$place")"

# The same once more, and another one: the index has each once.
"$pgo" copy oci-dir:profiles:week-48 "$place" > copy.out 2> log
other=$(add_referrer profiles "$digest" "measured once more")
"$pgo" copy oci-dir:profiles:week-48 "$place" > copy.out 2> log
fallback_index > index.json
expect "referrers" "$(printf '%s\n' "$note" "$other" | sort)" "$(python3 -c '
import json
for entry in json.load(open("index.json"))["manifests"]: print(entry["digest"])' | sort)"

"$pgo" copy "$place:week-48" oci-dir:back > copy.out 2> log
check_layout back
for one in "$digest" "$note" "$other"; do
  cmp "profiles/blobs/sha256/${one#sha256:}" "back/blobs/sha256/${one#sha256:}"
done
grep -q 'measured once more' back/blobs/sha256/* || fail "the layer of what refers is not there"
stop_servers
