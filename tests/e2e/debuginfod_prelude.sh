# Sourced by tests that ask a debuginfod server, after prelude.sh and servers_prelude.sh. The server is elfutils' own,
# which Debian has as `debuginfod`. It asks no other server, and keeps its index in memory. (It listens on all addresses of
# the machine: version 0.188 has no option for one.)
need debuginfod

# start_debuginfod NAME DIRECTORY: a server of what is below the directory, at $debuginfod_url, when it has looked at all of
# it.
start_debuginfod() {
  local name=$1 directory=$2 port files end=$((SECONDS + 60))
  files=$(find "$directory" -type f | grep -c . || :)
  [ "$files" != 0 ] || files=  # then it has no count of them
  port=$(free_port)
  debuginfod_url=http://127.0.0.1:$port
  unset DEBUGINFOD_URLS
  DEBUGINFOD_CACHE_PATH=$work/$name-cache start_server "$name" 0 "$debuginfod_url/metrics" \
    debuginfod -d :memory: -p "$port" -c 1 -t 3600 -F "$directory"
  while [ $SECONDS -lt $end ]; do
    curl -s -m 5 "$debuginfod_url/metrics" > metrics
    grep -q '^thread_work_total{role="traverse"} 1' metrics &&
      [ "$(sed -n 's/^thread_work_total{role="scan"} //p' metrics)" = "$files" ] && return
    sleep .1
  done
  cat "$name.log" metrics
  fail "debuginfod does not finish its scan of $directory"
}

# asked_for NAME: which files the server was asked for, and its status, one a line: "<build ID>/executable 200".
asked_for() { sed -n 's|.*GET /buildid/\([^ ]*\) \([0-9]*\) .*|\1 \2|p' "$1.log"; }
