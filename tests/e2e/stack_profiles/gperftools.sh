# A CPU profile of gperftools gives the very profile that a recording of the same samples gives. It has no
# build IDs: the file's name decides, or --assume-build-id, and both are said, also in the report.
. "$(dirname "$0")/../oracle.sh"
need python3

build
record_by_clock clock.data "$work/prog" 8000
"$pgo" convert clock.data --binary prog -o expected.proftext 2> /dev/null

cat > to_gperftools.py << 'PY'
import collections, re, struct, subprocess, sys
program, out, period, part, parts = sys.argv[1:3] + [int(word) for word in sys.argv[3:]]
script = subprocess.run(["perf", "script", "-i", "clock.data", "--show-mmap-events", "-F", "ip,pid,comm"],
                        capture_output=True, text=True, check=True).stdout
counts, maps = collections.Counter(), ""
for line in script.splitlines():
    found = re.search(r"PERF_RECORD_MMAP2 .*\[0x([0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*: (r-xp) (\S+)", line)
    if found:
        begin, offset = int(found[1], 16), int(found[3], 16)
        maps += f"{begin:x}-{begin + int(found[2], 16):x} {found[4]} {offset:08x} 08:01 7  {found[5]}\n"
        continue
    if "PERF_RECORD_" in line: continue  # the kernel's
    address = int(line.split()[-1], 16)
    if address < 1 << 63: counts[address] += 1  # not in the kernel
words = [0, 3, 0, period, 0]
for address, count in sorted(counts.items())[part::parts]:
    words += [count, 1, address]
open(out, "wb").write(struct.pack(f"<{len(words) + 3}Q", *words, 0, 1, 0) + maps.encode())
PY
python3 to_gperftools.py "$work/prog" cpu.prof 10000 0 1
gzip -k cpu.prof
for file in cpu.prof cpu.prof.gz; do
  "$pgo" convert $file --binary prog -o $file.proftext 2> convert.log || { cat convert.log; fail "cannot convert $file"; }
  same expected.proftext $file.proftext
  grep -q "^pgo: warning: $file: has no build ID for $work/prog, which was matched with prog by its file name$" convert.log ||
    { cat convert.log; fail "does not say how it found the binary"; }
done

# Options that have nothing to do here are named: they are for other inputs.
id=$(llvm-readelf-22 -n prog | sed -n 's/ *Build ID: //p')
"$pgo" convert clock.data --binary prog --assume-build-id "$id" --without-lines -o x.proftext 2> convert.log
for idle in "--without-lines has no effect: all samples that are used have addresses" \
  "--assume-build-id has no effect: no input names a binary without a build ID that could be this one"; do
  grep -qx "pgo: warning: $idle" convert.log || { cat convert.log; fail "does not say: $idle"; }
done
same expected.proftext x.proftext
"$pgo" convert cpu.prof --binary prog --assume-build-id "$id" -o x.proftext 2> convert.log
! grep -q "changes nothing" convert.log || { cat convert.log; fail "calls idle what was used"; }

# Samples of different periods count by time, also when they were merged before.
python3 to_gperftools.py "$work/prog" often.prof 1000 0 2
python3 to_gperftools.py "$work/prog" seldom.prof 10000 1 2
"$pgo" convert often.prof seldom.prof --binary prog -o two.proftext -o two.addr 2> convert.log || { cat convert.log; fail "cannot convert two"; }
"$pgo" merge often.prof seldom.prof -o merged.pb.gz 2> merge.log || { cat merge.log; fail "cannot merge"; }
"$pgo" convert merged.pb.gz --binary prog -o merged.proftext 2> convert.log || { cat convert.log; fail "cannot convert what was merged"; }
same two.proftext merged.proftext
! grep period merge.log > /dev/null || { cat merge.log; fail "warns of periods that are known"; }
"$pgo" merge often.prof seldom.prof --sample-type samples -o samples.pb.gz 2> merge.log
grep -qx "pgo: warning: the profiles have periods of 1000000 to 10000000 nanoseconds and no values in time, so all their \
samples get the same weight; to weight them by period, give them to pgo convert without merging" merge.log ||
  { cat merge.log; fail "does not say what is lost"; }
! cmp -s two.proftext expected.proftext || fail "periods count for nothing"

# It does not say which process, thread or time a sample is of.
for option in "--pid 5" "--comm prog" "--time 0,5"; do
  status=0
  "$pgo" convert cpu.prof.gz --binary prog -o none.proftext $option 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status with $option"
  [ "$(cat refused.log)" = "pgo: error: cpu.prof.gz: is a gperftools CPU profile, to which ${option%% *} does not apply; name only the inputs that you want to use" ] ||
    { cat refused.log; fail "another refusal of $option"; }
done

# Under another name only an assumption helps.
mkdir elsewhere
cp prog elsewhere/server
id=$("$llvm/llvm-readelf" -n prog | sed -n 's/.*Build ID: //p')
[ -n "$id" ]
status=0
"$pgo" convert cpu.prof --binary elsewhere/server -o x.proftext 2> refused.log || status=$?
[ "$status" = 2 ]
grep -q "in other binaries; another binary ran. Wanted:" refused.log || { cat refused.log; fail "another error"; }
most=$(perf script -i clock.data -F ip,dso | awk '{ print $NF }' | tr -d '()' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
[ "$(grep -A1 '^  recorded:' refused.log | tail -n 1)" = "    $most  no build ID" ] || { cat refused.log; fail "not the most sampled first"; }
[ "$(tail -n 1 refused.log)" = "  The profile has no build ID for its main binary: if it is elsewhere/server, add --assume-build-id $id" ] ||
  { cat refused.log; fail "does not name --assume-build-id"; }
"$pgo" convert cpu.prof --binary elsewhere/server --assume-build-id "$id" -o assumed.proftext --report report.json 2> convert.log ||
  { cat convert.log; fail "cannot assume a build ID"; }
same expected.proftext assumed.proftext
said="cpu.prof: has no build ID for $work/prog, which is assumed to be elsewhere/server ($id)"
grep -qxF "pgo: warning: $said" convert.log || { cat convert.log; fail "does not say what it assumes"; }
grep -qF "$said" report.json || { cat report.json; fail "the report does not say what was assumed"; }
status=0
"$pgo" convert cpu.prof --binary prog --assume-build-id abcd -o x.proftext 2> refused.log || status=$?
[ "$status" = 2 ]
printf 'pgo: error: --assume-build-id abcd: is the build ID of none of the binaries:\n  prog  %s\n' "$id" > wanted.log
same wanted.log refused.log
