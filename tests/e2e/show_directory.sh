# A directory: what is in it, told by contents, and what of it a conversion would read.
. "$(dirname "$0")/prelude.sh"

mkdir -p all/deeper
printf 'event name=cycles type=ip,tid,time\n' | recording_from_text all/deeper/host.data
echo 'B 10 20 1 0' > all/traces
printf 'main:1:1\n' > all/a.proftext
echo 'Dear profile,' > all/letter
echo '{"a": 1}' > all/other.json
printf 'main;work 3\n' > all/stacks.folded
"$pgo" merge all/stacks.folded -o all/stacks.pb.gz 2> merge.log

"$pgo" show all > shown
pprof_size=$(stat -c %s all/stacks.pb.gz)
size=$(stat -c %s all/deeper/host.data)
cat > expected <<END
all: directory of 7 files; pgo convert reads 3 of them

  FILE                  KIND                        SIZE
  all/a.proftext        LLVM sample profile      9 bytes
  all/deeper/host.data  recording              $size bytes
  all/letter            not known               14 bytes
  all/other.json        not known                9 bytes
  all/stacks.folded     profile of stacks       12 bytes
  all/stacks.pb.gz      profile of stacks       $pprof_size bytes
  all/traces            pre-aggregated traces   12 bytes
END
diff expected shown

"$pgo" show all --top 2 > shown
grep -qx '  and 5 more (--top)' shown
"$pgo" show all --json > shown
python3 -c '
import json
shown = json.load(open("shown"))
assert shown["format"] == "directory" and shown["readable"] == 3, shown
assert [file["kind"] for file in shown["files"]].count("not known") == 2, shown'
