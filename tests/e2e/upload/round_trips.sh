# What pgo upload sends to Parca and Pyroscope, pgo fetch gets back with all its samples: recordings by events with modifiers, by a
# clock, and without a period; address profiles; folded stacks.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
need clang-22 llvm-readelf-22

echo 'int work(int n) { volatile int i = n; while (--i) {} return i; } int main() { return work(1000000); }' > prog.c
clang-22 -O1 -Wl,--build-id prog.c -o prog
build_id=$(llvm-readelf-22 -n prog | sed -n 's/ *Build ID: //p')
read -r address offset size <<< "$(llvm-readelf-22 -SW prog | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) \([0-9a-f]*\).*/0x\1 0x\2 0x\3/p')"
entry=0x$(llvm-nm-22 prog | sed -n 's/ T work$//p')
# recording EVENT PERIODS: one sample for each period, in work().
recording() {
  local period time=10
  echo "event $1 type=ip,tid,time,period flags=sample_id_all${3-}"
  echo "mmap2 pid=7 time=2 addr=$((0x10000000 + offset)) len=$((size + 4096)) pgoff=$((offset)) build_id=$build_id path=$work/prog"
  for period in $2; do
    echo "sample pid=7 time=$((time++)) ip=$((0x10000000 + entry - address + offset)) period=$period"
  done
}
recording "name=cycles:u config=0 period=1000003" "1000003 1000003 1000003" | recording_from_text cycles.data
recording "name=cpu-clock software=1 config=0 period=4000000" "4000000 4000000 4000000" | recording_from_text clock.data
recording "name=cycles:Pu config=0 period=99" "1000003 900001 800011" ,frequency | recording_from_text frequency.data
for name in cycles clock frequency; do
  "$pgo" convert $name.data --binary prog -o $name.addr > convert.log 2>&1 || fail "$(cat convert.log)"
done
printf 'main;work 2\nmain 1\n' > stacks.folded

# What is known of a file comes back: its three samples, and the build ID. Of folded stacks there is none.
for kind in parca pyroscope; do
  for file in cycles.data clock.data frequency.data cycles.addr clock.addr frequency.addr stacks.folded; do
    start_stand_in $kind
    "$pgo" upload --tries 1 $file "$kind+http://$store" --label service=queryd --label host=web-1 > said 2>&1 || fail "$(cat said)"
    rm -rf bundle cache
    "$pgo" fetch --tries 1 --last 1h --service queryd "$kind+http://$store" -o bundle > said 2>&1 || fail "$kind, $file: $(cat said)"
    wanted="queryd web-1 None 3 ${build_id:0:8}"
    [ $file != stacks.folded ] || wanted="queryd web-1 None 3"
    got=$(members | cut -d ' ' -f 2-6)
    [ $file != stacks.folded ] || got=$(echo "$got" | cut -d ' ' -f 1-4)
    expect "$kind, $file" "$wanted" "$got"
    if [ $file = frequency.data ] && [ $kind = parca ]; then
      # Two recordings without a period, whose means differ.
      recording "name=cycles:Pu config=0 period=99" "500009 600011" ,frequency | recording_from_text other.data
      "$pgo" upload --tries 1 other.data "$kind+http://$store" --label service=queryd --label host=web-1 > said 2>&1 || fail "$(cat said)"
      rm -rf bundle cache
      "$pgo" fetch --tries 1 --last 1h --service queryd "$kind+http://$store" -o bundle > said 2>&1 || fail "$(cat said)"
      expect "samples of two recordings" 5 "$(members | cut -d ' ' -f 5)"
    fi
    end_stand_in
  done
done

# What a version before sent has a colon in its type: it cannot be asked for. One with another character can.
for type in cycles:u cpu-clock; do
  PYTHONPATH=$stand_ins python3 - "$type" << 'END'
import calendar, json, sys
from messages import Profile
profile = Profile()
mapping = (0x1000, 0x2000, 0, "/bin/queryd", "11223344556677889900aabbccddeeff00112233", 0)
profile.types, profile.period_type, profile.period = [("samples", "count")], (sys.argv[1], "count"), 7
profile.duration = 10**9
profile.samples = [(((mapping, 0x1010, ()),), (), [5])]
open("foreign.pb", "wb").write(profile.write())
time = calendar.timegm((2026, 11, 26, 13, 5, 0))
json.dump([{"labels": {"__name__": "process_cpu", "service_name": "queryd"}, "time": time, "pprof": "foreign.pb"}], open("load.json", "w"))
END
  start_stand_in parca --load load.json
  if [ $type = cpu-clock ]; then
    fetch 0 --service queryd "parca+http://$store"
    expect "samples of $type" 5 "$(members | cut -d ' ' -f 5)"
  else
    fetch 2 --service queryd "parca+http://$store"
    grep -qF "parca+http://$store: no profile type has time on the CPU; it has: process_cpu:samples:count:cycles:u:count:delta; a type with a \
colon in one of its parts, such as cycles:u, cannot be asked for; upload such profiles again with 'pgo upload', which leaves it out" said ||
      fail "$(cat said)"
  fi
  end_stand_in
done
