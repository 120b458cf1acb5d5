# A pprof profile is as good as the recording it was made of: addresses of the process and of the ELF file,
# compressed or not, give the very profile that perf.data gives.
. "$(dirname "$0")/../perturbed_recording.sh"
need perf python3

record_by_clock clock.data "$subject_prog" 8000
"$pgo" convert clock.data --binary "$subject_prog" -o expected.proftext 2> /dev/null

# The recording as google/pprof's profile.proto, written by hand.
cat > to_pprof.py << 'PY'
import collections, gzip, re, subprocess, sys
program, build_id, out, elf_addresses = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4] == "elf"
timed = "timed" in sys.argv[5:]
script = subprocess.run(["perf", "script", "-i", "clock.data", "--show-mmap-events", "-F", "ip,pid,comm"],
                        capture_output=True, text=True, check=True).stdout
counts, mapping = collections.Counter(), None
for line in script.splitlines():
    found = re.search(r"PERF_RECORD_MMAP2 .*\[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*: r-xp (\S+)", line)
    if found:
        if found[4] == program:
            mapping = [int(found[i], 16) for i in (1, 2, 3)]
        continue
    if "PERF_RECORD_" in line: continue  # the kernel's
    address = int(line.split()[-1], 16)
    if address < 1 << 63: counts[address] += 1  # not in the kernel
start, size, offset = mapping
segments = [[int(word, 16) for word in line.split()[1:6]] for line in
            subprocess.run(["llvm-readelf-22", "-lW", program], capture_output=True, text=True).stdout.splitlines()
            if line.split()[:1] == ["LOAD"]]

def varint(value):
    text = b""
    while value >= 0x80:
        text += bytes([value & 0x7F | 0x80])
        value >>= 7
    return text + bytes([value])

def number(field, value): return varint(field << 3) + varint(value)
def sized(field, value): return varint(field << 3 | 2) + varint(len(value)) + value

strings = ["", "samples", "count", program, build_id, "cpu", "nanoseconds"]
message = sized(1, number(1, 1) + number(2, 2)) + (sized(1, number(1, 5) + number(2, 6)) if timed else b"")
message += sized(3, number(1, 7) + (b"" if elf_addresses else number(2, start) + number(3, start + size) + number(4, offset)) +
                 number(5, 3) + number(6, 4))
identifier = 0
for address, count in sorted(counts.items()):
    if start <= address < start + size and elf_addresses:
        place = address - start + offset
        address = next(place - o + v for o, v, _, filesize, _ in segments if o <= place < o + filesize)
        inside = True
    else:
        inside = start <= address < start + size
    identifier += 3
    message += sized(4, number(1, identifier) + (number(2, 7) if inside else b"") + number(3, address))
    message += sized(2, number(1, identifier) + sized(2, varint(count) + (varint(count * 100003) if timed else b"")))
message += b"".join(sized(6, text.encode()) for text in strings)
open(out, "wb").write(message)
open(out + ".gz", "wb").write(gzip.compress(message, mtime=0))
PY
for kind in process elf; do
  python3 to_pprof.py "$subject_prog" "$build_id" $kind.pb $kind
  for file in $kind.pb $kind.pb.gz; do
    "$pgo" convert $file --binary "$subject_prog" -o $file.proftext 2> convert.log || { cat convert.log; fail "cannot convert $file"; }
    same expected.proftext $file.proftext
  done
done

# Among others in a directory, and of another build.
mkdir stored
cp process.pb.gz stored/a.pb.gz
"$pgo" convert stored --binary "$subject_prog" -o stored.proftext 2> stored.log
same expected.proftext stored.proftext
# A profile of memory beside it is passed over, unless it is named, or all there is.
python3 -c 'import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().replace(b"2\x07samples", b"2\x05space"))' < process.pb > heap.pb
cp heap.pb stored
"$pgo" convert stored --binary "$subject_prog" -o stored.proftext --report heap.json 2> heap.log || { cat heap.log; fail "stops at a profile of memory"; }
same expected.proftext stored.proftext
grep -qx "pgo: warning: skipped: stored/heap.pb: has no samples of CPU time; it has:" heap.log || { cat heap.log; fail "does not name it"; }
grep -q '"kind": "unsupported-input"' heap.json || { cat heap.json; fail "does not say of what kind it is"; }
# When it is named, no number of samples makes it a good one.
"$pgo" convert heap.pb --event space --binary "$subject_prog" -o heap.prof --report heap.json 2> heap.log || { cat heap.log; fail "refuses what is named"; }
grep -qx "pgo: warning: heap.pb: space is not known to be CPU time: memory and waiting times do not show how often code runs" heap.log ||
  { cat heap.log; fail "does not say what counts"; }
grep -q "^pgo: counts inferred from PC samples: .*, quality unknown (they may not be of CPU time)" heap.log ||
  { cat heap.log; fail "praises it"; }
grep -q '"quality": "unknown"' heap.json || { cat heap.json; fail "reports a quality"; }
grep -q '"kind": "not-cpu-time"' heap.json || { cat heap.json; fail "does not report what counts"; }
# Nor does what was kept of it by address.
"$pgo" convert heap.pb --event space --binary "$subject_prog" -o heap.addr 2> heap.log || { cat heap.log; fail "cannot keep it"; }
"$pgo" convert heap.addr --binary "$subject_prog" -o heap.prof 2> heap.log || { cat heap.log; fail "cannot convert what was kept"; }
grep -q "^pgo: counts inferred from PC samples: .*, quality unknown (they may not be of CPU time)" heap.log ||
  { cat heap.log; fail "praises what was kept"; }
mkdir heaps
cp heap.pb heaps
for inputs in heaps "heap.pb process.pb"; do
  status=0
  "$pgo" convert $inputs --binary "$subject_prog" -o x.proftext 2> refused.log || status=$?
  [ "$status" = 2 ]
  grep -q "^pgo: error: .*heap.pb: has no samples of CPU time; it has:" refused.log || { cat refused.log; fail "another error for $inputs"; }
done

python3 to_pprof.py "$subject_prog" 00112233445566778899aabbccddeeff00112233 other.pb process
status=0
"$pgo" convert other.pb --binary "$subject_prog" -o x.proftext 2> refused.log || status=$?
[ "$status" = 2 ]
grep -q "in another build of the binary.*; the recording is of another build. Wanted:" refused.log ||
  { cat refused.log; fail "another error for another build"; }

# Weights that round counts to 0 leave the time beside them, and so all places.
python3 to_pprof.py "$subject_prog" "$build_id" timed.pb process timed
"$pgo" merge timed.pb --weight timed.pb=1/100000 -o light.pb 2> merge.log || { cat merge.log; fail "cannot merge with a weight"; }
for name in timed light; do
  "$pgo" convert $name.pb --binary "$subject_prog" -o $name.addr 2> convert.log || { cat convert.log; fail "cannot convert $name.pb"; }
  "$pgo" merge $name.addr -o again.addr 2>&1 | sed -n 's/.*: \([0-9 ]*\) different traces and addresses$/\1/p' > $name.places
done
[ -s timed.places ] || fail "does not say how many places there are"
same timed.places light.places

# Without a period a sample counts 1 there, and its period in a recording: both together are mostly the recording.
record_by_clock clock.data "$subject_prog" 8000
"$pgo" convert clock.data process.pb --binary "$subject_prog" -o x.proftext 2> convert.log || { cat convert.log; fail "cannot convert both"; }
grep -qx "pgo: warning: PC samples of several events are added up, weighted by their periods: samples without a period, time; events whose \
period has a smaller unit may have almost no weight. Convert the inputs of each event separately" convert.log ||
  { cat convert.log; fail "does not say that they do not fit"; }
! grep -q "several events" stored.log || fail "said of one event"

# It fits when the time beside the samples says what they stand for, and when neither has a period.
python3 -c 'import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().replace(b"2\x07samples", b"2\x06cycles"))' < process.pb > cycles.pb
grep -q cycles cycles.pb
for inputs in "clock.data timed.pb" "process.pb cycles.pb"; do
  "$pgo" convert $inputs --binary "$subject_prog" -o x.proftext 2> convert.log || { cat convert.log; fail "cannot convert $inputs"; }
  ! grep -q "several events" convert.log || { cat convert.log; fail "warns of $inputs"; }
done
