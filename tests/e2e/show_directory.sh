# A directory: what is in it, told by contents, and what of it a conversion would read.
. "$(dirname "$0")/prelude.sh"

mkdir -p all/deeper
printf 'event name=cycles type=ip,tid,time\n' | recording_from_text all/deeper/host.data
echo 'B 10 20 1 0' > all/traces
printf 'main:1:1\n' > all/a.proftext
echo 'Dear profile,' > all/letter
echo '{"a": 1}' > all/other.json

"$pgo" show all > shown
size=$(stat -c %s all/deeper/host.data)
cat > expected <<END
all: directory of 5 files; pgo convert reads 2 of them as recordings

  FILE                  KIND                        SIZE
  all/a.proftext        LLVM sample profile      9 bytes
  all/deeper/host.data  recording              $size bytes
  all/letter            not known               14 bytes
  all/other.json        not known                9 bytes
  all/traces            pre-aggregated traces   12 bytes
END
diff expected shown

"$pgo" show all --top 2 > shown
grep -qx '  and 3 more (--top)' shown
"$pgo" show all --json > shown
python3 -c '
import json
shown = json.load(open("shown"))
assert shown["format"] == "directory" and shown["readable"] == 2, shown
assert [file["kind"] for file in shown["files"]].count("not known") == 2, shown'
