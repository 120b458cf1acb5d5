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

# What the registry has lost is pushed again, and the pin stays.
cp pgo.lock before.lock
for lost in "$(blob "$digest")" registry "$(blob "$(locked llvm digest)")"; do
  rm -r "$lost"
  part=
  [[ "$lost" != *"$(locked llvm digest | cut -c 8-)" ]] || part="queryd.prof of "
  refresh 0
  says "queryd: pushed $digest again, because the registry had lost it; it stays pinned" text
  says "pgo: warning: queryd: oci-dir:registry: does not have ${part}the pinned version $digest any more; pgo makes it again" log
  [ -f "$lost" ] || [ -d "$lost" ] || fail "$lost is not there again"
  cmp pgo.lock before.lock
  refresh 0
  says "queryd: nothing new: the profiles and builds are those of $digest" text
  expect "warnings" "" "$(cat log)"
done
rm before.lock

# Recordings of another hour are new, but all shares are the same: each host is recorded as before.
record_host 2026-11-26T12 web-1 31
record_host 2026-11-26T12 web-2 37
record_host 2026-11-26T12 web-3 41
refresh 0
says 'queryd: no change needed: the new profile overlaps by ' text
expect "pinned" "$digest" "$(locked - manifest)"

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
