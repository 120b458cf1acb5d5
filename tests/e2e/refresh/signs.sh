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
tree > tree.before
refresh 0 --dry-run
refresh 2
says 'pgo: error: queryd: pgo.lock: requires a signature of queryd, and this run has no key to sign with; name it with --sign' log
tree | cmp - tree.before
expect "pinned" "$first" "$(locked - manifest)"
refresh 0 --sign release.key
[ "$(locked - manifest)" != "$first" ] || fail "nothing is pinned"
"$pgo" pull --locked > pulled 2> pull.log
says "pgo: the signature by the key $(head -1 release.pub | sed 's/.* //') is valid" pull.log

# A lost signature is pushed again from the cache; without that, only --sign makes it.
signature=$(grep -l prodpgo.signature.v1 registry/blobs/sha256/* | while read -r file; do
  if grep -q "$(locked - manifest | cut -c 8-)" "$file"; then echo "$file"; fi
done)
rm "$signature"
refresh 0
says "does not have the signature of the pinned version $(locked - manifest) any more, so builds cannot pull it; pgo has restored it \
from its cache" log
[ -f "$signature" ] || fail "the signature is not there again"
rm -r "$signature" cache
refresh 2
says "requires a signature of queryd, and this run has no key to sign with" log
refresh 0 --sign release.key
says "queryd: pushed $(locked - manifest) again" text
rm -rf cache
"$pgo" pull --locked > pulled 2> pull.log || { cat pull.log; fail "cannot pull"; }
