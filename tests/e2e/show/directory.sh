# A directory: what is in it, told by contents, and what of it a conversion would read.
. "$(dirname "$0")/../prelude.sh"

mkdir -p all/deeper
printf 'event name=cycles type=ip,tid,time\nsample pid=1 time=1 ip=0x10\nsample pid=1 time=2 ip=0x10\n' |
  recording_from_text all/deeper/host.data
echo 'B 10 20 1 0' > all/traces
printf 'main:1:1\n' > all/a.proftext
echo 'Dear profile,' > all/letter
echo '{"a": 1}' > all/other.json
printf 'main;work 3\n' > all/stacks.folded
"$pgo" merge all/stacks.folded -o all/stacks.pb.gz 2> merge.log

head -c -8 all/deeper/host.data > all/cut.data
head -c 50 all/deeper/host.data > all/header.data
head -c 40 all/stacks.pb.gz > all/cut.pb.gz
: > all/empty.data

"$pgo" show all --top 11 > shown
pprof_size=$(stat -c %s all/stacks.pb.gz)
size=$(stat -c %s all/deeper/host.data)
cat > expected <<END
all: directory of 11 files; pgo convert reads 4 of them

  FILE                  KIND                                 SIZE
  all/a.proftext        LLVM sample profile               9 bytes
  all/cut.data          perf.data recording, truncated  $((size - 8)) bytes
  all/cut.pb.gz         damaged                          40 bytes
  all/deeper/host.data  perf.data recording             $size bytes
  all/empty.data        empty                             0 bytes
  all/header.data       perf.data recording, damaged     50 bytes
  all/letter            not known                        14 bytes
  all/other.json        not known                         9 bytes
  all/stacks.folded     folded stacks                    12 bytes
  all/stacks.pb.gz      pprof profile                    $pprof_size bytes
  all/traces            pre-aggregated traces            12 bytes
END
diff expected shown

"$pgo" show all --top 2 > shown
grep -qx '  and 9 more (--top)' shown
"$pgo" show all --json > shown
python3 -c '
import json
shown = json.load(open("shown"))
assert shown["format"] == "directory" and shown["readable"] == 4, shown
assert [file["kind"] for file in shown["files"]].count("not known") == 4, shown
files = {file["path"]: file for file in shown["files"]}
assert files["all/cut.data"]["truncated"] and "error" not in files["all/cut.data"], shown
assert files["all/header.data"]["error"] == "all/header.data: the header is cut short: 104 bytes expected, found 50", shown'
