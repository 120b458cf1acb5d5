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
again="push or archive the same files again"
refuses "$blob: is damaged: its digest should be $file, and is $bad; $again" pull oci-dir:profiles:week-48
refuses "$blob: is damaged: its digest should be $file, and is $bad; $again" copy oci-dir:profiles:week-48 oci-dir:copy
[ ! -e "cache/blobs/sha256/${file#sha256:}" ] || fail "the damaged blob is in the cache"
# Pushing it again repairs it.
expect "digest" "$digest" "$(push week-48 100)"
expect "the message" "pgo: oci-dir:profiles:week-48: this version was damaged and is repaired; 1 file with 28 bytes was \
written again" "$(cat log)"
cmp "$blob" good
"$pgo" pin server oci-dir:profiles:week-48 > text
"$pgo" pull --locked > text 2> log

# In the cache: fetched again from the registry, or the registry is asked for.
cached=cache/blobs/sha256/${file#sha256:}
expect "path in the cache" "$file  $work/$cached" "$(cat text)"
flip "$cached"
"$pgo" pull --locked > text 2> log
expect "the message" "pgo: 1 file, 0 of them from the cache; 28 bytes fetched" "$(cat log)"
cmp "$cached" good
flip "$cached"
mv profiles away
refuses "$work/$cached: is damaged, and cannot be fetched again: profiles: there is no such directory; \
check the path; 'pgo push' makes a new one" pull --locked
cp good "$cached"
"$pgo" pull --locked > text 2> log
mv away profiles

# The manifest.
manifest=profiles/blobs/sha256/${digest#sha256:}
flip "$manifest"
bad=sha256:$(sha256sum < "$manifest" | cut -d' ' -f1)
damage="$manifest: is damaged: its digest should be $digest, and is $bad"
for command in "pull oci-dir:profiles:week-48" "pin server oci-dir:profiles:week-48"; do
  # shellcheck disable=SC2086  # the words of a command
  refuses "$damage" $command
done
# The others are listed, and nothing is collected until it is known what to keep.
other=$(push week-49 200)
"$pgo" list oci-dir:profiles > text
grep -qE "^  week-49 .* $other\$" text || fail "$(cat text)"
grep -qxF "week-48: cannot be read: $damage" text || fail "$(cat text)"
cp -r profiles before
refuses "$damage; nothing was removed, because it is not known which blobs it uses; push the same files again, or take it \
out of index.json" gc oci-dir:profiles --lock pgo.lock
diff -r before profiles
expect "pushed again" "$digest" "$(push week-48 100)"
check_layout profiles
"$pgo" gc oci-dir:profiles --lock pgo.lock > text
"$pgo" pull oci-dir:profiles:week-48 > text 2> log

# A manifest that is whole, with a figure that no pgo reads: a push refuses it, a list shows it, and gc keeps it.
cat > report.json << END
{"evidence": "branch-records", "density": 2000000000000, "samples": {}, "branches": {},
 "outputs": [{"digest": "$file", "path": "server.proftext"}]}
END
problem="the annotation dev.prodpgo.density of layer 1 (server.proftext) is not a number from 0 to 1000000000000"
refuses "oci-dir:profiles:dense: is not pushed, because pgo could not read it again: $problem; the figures are those of the \
report: convert again with --report" push pushed/server.proftext report.json oci-dir:profiles:dense
sed -i s/2000000000000/200/ report.json
sound=$("$pgo" push pushed/server.proftext report.json oci-dir:profiles:dense 2> log)
dense=$(python3 - "$sound" << 'END'
import hashlib, pathlib, sys
layout, sound = pathlib.Path("profiles"), sys.argv[1].removeprefix("sha256:")
contents = (layout / "blobs/sha256" / sound).read_bytes().replace(b'"200.0"', b'"2e12"')
dense = hashlib.sha256(contents).hexdigest()
(layout / "blobs/sha256" / dense).write_bytes(contents)
index = (layout / "index.json").read_text().replace(sound, dense)
(layout / "index.json").write_text(index)
print("sha256:" + dense)
END
)
reason="oci-dir:profiles@$dense: is a damaged profile: $problem"
"$pgo" list oci-dir:profiles > text
grep -qxF "dense: cannot be read: $reason" text || fail "$(cat text)"
"$pgo" list oci-dir:profiles --json | python3 -c '
import json, sys
(one,) = json.load(sys.stdin)["damaged"]
assert one == {"tags": ["dense"], "digest": sys.argv[1], "reason": sys.argv[2]}, one' "$dense" "$reason"
"$pgo" gc oci-dir:profiles --keep 0 > text 2> log
grep -qxF "pgo: warning: $dense: stays, because it cannot be read: $reason" log || fail "$(cat log)"
grep -q '; kept [0-9]* versions*, and 1 that cannot be read$' text || fail "$(cat text)"
"$pgo" list oci-dir:profiles > text
grep -qF "dense: cannot be read" text || fail "$(cat text)"
