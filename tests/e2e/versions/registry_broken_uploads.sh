# Uploads that break off: in the middle of a part, with its answer lost, with the registry killed and started again.
# Debian's registry goes on with none of these, so they begin again; what is there in the end is what was pushed.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
start_registry
start_proxy
large_profile large.proftext

# push_broken NAME PATTERN PLACE FILE: pushes it while the first request like PATTERN is broken off there.
push_broken() {
  break_at "$2" "$3"
  "$pgo" push "$4" "oci://$proxy/team/server:$1" > push.out 2> log &
  local pid=$!
  wait_for_break
  [ "$1" != killed ] || { kill_registry; restart_registry; }
  touch go
  wait $pid || fail "$1: $(cat log)"
  rm -rf out
  "$pgo" pull "oci://$registry/team/server:$1" -o out > pull.out 2> log
  cmp "out/$(basename "$4")" "$4"
}

second='^PATCH .*Content-Range: 16777216-'
push_broken part "$second" body large.proftext
echo 'one_more:110:10
 1: 10' >> large.proftext
push_broken killed "$second" body large.proftext
profile small.proftext 101
push_broken first_bytes '^POST ' answer small.proftext
profile small.proftext 102
push_broken whole '^PUT .*/blobs/' body small.proftext
profile small.proftext 103
push_broken stored '^PUT .*/blobs/' answer small.proftext
profile small.proftext 104
push_broken manifest '^PUT .*/manifests/' answer small.proftext
stop_servers
