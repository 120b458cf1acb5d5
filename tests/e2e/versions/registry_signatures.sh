# Signatures in a registry that lists no referrers, docker-registry: what was changed there is refused, and an unknown
# repository is an error.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
start_registry
check_signatures "oci://$registry/team"
place=oci://$registry/team/signed

# A signature that was changed where the registry keeps it.
digest=$("$pgo" push signed/server.proftext "$place:v1" 2> log)
grep -rl --include=data '^untrusted comment' registry > signatures
expect "signatures" 2 "$(wc -l < signatures)"
xargs sed -i 's/prodpgo version/ProdPGO version/' < signatures
status=0
"$pgo" pull "$place:v1" --verify release.pub -o changed > text 2> log || status=$?
expect "exit code" 2 $status
grep -qE "^pgo: error: $place: the blob sha256:[0-9a-f]{64}: is damaged: .*; --verify requires a signature of $digest by the key \
$(id release)\$" log || fail "$(cat log)"
[ ! -e changed ] || fail "files of a refused version were pulled"
"$pgo" list "$place" > text
grep -qw damaged text || fail "$(cat text)"

refuses "oci://$registry/team/none: there is no such repository: the server answered 404 (Not Found): NAME_UNKNOWN: \
repository name not known to registry; check its name; 'pgo push' makes a repository" list "oci://$registry/team/none"
stop_servers

# Without the registry, the cache has what a pull of the lock file needs.
"$pgo" pull --locked --lock signed.lock --cache signed-cache > text 2> log || fail "$(cat log)"
grep -qx "pgo: the signature by the key $(id release) is valid" log || fail "$(cat log)"
