# An input that gives nothing beside others that do is named, with the reason; what the kernel lost is said;
# traces of another build are refused.
. "$(dirname "$0")/../perturbed_recording.sh"

convert() { "$pgo" convert "$@" --binary "$subject_prog" -o llvm-text:rare.text 2> convert.log || { cat convert.log; fail "cannot convert $*"; }; }
said() { grep -qxF "pgo: $1" convert.log || { cat convert.log; fail "does not say: $1"; }; }
only_prog() { grep "^event\|/prog\$" plain.txt; }
prog_ip=$(sed -n 's/.*addr=\(0x[0-9a-f]*\).*\/prog$/\1/p' plain.txt | head -1)

{ only_prog | sed 's/,branch branch=user,any//'; echo "sample pid=100 time=9000 ip=$prog_ip"; } | recording_from_text plain_ip.perf
{ only_prog; echo "sample pid=100 time=9000 ip=$prog_ip"; } | recording_from_text empty_stack.perf
only_prog | recording_from_text none.perf
convert plain.perf plain_ip.perf empty_stack.perf none.perf
same expected.text rare.text
said "warning: plain_ip.perf: is not used: 100.0 % of the samples are in the binary, but not at an instruction (PLT, data)"
said "warning: empty_stack.perf: is not used: 100.0 % of the samples have an empty branch stack"
said "warning: none.perf: is not used: it has no samples"
! grep -q "warning: plain.perf: nothing of it" convert.log || fail "warns of what is used"

# Beside branch records, PC samples are counted on their own. Wherever the program was loaded, its
# code is where the mapping of it and the section say.
text_start=$(llvm-readelf-22 -SW "$subject_prog" | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) .*/0x\1 0x\2/p')
symbol=0x$(llvm-nm-22 "$subject_prog" | sed -n 's/ T main$//p')
read -r map offset <<< "$(sed -n 's/.*addr=\(0x[0-9a-f]*\) .*pgoff=\([0-9a-fx]*\) .*\/prog$/\1 \2/p' plain.txt | head -1)"
read -r text_addr text_offset <<< "$text_start"
main_ip=$((map - offset + symbol - text_addr + text_offset))
{
  only_prog | sed 's/,branch branch=user,any//'
  for time in 9000 9001 9002; do echo "sample pid=100 time=$time ip=$main_ip"; done
} | recording_from_text in_main.perf
convert plain.perf in_main.perf
same expected.text rare.text
grep -Eq '^pgo: [0-9 ]* samples: [0-9.]* % used \(.*, [0-9.]* % without branch records\); [0-9 ]* branch records: ' convert.log ||
  { cat convert.log; fail "does not say what PC samples are"; }

# Traces are enough, whatever else is no use.
cp expected.preagg traces
convert traces plain_ip.perf
grep -q "^pgo: 1 sample: none used" convert.log || fail "counts PC samples as used"
said "warning: plain_ip.perf: is not used: 100.0 % of the samples are in the binary, but not at an instruction (PLT, data)"

# The same recording again, by another name.
ln -s plain.perf link.perf
convert plain.perf link.perf
said "warning: plain.perf: is named twice and is counted twice"

# Traces that say which build they are of.
id=00112233445566778899aabbccddeeff00112233
status=0
sed "s/^\([TB]\) \([0-9a-f]*\) /\1 $id:\2 /" traces > other_build
"$pgo" convert other_build --binary "$subject_prog" -o x.proftext 2> refused.log || status=$?
[ "$status" = 2 ]
[ "$(cat refused.log)" = "pgo: error: other_build: its traces are of build $id, but $subject_prog is build $build_id; name the binary that ran" ] ||
  { cat refused.log; fail "another error for another build"; }
sed "s/^\([TB]\) \([0-9a-f]*\) /\1 $build_id:\2 /" traces > this_build
convert this_build
status=0
cp "$subject_prog" other
llvm-objcopy-22 --remove-section .note.gnu.build-id other
"$pgo" convert traces --binary "$subject_prog" --binary other -o x.proftext 2> refused.log || status=$?
[ "$status" = 2 ]
[ "$(cat refused.log)" = "pgo: error: traces: pre-aggregated traces do not say which binary they are of; give one --binary" ]
# Nor of which process, thread, time or event they are.
for option in "--pid 5" "--comm prog" "--time 0,5" "--event cycles"; do
  status=0
  "$pgo" convert traces --binary "$subject_prog" -o x.prof $option 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status with $option"
  [ "$(cat refused.log)" = "pgo: error: traces: is a file of pre-aggregated traces, to which ${option%% *} does not apply; name only the inputs that you want to use" ] ||
    { cat refused.log; fail "another refusal of $option"; }
done

# What a directory holds beside recordings: an empty file is one that was never finished.
mkdir hosts
cp plain.perf hosts/host0.perf
touch hosts/host1.perf
for number in 1 2 3 4 5; do echo "a note" > hosts/note$number; done
convert hosts
said "warning: hosts/host1.perf: is empty; did the recording end before perf wrote it?"
said "warning: hosts/note1: skipped: not a recording"
said "warning: hosts/note2: skipped: not a recording"
said "warning: hosts/note3: skipped: not a recording (and 2 more of this kind)"
# Nor does what is damaged stop anybody who has not named it.
cut=": gzip member 1, at byte 0, is damaged or cut short"
gzip -c plain.perf > plain.gz
head -c 60 plain.gz > hosts/host2.pb.gz
head -c 50 plain.perf > hosts/host3.perf
"$pgo" convert hosts --binary "$subject_prog" -o llvm-text:rare.text --report damaged.json 2> convert.log ||
  { cat convert.log; fail "stops at what is damaged"; }
same expected.text rare.text
said "warning: skipped: hosts/host2.pb.gz$cut"
said "warning: skipped: hosts/host3.perf: the header is cut short: 104 bytes expected, found 50"
grep -qF "skipped: hosts/host2.pb.gz$cut" damaged.json || { cat damaged.json; fail "not in the report"; }
# Nor what may not be read; root may read all, unless it lets go of that.
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --bounding-set=-dac_override,-dac_read_search)
mkdir -p closed/lost
cp plain.perf closed/host0.perf
cp plain.perf closed/host1.perf
cp plain.perf closed/lost/host2.perf
chmod 000 closed/host1.perf closed/lost
status=0
"${as_user[@]}" "$pgo" convert closed --binary "$subject_prog" -o llvm-text:rare.text --report closed.json 2> convert.log || status=$?
"${as_user[@]}" "$pgo" convert closed closed/host1.perf --binary "$subject_prog" -o x.proftext 2> refused.log && status=1
chmod 755 closed/host1.perf closed/lost
[ "$status" = 0 ] || { cat convert.log; fail "stops at what it may not read, or does not when it is named"; }
same expected.text rare.text
said "warning: skipped: closed/host1.perf: cannot open: Permission denied"
said "warning: skipped: closed/lost: cannot open: Permission denied"
grep -q '"kind": "unreadable-input"' closed.json || { cat closed.json; fail "not in the report"; }
[ "$(cat refused.log)" = "pgo: error: closed/host1.perf: cannot open: Permission denied" ] ||
  { cat refused.log; fail "another error for what is named"; }
refused() { # ERROR ARGUMENT...
  local status=0
  "$pgo" convert "${@:2}" --binary "$subject_prog" -o x.proftext 2> refused.log || status=$?
  [ "$status" = 2 ]
  [ "$(cat refused.log)" = "pgo: error: $1" ] || { cat refused.log; fail "another error: $1"; }
}
refused "hosts/host2.pb.gz$cut" hosts/host2.pb.gz
rm hosts/host1.perf hosts/host0.perf hosts/host3.perf
refused "none of the inputs is a recording; skipped: hosts/host2.pb.gz$cut" hosts
rm hosts/*
touch hosts/host1.perf
refused "none of the inputs is a recording; hosts/host1.perf: is empty; did the recording end before perf wrote it?" hosts
rm hosts/*
echo "a note" | gzip > hosts/note.gz
refused "none of the inputs is a recording; hosts/note.gz: skipped: not a recording" hosts

# What the kernel lost.
{ cat plain.txt; echo "lost lost=1234 time=99000000"; } | recording_from_text lost.perf
convert lost.perf
grep -q "^pgo: .* used.*; 1 234 more samples were lost by the kernel$" convert.log || { cat convert.log; fail "does not say what was lost"; }

# A binary that did not run has no profile, and a time must be one.
sed 's/int main/int other_main() { return 1; }\nint main/' "$programs/main.cc" > main.cc
clang++-22 $debug -fuse-ld=lld -Wl,--build-id -I"$programs" "$programs"/{shapes,work}.cc main.cc -o idle
"$pgo" convert plain.perf --binary "$subject_prog" --binary idle -o o-%b.preagg 2> convert.log
said "warning: idle: has no samples in these recordings; o-idle.preagg is not written"
[ ! -e o-idle.preagg ]
same expected.preagg o-prog.preagg
convert plain.perf --binary idle
said "warning: idle: has no samples in these recordings; the profile has no counts for it"
same expected.text rare.text
status=0
"$pgo" convert plain.perf --binary "$subject_prog" -o x.proftext --time 5,3.5 2> refused.log || status=$?
[ "$status" = 2 ]
[ "$(cat refused.log)" = "pgo: error: --time 5,3.5: ends before it begins; was 3.5,5 meant?" ]
for time in 5 x,; do
  status=0
  "$pgo" convert plain.perf --binary "$subject_prog" -o x.proftext --time $time 2> refused.log || status=$?
  [ "$status" = 2 ]
  [ "$(cat refused.log)" = "pgo: error: --time $time: FIRST,LAST in seconds expected, such as 12.5,20" ]
done
