# pgo archive into a registry in the network, which --binary-from reads by build ID.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/archive_prelude.sh"
. "$here/versions_prelude.sh"
. "$here/registry_prelude.sh"
record_server
start_registry
to=oci://$registry/builds/server
archive server --debug-file server.debug --to "$to:1.42"
archive server --debug-file server.debug --to "$to:1.42"
expect "the message" "pgo: $to:1.42: build $build_id: is already there" "$(cat log)"
check_binary_from "$to"
cp server changed
printf 'x' >> changed
! "$pgo" archive changed --to "$to" > text 2> log || fail "replaces what was released"
grep -F "$to:$build_id: executable (sha256:" log
# Copies keep builds findable.
"$pgo" copy "$to:$build_id" oci-dir:copy > text 2> log
check_binary_from oci-dir:copy
stop_servers
