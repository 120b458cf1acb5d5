# What Parca lists says which profiles there are, and how many samples these have: profiles with and without a duration, several
# within a second, of several periods; servers that are busy, or answer less than they list.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
made() { python3 "$stand_ins/made_pprof.py" "$@"; }
# load SECONDS:FILE...: of the host web-1, so long after 13:00.
load() {
  python3 - "$@" << 'END'
import calendar, json, sys
begin = calendar.timegm((2026, 11, 26, 13, 0, 0))
labels = {"__name__": "process_cpu", "service_name": "queryd", "host": "web-1"}
json.dump([{"labels": labels, "time": begin + float(time), "pprof": file}
           for time, file in (one.split(":") for one in sys.argv[1:])], open("load.json", "w"))
END
}
samples() { members | cut -d ' ' -f 1,5; }

made a.pb
made --duration 0 now.pb
made --samples 19 a.later.pb
made --samples 19 --duration 0 now.later.pb
made --samples 0 --count 12 even.pb
made --period 4000000 --count 41 fast.pb

# Two profiles within a second.
for file in a now; do
  load "300:$file.pb" "300.5:$file.later.pb" "301.5:$file.pb" "900:$file.pb"
  start_stand_in parca --load load.json
  if [ $file = a ]; then
    fetch 0 --service queryd "parca+http://$store"
    expect "an hour" "2026-11-26T13:00:00Z/host=web-1,service_name=queryd.pb.gz 677" "$(samples)"
  fi
  type=$of_time
  [ $file = a ] || type=${type%:delta}
  for type in "${type/:cpu:nanoseconds/:samples:count}" "$type"; do
    fetch 0 --service queryd "parca+http://$store?profiles=single&type=$type"
    expect "seconds of $file, $type" "2026-11-26T13:05:00Z/host=web-1,service_name=queryd.pb.gz 337
2026-11-26T13:05:01Z/host=web-1,service_name=queryd.pb.gz 170
2026-11-26T13:15:00Z/host=web-1,service_name=queryd.pb.gz 170" "$(samples)"
  done
  end_stand_in
done

# Of profiles without a duration, Parca lists one for each step. One more of the hour is noticed all the same.
load 300:now.pb 900:now.pb
start_stand_in parca --load load.json
first=$store
fetch 0 --service queryd "parca+http://$store"
end_stand_in
load 300:now.pb 900:now.pb 1500:now.pb
python3 "$stand_ins/parca.py" "${first#*:}" requests.log --load load.json > again.log 2>&1 &
again=$!
for ((tries = 0; tries < 100; tries++)); do ! curl -s -o answer "http://$first/" || break; sleep .1; done
"$pgo" fetch "${window[@]}" --service queryd "parca+http://$first" -o bundle > said 2>&1 || fail "$(cat said)"
expect "samples with those of the third profile" 510 "$(members | cut -d ' ' -f 5)"
kill $again

# All counts are even: their greatest common divisor is no period, and the number that is listed tells it.
load 300:even.pb
start_stand_in parca --load load.json
fetch 0 --service queryd "parca+http://$store"
expect "samples of a thin profile" 12 "$(members | cut -d ' ' -f 5)"
end_stand_in

# Two rates in an hour.
load 300:a.pb 900:fast.pb
start_stand_in parca --load load.json
fetch 0 --service queryd "parca+http://$store"
expect "samples of two rates" 281 "$(members | cut -d ' ' -f 5)"
grep -qF "warning: parca+http://$store: 2026-11-26T13:00:00Z/host=web-1,service_name=queryd.pb.gz: Parca has merged profiles of several \
sampling periods; its 281 samples count by their mean, 7 629 893 nanoseconds" said || fail "$(cat said)"
end_stand_in

# A server that is starting is asked again; a window that is too much for it, in halves. Some servers, and proxies before
# them, say so in the body.
load 300:a.pb 2400:a.pb
for said_in in "" --frames; do
  start_stand_in parca --load load.json --unavailable 1 --limit 1000 $said_in
  fetch 0 --service queryd "parca+http://$store"
  expect "samples in parts" 340 "$(members | cut -d ' ' -f 5)"
  end_stand_in
done
start_stand_in parca --load load.json --unavailable 9
fetch 2 --service queryd "parca+http://$store"
grep -qF "parca+http://$store: the server answered UNAVAILABLE: the server is starting; try again later" said || fail "$(cat said)"
expect "tries" 2 "$(wc -l < requests.log)"
end_stand_in
start_stand_in parca --load load.json --limit 30
fetch 2 --service queryd "parca+http://$store"
grep -qF "parca+http://$store: the server answered RESOURCE_EXHAUSTED: the query needs too much memory" said || fail "$(cat said)"
end_stand_in

# It lists more than it answers.
start_stand_in parca --load load.json --forgets
fetch 2 --service queryd "parca+http://$store"
grep -qF "the server lists profiles there that count 340, and answers without samples" said || fail "$(cat said)"
end_stand_in
