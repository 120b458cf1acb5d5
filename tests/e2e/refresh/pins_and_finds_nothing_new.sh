# pgo refresh: the first run pins the profile that pgo convert makes of the same recordings; the second finds nothing
# new, and touches no file.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"

# A dry run pushes and pins nothing.
tree > tree.before
refresh 0 --dry-run
says 'queryd: would be pinned; this is a dry run, so nothing was pushed or pinned' text
tree | cmp - tree.before

refresh 0
digest=$(locked - manifest)
says "queryd: pinned to $digest" text
says ' profiles 3 profiles of 2 hosts, ' text
# The rest is in the loader.
grep -Eq "^  builds +$build_id, 9[0-9]\.[0-9] % of the samples$" text || { cat text; fail "does not name the build"; }
grep -Eq '^ +[0-9a-f]+, [0-9]\.[0-9] % of the samples, of the system \(ld-linux-x86-64.so.2\)$' text || { cat text; fail "no file of the system"; }
says 'min-quality  good   at least fair  ok' text
expect "reference" "oci-dir:registry:2026-11-26-$(locked - inputs | cut -c 8-15)" "$(locked - reference)"
expect "source" dir:store "$(locked - source)"
"$pgo" convert store --binary unstripped -o llvm:expected.prof 2> convert.log
cmp expected.prof "$(blob "$(locked llvm digest)")"
says '# New profiles' summary.md
says '## queryd' summary.md
says '| min-quality | good | at least fair | ok |' summary.md
says '1 added' summary.md
"$pgo" pull --locked > pulled 2> pull.log

# The same: nothing is touched, also not the tag.
tree > tree.before
refresh 0 --report report.json
says "queryd: nothing new: the profiles and builds are those of $digest" text
rm report.json
tree | cmp - tree.before
# From another directory, and by JSON.
mkdir -p below
(cd below && "$pgo" refresh --json > ../report.json)
python3 - "$digest" << 'END'
import json, sys
(service,) = json.load(open("report.json"))["services"]
assert service["outcome"] == "nothing-new" and service["digest"] == sys.argv[1], service
assert service["service"] == "queryd" and service["hosts"] == 2, service
END
rm report.json
rmdir below
tree | cmp - tree.before

# What the registry has lost is pushed again, and the pin stays. The cache has the manifest and what was pulled; the version
# is made again if it does not have all.
cp pgo.lock before.lock
lost_is_back() { # LOST PART WHAT_PGO_DOES
  rm -r "$1"
  refresh 0
  says "queryd: pushed $digest again, because the registry had lost it; it stays pinned" text
  says "pgo: warning: queryd: oci-dir:registry: does not have ${2}the pinned version $digest any more, so builds cannot pull it; $3" log
  [ -f "$1" ] || [ -d "$1" ] || fail "$1 is not there again"
  cmp pgo.lock before.lock
  refresh 0
  says "queryd: nothing new: the profiles and builds are those of $digest" text
  expect "warnings" "" "$(cat log)"
}
bundle=$(python3 -c 'import json, sys
print(*[layer["digest"] for layer in json.load(open(sys.argv[1]))["layers"] if "bundle" in layer["mediaType"]])' "$(blob "$digest")")
cached='pgo has restored it from its cache'
lost_is_back "$(blob "$digest")" "" "$cached"
lost_is_back "$(blob "$(locked llvm digest)")" "queryd.prof of " "$cached"
lost_is_back "$(blob "$bundle")" "bundle.json of " "pgo makes it again"
lost_is_back registry "" "pgo makes it again"
rm before.lock

# A dry run pushes nothing.
rm "$(blob "$digest")"
tree > tree.before
refresh 0 --dry-run
says "any more, so builds cannot pull it; without --dry-run, pgo restores it from its cache" log
tree | cmp - tree.before
refresh 0

# Recordings of another hour are new, but all shares are the same: each host is recorded as before.
record_host 2026-11-26T12 web-1 31
record_host 2026-11-26T12 web-2 37
record_host 2026-11-26T12 web-3 41
refresh 0
says 'queryd: no change needed: the new profile overlaps by ' text
expect "pinned" "$digest" "$(locked - manifest)"
# Builds need the pinned version all the same.
rm "$(blob "$(locked llvm digest)")"
refresh 0
says 'queryd: no change needed: the new profile overlaps by ' text
says "$cached" log
[ -f "$(blob "$(locked llvm digest)")" ] || fail "the profile is not there again"

# With a limit that it does not reach, it is pinned. Then it is taken back, and not pinned again.
configure '[service.queryd.gates]' 'max-overlap = 100'
record_host 2026-11-26T13 web-3 29
refresh 0
says "(was $digest)" text
new=$(locked - manifest)
[ "$new" != "$digest" ] || fail "the same version"
"$pgo" pin queryd --previous > pin.text
rm "$(blob "$new")" # the lock file says what it was made from
tree > tree.before
refresh 0
says "queryd: nothing is pinned: the profiles and builds are those of $new, which was pinned and taken back" text
tree | cmp - tree.before

# The pinned version is lost, too, and these recordings cannot make it again.
rm "$(blob "$bundle")"
refresh 0
says "queryd: nothing is pinned: the profiles and builds are those of $new, which was pinned and taken back" text
says "pgo: warning: queryd: oci-dir:registry: does not have bundle.json of the pinned version $digest any more, so builds cannot \
pull it; these recordings are those of a version that was taken back, so pgo makes no new one: push its files again, or pin \
another version with 'pgo pin'" log

# With new recordings, a new version is pinned, also where its profile would be no change.
configure
record_host 2026-11-26T14 web-3 29
refresh 0
says "any more, so builds cannot pull it; pgo makes a new version, which is pinned if it passes the gates" log
says "(was $digest)" text
PRODPGO_CACHE=$work/empty "$pgo" pull --locked > pulled 2> pull.log || { cat pull.log; fail "cannot pull"; }

# Another registry: what the old one has lost is pushed to the new one, and pinned there.
refresh 0
says 'queryd: nothing new' text
rm -r registry
sed -i 's/oci-dir:registry/oci-dir:moved/' pgo.toml
refresh 0
says "pgo: warning: queryd: oci-dir:registry: does not have the pinned version" log
says "  version oci-dir:moved:" text
rm -r empty
PRODPGO_CACHE=$work/empty "$pgo" pull --locked > pulled 2> pull.log || { cat pull.log; fail "cannot pull from the new registry"; }
refresh 0
says 'queryd: nothing new' text
