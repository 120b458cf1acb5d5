# Samples that a file's name alone gives to a binary, and that are not where its instructions start, are of another
# build: they are left out aloud, so that a profile without build IDs beside good recordings changes nothing.
. "$(dirname "$0")/../oracle.sh"
need python3 llvm-objcopy-22

build
mkdir other
clang++-22 -O1 -DNEW -gline-tables-only -fdebug-info-for-profiling -Wl,--build-id "$programs"/{shapes,work,main}.cc -o other/prog
for one in . other; do
  record_by_clock $one/clock.data "$work/$one/prog" 8000
done
"$pgo" convert other/clock.data --binary other/prog -o expected.proftext --report expected.json 2> convert.log

# As a store has it that was told no build IDs.
python3 - << 'PY'
import gzip, re, subprocess
def number(value):
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + number(value >> 7)
def field(tag, value):
    return number(tag << 3) + number(value) if isinstance(value, int) else number(tag << 3 | 2) + number(len(value)) + value
script = subprocess.run(["perf", "script", "-i", "clock.data", "--show-mmap-events", "-F", "ip,pid,comm"],
                        capture_output=True, text=True, check=True).stdout
out, strings = b"", ["", "samples", "count"]
out += field(1, field(1, 1) + field(2, 2))
mapping = re.search(r"PERF_RECORD_MMAP2 .*\[0x([0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*: r-xp (\S+/prog)", script)
begin, size = int(mapping[1], 16), int(mapping[2], 16)
out += field(3, field(1, 1) + field(2, begin) + field(3, begin + size) + field(4, int(mapping[3], 16)) + field(5, len(strings)))
strings.append(mapping[4])
where = [int(word, 16) for word in re.findall(r" ([0-9a-f]+)$", script, re.M)]
where = [address for address in where if begin <= address < begin + size]
for i, address in enumerate(where, 1):
    out += field(4, field(1, i) + field(2, 1) + field(3, address)) + field(2, field(1, i) + field(2, 1))
out += b"".join(field(6, string.encode()) for string in strings)
open("prog.pb.gz", "wb").write(gzip.compress(out))

# Beside it the same addresses in another mapping, which names its build.
notes = subprocess.run(["llvm-readelf-22", "-n", "other/prog"], capture_output=True, text=True, check=True).stdout
texts = ["/srv/second", re.search(r"Build ID: ([0-9a-f]+)", notes)[1]]
high = 1 << 44
out += field(3, field(1, 2) + field(2, high) + field(3, high + size) + field(4, int(mapping[3], 16)) +
             field(5, len(strings)) + field(6, len(strings) + 1))
for i, address in enumerate(where, len(where) + 1):
    out += field(4, field(1, i) + field(2, 2) + field(3, address - begin + high)) + field(2, field(1, i) + field(2, 1))
out += b"".join(field(6, text.encode()) for text in texts)
open("both.pb.gz", "wb").write(gzip.compress(out))
PY
"$pgo" convert prog.pb.gz --binary prog -o right.proftext 2> convert.log || { cat convert.log; fail "cannot convert pprof"; }
! grep "start of an instruction" convert.log || fail "leaves out samples of the right build"

left_out="prog.pb.gz: [1-9][0-9.]* % of its samples in functions of other/prog are not at the start of an instruction; another build ran, and they are not used"
"$pgo" convert other/clock.data prog.pb.gz --binary other/prog -o x.proftext --report report.json 2> convert.log
same expected.proftext x.proftext
grep -qE "^pgo: warning: $left_out$" convert.log || { cat convert.log; fail "does not say what it leaves out"; }
grep -qE "$left_out" report.json || { cat report.json; fail "the report does not say what was left out"; }
grep -qE "^pgo: warning: prog.pb.gz: is not used: [0-9.]+ % of the samples are in another build of the binary" convert.log ||
  { cat convert.log; fail "does not account for what it leaves out"; }
status=0
"$pgo" convert prog.pb.gz --binary other/prog -o x.proftext 2> refused.log || status=$?
[ "$status" = 2 ]
grep -qE "^pgo: error: nothing in these recordings can be used: [0-9.]+ % of the samples are in another build of the binary.*; $left_out$" refused.log ||
  { cat refused.log; fail "another refusal"; }

# What a build ID proves is not judged, whatever stands beside it.
cp other/prog second
"$pgo" convert both.pb.gz --binary prog --binary second -o x.proftext 2> convert.log || { cat convert.log; fail "cannot convert two builds"; }
grep -q "has no build ID for .*/prog, which was matched with prog by its file name$" convert.log || { cat convert.log; fail "no name was needed"; }
! grep "start of an instruction" convert.log || fail "leaves out samples of a build that is named"

# Branch records at no instruction are dropped one by one; when they are many, it is said what that means.
record prog.perf ./prog
llvm-objcopy-22 --remove-section .note.gnu.build-id other/prog without_id
mv without_id other/prog
"$pgo" convert prog.perf --binary other/prog -o x.preagg 2> convert.log || true
grep -qE "prog.perf: [1-9][0-9.]* % of its branch records in the binary are not at an instruction: another build ran; the others are used, so leave this file out$" convert.log ||
  { cat convert.log; fail "does not warn of branch records of another build"; }
