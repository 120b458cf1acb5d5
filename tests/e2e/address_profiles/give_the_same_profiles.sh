# An address profile is as good as the recordings it was made of: from both come the same bytes, of branch
# records and of PC samples, one file or several.
. "$(dirname "$0")/../perturbed_recording.sh"
need zstd

convert() { "$pgo" convert "$@" 2> convert.log || { cat convert.log; fail "cannot convert $*"; }; }
# same_profiles NAME INPUT...: the profiles NAME.prof and NAME.preagg come from these inputs too.
same_profiles() {
  convert "${@:2}" --binary "$subject_prog" -o again.prof -o again.preagg
  same "$1.prof" again.prof
  same "$1.preagg" again.preagg
}
refused() { # TEXT ARGUMENT...
  local status=0
  "$pgo" convert "${@:2}" -o x.prof 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status: $*"
  grep -qF -- "$1" refused.log || fail "expected '$1', got $(cat refused.log)"
  [ ! -e x.prof ] || fail "an error left an output"
}

# Branch records; written beside other outputs, to a pipe, and found in a directory.
convert plain.perf --binary "$subject_prog" -o lbr.addr -o lbr.prof -o lbr.preagg --report report.json
grep -q '"path": "lbr.addr"' report.json
same_profiles lbr lbr.addr
convert plain.perf --binary "$subject_prog" -o addr:- > piped
same lbr.addr piped
"$pgo" convert - --binary "$subject_prog" -o again.prof < piped 2> /dev/null
same lbr.prof again.prof
mkdir hosts
cp piped hosts/host1
echo "no profile" > hosts/notes.txt
same_profiles lbr hosts
# What was written there before is no input.
for again in 1 2; do
  convert hosts --binary "$subject_prog" -o hosts/all.addr -o hosts/all.preagg
  same lbr.addr hosts/all.addr
  same lbr.preagg hosts/all.preagg
done
grep -q "^pgo: warning: hosts/all.addr: is an output of this command and was not read" convert.log ||
  { cat convert.log; fail "does not say what it passes over"; }
rm hosts/all.*
# Events are named as those of recordings are.
event=$("$pgo" show lbr.addr --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["events"][0]["name"])')
convert lbr.addr --binary "$subject_prog" --event "${event%%:*}" -o again.addr
same lbr.addr again.addr
zstd -qdc lbr.addr > plain.message
same_profiles lbr plain.message
[ "$(stat -c %s lbr.addr)" -lt "$(($(stat -c %s plain.perf) / 10))" ] || fail "lbr.addr is large"

# Several inputs add up, whatever they are.
convert plain.perf plain.perf --binary "$subject_prog" -o twice.addr -o twice.prof -o twice.preagg
cp lbr.addr other.addr
same_profiles twice lbr.addr other.addr
same_profiles twice lbr.addr plain.perf
same_profiles twice twice.addr
convert lbr.addr other.addr --binary "$subject_prog" -o again.addr
same twice.addr again.addr

# PC samples stay as they were sampled: what they say together is more than the sum of what each says.
for host in 1 2; do
  record_by_clock $host.data "$subject_prog" 8000
  convert $host.data --binary "$subject_prog" -o $host.addr --json > $host.json
  grep -q '"evidence": "pc-samples"' $host.json || fail "$host.json: other evidence"
  grep -q " samples: [0-9.]* % used" convert.log || { cat convert.log; fail "calls its samples unused"; }
done
convert 1.data 2.data --binary "$subject_prog" -o clock.addr -o clock.prof -o clock.preagg
same_profiles clock clock.addr
same_profiles clock 2.addr 1.addr
same_profiles clock 1.addr 2.data
"$pgo" convert lbr.addr clock.addr --binary "$subject_prog" -o again.prof 2> convert.log
same lbr.prof again.prof
grep -q "^pgo: warning: clock.addr: is not used: [0-9 ]* samples have no branch records" convert.log ||
  { cat convert.log; fail "does not name what it leaves out"; }

# What is in it.
"$pgo" show lbr.addr > shown
for text in "^lbr.addr: address profile, " "^  event  *" "branch records used" "^ *100.0 %.* $build_id  "; do
  grep -q "$text" shown || { cat shown; fail "shows no '$text'"; }
done
"$pgo" show clock.addr --json > shown.json
python3 - "$build_id" << 'PY'
import json, sys
shown = json.load(open("shown.json"))
build = shown["builds"][0]
assert shown["format"] == "addr" and build["build_id"] == sys.argv[1], shown
assert build["traces"] == 0 and build["addresses"] > 0 and build["count"] > 0, build
assert shown["samples"]["seen"] == shown["samples"]["used"] + sum(shown["samples"]["dropped"].values())
assert len(shown["events"]) == 1 and shown["events"][0]["samples"] == shown["samples"]["seen"], shown
PY

# Another build, and another binary. (Without build IDs in the recording, their names tell.)
other_id=00112233445566778899aabbccddeeff00112233
mkdir older
python3 - "$subject_prog" "$build_id" $other_id << 'PY'
import sys
program, mine, other = sys.argv[1:]
bytes = open(program, "rb").read()
assert bytes.count(bytes.fromhex(mine)) == 1
for copy in "other", "older/prog":
    open(copy, "wb").write(bytes.replace(bytes.fromhex(mine), bytes.fromhex(other)))
PY
for copy in other older/prog; do
  sed "s|path=$subject_prog|path=$PWD/$copy|" plain.txt | recording_from_text $copy.perf
  convert $copy.perf --binary $copy -o $copy.addr
  refused "$copy  $other_id" $copy.addr --binary "$subject_prog"
done
refused "; another binary ran. Wanted:" other.addr --binary "$subject_prog"
refused "; the recording is of another build. Wanted:" older/prog.addr --binary "$subject_prog"

# Of two binaries one is as good as if it had been alone; what is left out is accounted for.
convert plain.perf other.perf --binary "$subject_prog" --binary other -o both.addr
same_profiles lbr both.addr
"$pgo" convert both.addr --binary "$subject_prog" -o again.prof --json > both.json 2> /dev/null
python3 - << 'PY'
import json
one, both = json.load(open("report.json"))["branches"], json.load(open("both.json"))["branches"]
assert both["used"] == one["used"] and both["seen"] == 2 * one["seen"], (one, both)
assert both["dropped"]["other-binary"] == 2 * one["dropped"]["other-binary"] + one["used"], (one, both)
PY

# What only recordings can answer, and what is damaged.
refused "lbr.addr: is an address profile, to which --pid does not apply; use the option when you convert the recordings to address profiles" \
  lbr.addr --binary "$subject_prog" --pid 1
refused "lbr.addr: counts event '" lbr.addr --binary "$subject_prog" --event nosuch
refused "lbr.addr: is an address profile, and --compat=llvm-profgen counts as llvm-profgen does, which reads recordings only" \
  lbr.addr --binary "$subject_prog" --compat=llvm-profgen
refused "llvm-profgen reads recordings (perf.data), and lbr.addr is not one; 'pgo show' says what it is" lbr.addr --binary "$subject_prog" --with llvm-profgen
head -c 100 lbr.addr > cut.addr
refused "cut.addr: zstd data is cut short" cut.addr --binary "$subject_prog"
