# One flipped byte, in the registry or in the cache: an error that names both digests, or the blob is fetched again.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need python3

flip() { # FILE: its last byte but one
  chmod u+w "$1"
  python3 -c '
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(-2, 2)
    byte = file.read(1)[0]
    file.seek(-2, 2)
    file.write(bytes([byte ^ 1]))' "$1"
}

digest=$(push week-48 100)
file=sha256:$(sha256sum < pushed/server.proftext | cut -d' ' -f1)
blob=profiles/blobs/sha256/${file#sha256:}
cp "$blob" good
flip "$blob"
bad=sha256:$(sha256sum < "$blob" | cut -d' ' -f1)
refuses "$blob: is damaged: its digest should be $file, and is $bad" pull oci-dir:profiles:week-48
refuses "$blob: is damaged: its digest should be $file, and is $bad" copy oci-dir:profiles:week-48 oci-dir:copy
[ ! -e "cache/blobs/sha256/${file#sha256:}" ] || fail "the damaged blob is in the cache"
# Pushing it again repairs it.
expect "digest" "$digest" "$(push week-48 100)"
cmp "$blob" good
"$pgo" pin server oci-dir:profiles:week-48 > text
"$pgo" pull --locked > text 2> log

# In the cache: fetched again from the registry, or the registry is asked for.
cached=cache/blobs/sha256/${file#sha256:}
expect "path in the cache" "$file  $work/$cached" "$(cat text)"
flip "$cached"
"$pgo" pull --locked > text 2> log
expect "what is said" "pgo: 1 file, 0 of them from the cache; 28 bytes fetched" "$(cat log)"
cmp "$cached" good
flip "$cached"
mv profiles away
refuses "profiles: there is no such directory; 'pgo push' makes it" pull --locked
cp good "$cached"
"$pgo" pull --locked > text 2> log
mv away profiles

# The manifest.
manifest=profiles/blobs/sha256/${digest#sha256:}
flip "$manifest"
bad=sha256:$(sha256sum < "$manifest" | cut -d' ' -f1)
for command in "pull oci-dir:profiles:week-48" "list oci-dir:profiles" "pin server oci-dir:profiles:week-48" \
  "gc oci-dir:profiles --lock pgo.lock"; do
  # shellcheck disable=SC2086  # the words of a command
  refuses "$manifest: is damaged: its digest should be $digest, and is $bad" $command
done
