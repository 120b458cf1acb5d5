# A lock file says who must have signed a profile: a pin checks it, and each pull does, also without the registry.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need minisign python3
for key in release other; do minisign -G -W -p $key.pub -s $key.key > text; done
line() { tail -1 "$1.pub"; }
id() { head -1 "$1.pub" | sed 's/.* //'; }
advice="'pgo push' with --sign signs a version"

one=$(push week-47 1)
"$pgo" push pushed/server.proftext oci-dir:profiles:week-47 --sign release.key > text 2> log
two=$(push week-48 2)
refuses "oci-dir:profiles@$one: is signed by $(id release), and --verify requires a signature by the key $(id other); $advice" \
  pin server oci-dir:profiles:week-47 --verify other.pub
[ ! -e pgo.lock ] || fail "a version that was refused is pinned"
"$pgo" pin server oci-dir:profiles:week-47 --verify release.pub > text
expect "signed_by" "      \"signed_by\": \"$(line release)\"" "$(grep signed_by pgo.lock)"
cp pgo.lock signed.lock
refuses "oci-dir:profiles@$two: is not signed, and pgo.lock requires a signature by the key $(id release); $advice" \
  pin server oci-dir:profiles:week-48
cmp pgo.lock signed.lock

# The first pull needs the registry, the next ones the cache. What is damaged in there does not count.
"$pgo" pull --locked > text 2> log
grep -qx "pgo: the signature by the key $(id release) is valid" log || fail "$(cat log)"
mv profiles away
"$pgo" pull --locked > text 2> log
# So do others, who may read the cache and not write to it.
chmod -R a+rX,a-w cache
chmod a+r pgo.lock
unprivileged "$pgo" pull --locked > text 2> log || { cat log; fail "cannot pull from a cache that is read-only"; }
grep -qx "pgo: the signature by the key $(id release) is valid" log || fail "$(cat log)"
unprivileged "$pgo" show pgo.lock#server > text 2> log || { cat log; fail "cannot read from a cache that is read-only"; }
chmod -R u+w cache
sed -i "s|$(line release)|$(line other)|" pgo.lock
refuses "profiles: there is no such directory; check the path; 'pgo push' makes a new one" pull --locked
mv away profiles
refuses "oci-dir:profiles@$one: is signed by $(id release), and pgo.lock requires a signature by the key $(id other); $advice" \
  pull --locked
cp signed.lock pgo.lock
chmod -R u+w cache/blobs
grep -rl 'untrusted comment' cache/blobs | xargs sed -i 's/prodpgo version/ProdPGO version/'
"$pgo" pull --locked > text 2> log
refuses "oci-dir:profiles@$one: is signed by $(id release), and --verify requires a signature by the key $(id other); $advice" \
  pull --locked --verify other.pub

# The signature is of the files, too.
sed -i 's/"path": "server.proftext"/"path": "client.proftext"/' pgo.lock
file=$(sha256sum < "$(grep -l '^main:101:' pushed/* cache/blobs/sha256/*)" | cut -d' ' -f1)
refuses "pgo.lock: client.proftext with sha256:$file is not in the version that is signed, oci-dir:profiles:week-47@$one; pin it again" \
  pull --locked
sed 's/"signed_by": "RW/"signed_by": "RX/' signed.lock > pgo.lock
refuses "pgo.lock: server: 'signed_by': is not a minisign public key; minisign -G makes a pair of keys" pull --locked

# Signed later, and back and forth.
cp signed.lock pgo.lock
profile pushed/server.proftext 2
"$pgo" push pushed/server.proftext oci-dir:profiles:week-48 --sign release.key > text 2> log
"$pgo" pin server oci-dir:profiles:week-48 > text
expect "back" "pgo.lock: server: pinned to $one (was $two)" "$("$pgo" pin server --previous)"
expect "signed_by" "      \"signed_by\": \"$(line release)\"" "$(grep '"signed_by' pgo.lock)"
