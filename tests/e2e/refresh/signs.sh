# pgo refresh --sign signs what it pins; where the lock file requires a key, nothing unsigned is pinned.
. "$(dirname "$0")/../prelude.sh"
need minisign
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"
minisign -G -W -p release.pub -s release.key > minisign.text

refresh 0 --sign release.key
first=$(locked - manifest)
"$pgo" pin queryd "$(locked - reference)" --verify release.pub > pin.text
refresh 0
says 'queryd: nothing new' text

configure '[service.queryd.gates]' 'max-overlap = 100'
record_host 2026-11-26T12 web-3 29
refresh 2
key=$(head -1 release.pub | sed 's/.* //')
grep -Eq "^pgo: error: queryd: oci-dir:registry@sha256:[0-9a-f]{64}: is not signed, and pgo.lock requires a signature by the key $key; 'pgo push' with --sign signs a version$" log ||
  { cat log; fail "does not name the key"; }
expect "pinned" "$first" "$(locked - manifest)"
refresh 0 --sign release.key
[ "$(locked - manifest)" != "$first" ] || fail "nothing is pinned"
"$pgo" pull --locked > pulled 2> pull.log
says "pgo: the signature by the key $key is valid" pull.log
