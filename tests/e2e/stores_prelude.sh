# Sourced by tests of stores of profiles, after servers_prelude.sh. The stand-ins of stand_ins/ are written from the
# documents of the stores, not from pgo, and share nothing with it; the real servers are used where they are on PATH.
#
#   start_stand_in KIND OPTION...    sets `store` to "127.0.0.1:PORT"; its requests are lines of JSON in requests.log
#   end_stand_in
#   fleet [OPTION...]                profiles of two hosts, two hours and two services, by load.json; the options are for
#                                    those of web-1: made_pprof.py
#   fetch STATUS ARGUMENT...         into ./bundle, with nothing in the cache; what it prints is in ./said
#   fetches_all KIND                 are these the four profiles of the service queryd?
#   members                          what bundle/bundle.json has: object, host, samples and builds of each member
#   breaks_when_fields_change KIND COMMAND FIELD...    COMMAND must fail with a stand-in that has another number for FIELD

stand_ins=$here/stand_ins
export PRODPGO_CACHE=$work/cache PYTHONDONTWRITEBYTECODE=1
start_stand_in() {
  local kind=$1 port
  shift
  port=$(free_port)
  : > requests.log
  start_server "$kind" 143 "http://127.0.0.1:$port/ready" \
    python3 "$stand_ins/$kind.py" "$port" requests.log "$@"
  store=127.0.0.1:$port
}
end_stand_in() { stop_servers; }

fleet() {
  python3 "$stand_ins/made_pprof.py" --count 100 "$@" web-1.pb
  python3 "$stand_ins/made_pprof.py" --count 100 "$@" --samples 19 web-1.later.pb
  python3 "$stand_ins/made_pprof.py" --count 40 web-2.pb
  python3 "$stand_ins/made_pprof.py" --count 40 --samples 19 web-2.later.pb
  python3 - << 'END'
import calendar, json
begin = calendar.timegm((2026, 11, 26, 13, 0, 0))
load = []
for host in ("web-1", "web-2"):
    for hour in (0, 1):
        for minute in (5, 25):
            labels = {"__name__": "process_cpu", "service_name": "queryd", "host": host, "version": "1.42", "thread": f"t{minute}"}
            # The later ones are at a part of a second.
            time = begin + 3600 * hour + 60 * minute + (minute == 25) / 2
            load.append({"labels": labels, "time": time, "pprof": f"{host}{'.later' * (minute == 25)}.pb"})
load.append({"labels": {"__name__": "process_cpu", "service_name": "other", "host": "db-1"}, "time": begin, "pprof": "web-1.pb"})
json.dump(load, open("load.json", "w"))
END
}
window=(--from 2026-11-26T13:00:00Z --to 2026-11-26T15:00:00Z)

members() {
  python3 - << 'END'
import json
members = json.load(open("bundle/bundle.json"))["members"]
for m in sorted(members, key=lambda m: m["object"]):
    print(m["object"], m["labels"].get("service"), m["labels"].get("host"), m["labels"].get("version"), m["samples"],
          *[build[:8] for build in m["builds"]], m["window"]["from"])
END
}

fetch() {
  local wanted=$1 status=0
  rm -rf bundle cache
  "$pgo" fetch --tries 2 "${window[@]}" -o bundle "${@:2}" > said 2>&1 || status=$?
  [ $status = "$wanted" ] || { echo "exit code $status of fetch ${*:2}: $(cat said)" >&2; return 1; }
}
all_members='2026-11-26T13:00:00Z/host=web-1,service_name=queryd,version=1.42.pb.gz queryd web-1 1.42 337 11223344 2026-11-26T13:00:00Z
2026-11-26T13:00:00Z/host=web-2,service_name=queryd,version=1.42.pb.gz queryd web-2 1.42 217 11223344 2026-11-26T13:00:00Z
2026-11-26T14:00:00Z/host=web-1,service_name=queryd,version=1.42.pb.gz queryd web-1 1.42 337 11223344 2026-11-26T14:00:00Z
2026-11-26T14:00:00Z/host=web-2,service_name=queryd,version=1.42.pb.gz queryd web-2 1.42 217 11223344 2026-11-26T14:00:00Z'
fetches_all() {
  fetch 0 --service queryd "$1+http://$store" || return 1
  [ "$(members)" = "$all_members" ]
}
# Of Parca, each profile of a host by itself.
of_samples=process_cpu:samples:count:cpu:nanoseconds:delta of_time=process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta
fetches_single() { # TYPE
  fetch 0 --label host=web-1 "parca+http://$store?profiles=single&type=$1" || return 1
  [ "$(members | wc -l)" = 4 ] || return 1
  [ "$(members | cut -d ' ' -f 1,5,7 | head -2)" = \
"2026-11-26T13:05:00Z/host=web-1,service_name=queryd,thread=t5,version=1.42.pb.gz 170 2026-11-26T13:05:00Z
2026-11-26T13:25:00Z/host=web-1,service_name=queryd,thread=t25,version=1.42.pb.gz 167 2026-11-26T13:25:00Z" ]
}

# back URL: fetches what is there of the last hour; prints labels, samples and builds.
back() {
  rm -rf bundle cache
  "$pgo" fetch --tries 1 --last 1h --service queryd "$1" -o bundle > said 2>&1 || fail "$(cat said)"
  ! grep -q 'no addresses\|without a build ID' said || fail "something is lost: $(cat said)"
  members | cut -d ' ' -f 2-6
}
# Does named.pb, of today, come back from a store of this kind as it was?
pushes() {
  "$pgo" upload --tries 1 named.pb "$1+http://$store" --label service=queryd --label host=web-1 --label version=1.42 || return 1
  [ "$(back "$1+http://$store")" = "queryd web-1 1.42 170 11223344" ]
}

# asked METHOD: how often.
asked() { grep -c "/$1\"" requests.log || :; }

expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

breaks_when_fields_change() {
  local kind=$1 command=$2 field unnoticed=
  shift 2
  for field; do
    start_stand_in "$kind" --load load.json --change "$field=13"
    # shellcheck disable=SC2086  # a command and its argument
    if $command > changed.log 2>&1; then unnoticed="$unnoticed $field"; fi
    end_stand_in
  done
  [ -z "$unnoticed" ] || fail "$command does not notice another number for$unnoticed"
}
