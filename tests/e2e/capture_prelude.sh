# Sourced by tests of `pgo record --for`, after prelude.sh: a service that perf records by the clock.
#
#   start_service NAME [COPIES]   processes of work/NAME. Tests run side by side, also those of two checkouts: let $$ be part of NAME
#   capture ARGUMENT...           pgo record by the clock, with a spool in $work
#   start_capture ARGUMENT...     the same in the background, as `recorder`; ended by end_capture, or with the test
#   status KEY                    a count of spool/status.json
#   accounts                      every recording and profile is accounted for
#   await SECONDS COMMAND...      until the command succeeds
need perf clang-22 python3
perf record -q -e cpu-clock -o trial.data -- true > trial.log 2>&1 || skip "perf cannot record CPU time here: $(tail -n 1 trial.log)"
# Servers that were installed before stay where they are.
export PRODPGO_TEST_SERVERS=${PRODPGO_TEST_SERVERS:-${XDG_CACHE_HOME:-$HOME/.cache}/prodpgo-tests}
export HOME=$work XDG_STATE_HOME=$work/state PRODPGO_CACHE=$work/cache

cat > service.c << 'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile uint64_t sink;
__attribute__((noinline)) static uint64_t busy_loop(uint64_t x) {
  for (int i = 0; i < 20000; i++) x = x * 6364136223846793005u + (x >> 33 ^ (uint64_t)i);
  return x;
}
__attribute__((noinline)) static uint64_t rare_loop(uint64_t x) {
  for (int i = 0; i < 100; i++) x ^= x << 7;
  return x;
}
// With a number it ends after so many turns.
int main(int count, char** arguments) {
  uint64_t turns = count > 1 ? strtoull(arguments[1], 0, 10) : UINT64_MAX;
  for (uint64_t turn = 0; turn < turns; turn++) sink = rare_loop(busy_loop(sink + turn));
  printf("%llu\n", (unsigned long long)sink);
}
END

service_pids=()
start_service() { # NAME [COPIES]
  local copy
  clang-22 -O1 -g -fuse-ld=lld -Wl,--build-id service.c -o "$1"
  for ((copy = 0; copy < ${2-1}; copy++)); do
    "./$1" > /dev/null 2>&1 &
    service_pids+=($!)
    disown  # the shell says nothing when it is killed
  done
}
stop_services() {
  for pid in "${service_pids[@]}"; do kill -KILL "$pid" 2> /dev/null || :; done
  service_pids=()
}
recorder=
trap 'stop_services; [ -z "$recorder" ] || kill -KILL $recorder 2> /dev/null || :' EXIT

capture() { "$pgo" record --engine clock --period "$(period 1000003)" --spool "${spool-spool}" "$@"; }
start_capture() { # LOG ARGUMENT...
  # A shell ignores SIGINT for what it starts in the background.
  env --default-signal=INT "$pgo" record --engine clock --period "$(period 1000003)" --spool spool "${@:2}" 2> "$1" &
  recorder=$!
}
end_capture() { # SIGNAL: it ends in good order
  local status=0 child children
  children=$(pgrep -P $recorder) || :  # perf, if a recording is under way
  kill -s "$1" $recorder
  wait $recorder || status=$?
  recorder=
  [ $status = 0 ] || fail "pgo record ended with $status after SIG$1"
  for child in $children; do ! kill -0 "$child" 2> /dev/null || fail "perf is left"; done
}
status() { python3 -c 'import json, sys; print(json.load(open("spool/status.json"))[sys.argv[1]])' "$1"; }
accounts() {
  python3 - << 'END'
import json
c = json.load(open("spool/status.json"))
ends = sum(c["recordings_" + end] for end in ("kept", "without_samples", "failed", "interrupted"))
assert c["under_way"] == 0 and c["recordings_begun"] == ends, c
assert c["profiles_made"] == c["profiles_stored"] + c["profiles_dropped"] + c["waiting"], c
END
}
await() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@" > /dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "waited in vain for: $*"
    sleep .1
  done
}
# The number of profiles in a directory.
profiles_in() { find "$1" -name '*.addr' 2> /dev/null | wc -l; }
has_profiles() { [ "$(profiles_in "$1")" -ge "$2" ]; }

# A bucket in S3 behind a proxy that comes and goes: the store is away while it is not there. After servers_prelude.sh.
start_bucket() { # NAME
  start_moto
  s3_make "$1"
  moto_port=${AWS_ENDPOINT_URL##*:}
  proxy_port=$(free_port)
  export AWS_ENDPOINT_URL=http://127.0.0.1:$proxy_port
}
proxy_pid=
bucket_comes() {
  python3 "$here/breaking_proxy.py" "$proxy_port" "$moto_port" > proxy.log 2>&1 &
  proxy_pid=$!
  await 20 curl -s -m 5 -o answer "$AWS_ENDPOINT_URL/"
}
bucket_goes() {
  kill -KILL "$proxy_pid"
  wait "$proxy_pid" 2> /dev/null || :
}
keys_in() { # BUCKET: past the proxy
  AWS_ENDPOINT_URL=http://127.0.0.1:$moto_port s3_python "$1" << 'END'
import sys
for page in s3.get_paginator("list_objects_v2").paginate(Bucket=sys.argv[1]):
    for entry in page.get("Contents", []):
        print(entry["Key"])
END
}
