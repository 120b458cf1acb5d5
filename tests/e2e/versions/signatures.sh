# Versions are signed and verified as minisign does it: it accepts our signatures and we accept its own. What was
# changed, what another key signed, and what is not signed is refused, and nothing of it is pulled.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need minisign python3
layout() { python3 "$here/signed_layout.py" "$@"; }
for key in release other; do minisign -G -W -p $key.pub -s $key.key > text; done
line() { tail -1 "$1.pub"; }
id() { head -1 "$1.pub" | sed 's/.* //'; }
signed_push() { "$pgo" push pushed/server.proftext oci-dir:profiles:week-48 --sign "$1.key" 2> log; }
pull() { "$pgo" pull "oci-dir:profiles:$1" --verify "$2" -o out > text 2> log; }

# A version that is there already is signed later, by several keys, and each time with the same bytes.
digest=$(push week-48 1)
place=oci-dir:profiles@$digest
refuses "$place: is not signed, and --verify requires a signature by the key $(id release); 'pgo push' with --sign signs a version" \
  pull oci-dir:profiles:week-48 --verify release.pub -o out
expect "digest" "$digest" "$(signed_push release)"
grep -qx "pgo: oci-dir:profiles:week-48: signed by the key $(id release)" log || fail "$(cat log)"
refuses "$place: is signed by $(id release), and --verify requires a signature by the key $(id other); 'pgo push' with --sign signs a version" \
  pull oci-dir:profiles:week-48 --verify other.pub -o out
[ ! -e out ] || fail "files of a refused version were pulled"
signed_push other > text
cp -r profiles before
signed_push release > text
grep -qx "pgo: oci-dir:profiles:week-48: is already signed by the key $(id release)" log || fail "$(cat log)"
diff -r before profiles
check_layout profiles

# minisign accepts both.
layout manifest profiles week-48 > manifest
for key in release other; do
  layout take profiles "$digest" "$(line $key)" > $key.minisig
  expect "trusted comment" "prodpgo version $digest" "$(minisign -Q -V -P "$(line $key)" -m manifest -x $key.minisig)"
  pull week-48 "$(line $key)"
  cmp out/server.proftext pushed/server.proftext
done
grep -qx "pgo: the signature by the key $(id other) is valid" log || fail "$(cat log)"
expect "list" "$(printf '%s\n' "$(id release)" "$(id other)" | sort | xargs)" \
  "$("$pgo" list oci-dir:profiles --json | python3 -c '
import json, sys
print(*json.load(sys.stdin)["versions"][0]["signers"])')"
"$pgo" list oci-dir:profiles > text
grep -q 'SIGNED BY' text && grep -q "$(id release)" text || fail "$(cat text)"

# We accept minisign's, of both kinds, also beside what is damaged or of others.
for kind in '' -l; do
  rm -rf profiles
  push week-48 1 > text
  # shellcheck disable=SC2086  # no option, or one
  minisign -S $kind -s release.key -m manifest -x release.minisig -t 'any comment' > text
  sed 's/any comment/one comment/' release.minisig > changed.minisig
  changed=$(layout attach profiles "$digest" changed.minisig)
  required="--verify requires a signature of $digest by the key $(id release)"
  refuses "oci-dir:profiles@$changed: the trusted comment was changed; $required" \
    pull oci-dir:profiles:week-48 --verify release.pub
  layout attach profiles "$digest" other.minisig > text
  layout attach profiles "$digest" release.minisig > text
  pull week-48 release.pub
done

# A signature of another version, what is none, and a flipped byte.
wrong() { # FILE MESSAGE
  local found
  rm -rf profiles
  push week-48 1 > text
  found=$(layout attach profiles "$digest" "$1")
  refuses "oci-dir:profiles@$found: $2; $required" pull oci-dir:profiles:week-48 --verify release.pub
}
printf '{}' > another
minisign -S -s release.key -m another -x another.minisig > text
wrong another.minisig "is not a signature of this data by the key $(id release)"
wrong another "is not a minisign signature: it has fewer than four lines"
rm -rf profiles
push week-48 1 > text
signed_push release > text
layout damage profiles "$digest"
status=0
pull week-48 release.pub || status=$?
expect "exit code" 2 $status
grep -qE "^pgo: error: profiles/blobs/sha256/[0-9a-f]{64}: is damaged: its digest should be sha256:.*; $required$" log ||
  fail "$(cat log)"
"$pgo" list oci-dir:profiles > text
grep -qw damaged text || fail "$(cat text)"
signed_push release > text # repairs it
pull week-48 release.pub

# Copies keep signatures.
"$pgo" copy oci-dir:profiles:week-48 oci-dir:copy > text 2> log
"$pgo" pull oci-dir:copy:week-48 --verify release.pub > text 2> log

# Keys and passwords.
refuses "none.key: cannot open: No such file or directory" push pushed/server.proftext oci-dir:profiles --sign none.key
refuses "release.pub: is not a minisign secret key; minisign -G makes a pair of keys" \
  push pushed/server.proftext oci-dir:profiles --sign release.pub
refuses "release.key: is not a minisign public key; minisign -G makes a pair of keys" \
  pull oci-dir:profiles:week-48 --verify release.key
