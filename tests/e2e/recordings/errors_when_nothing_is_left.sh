# An input that yields nothing is an error that names the stage that emptied it and the likely cause; what
# was written before stays. Each case takes away one thing from a recording that is fine.
. "$(dirname "$0")/../perturbed_recording.sh"

echo kept > out.proftext
# refused ERROR INPUT [FLAG...]: converting INPUT fails with exactly ERROR.
refused() {
  local expected=$1 status=0
  shift
  "$pgo" convert "$@" -o out.proftext > out.log 2> refused.log || status=$?
  [ "$status" = 2 ] || { cat refused.log; fail "exit status $status for $*"; }
  [ "$(cat refused.log)" = "pgo: error: $expected" ] ||
    { diff <(echo "pgo: error: $expected") refused.log; fail "another error for $*"; }
  [ "$(cat out.proftext)" = kept ] || fail "the error replaced the output"
  [ -z "$(ls -A | grep '^\.\|tmp')" ] || { ls -A; fail "the error left a temporary file"; }
}
of_prog() { refused "$@" --binary "$subject_prog"; }
only_prog() { grep "^event\|/prog\$" plain.txt; }
prog_map=$(grep '/prog$' plain.txt)
prog_ip=$(sed 's/.*addr=\(0x[0-9a-f]*\).*/\1/' <<< "$prog_map")

# Nothing was recorded, or not what is wanted.
only_prog | recording_from_text none.perf
of_prog "the recording has no samples: did the program run, and long enough?" none.perf

{ only_prog | sed 's/,branch branch=user,any//'; echo "sample pid=100 time=9000 ip=$prog_ip"; } \
  | recording_from_text plain_ip.perf
of_prog "nothing in these recordings can be used: 100.0 % of the samples are in the binary, but not at an instruction (PLT, data); the addresses are not at its instructions: is it exactly the file that ran?" plain_ip.perf

{ only_prog; echo "sample pid=100 time=9000 ip=$prog_ip"; } | recording_from_text empty_stack.perf
of_prog "nothing in these recordings can be used: 100.0 % of the samples have an empty branch stack; does the machine have branch records? Many virtual machines do not, and perf record -b needs them" empty_stack.perf

{ only_prog; echo "sample pid=100 time=9000 ip=0xffffffff81000000 branches=0xffffffff81000000/0xffffffff81000010"; } \
  | recording_from_text kernel.perf
of_prog "nothing in these recordings can be used: 100.0 % of the branch records are in the kernel; record user space: perf record -e cycles:u -j any,u" kernel.perf

grep -v '^mmap2' plain.txt | recording_from_text no_maps.perf
of_prog "nothing in these recordings can be used: 100.0 % of the branch records are in no known mapping; the recording does not say what was mapped there: was it cut short, or recorded without mmap events?" no_maps.perf

# Trace data in place of branch stacks: alone, and with the events that come with it.
{ echo "event name=intel_pt// type=ip,tid,time"; echo "$prog_map"; echo "auxtrace size=64"; } \
  | recording_from_text aux.perf
of_prog "the recording has no samples, but trace data that must be decoded first: perf inject --itrace=i100usle --strip -i RECORDING -o DECODED" aux.perf
{ printf 'event name=%s type=identifier,ip,tid,time ids=%d\n' intel_pt// 1 dummy:u 2; echo "auxtrace size=64"; } \
  | recording_from_text aux_and_dummy.perf
of_prog "aux_and_dummy.perf: has no branch records, but trace data that must be decoded first: perf inject --itrace=i100usle --strip -i RECORDING -o DECODED" aux_and_dummy.perf

# Another binary ran, or another build of it.
id=00112233445566778899aabbccddeeff00112233
sed "s|path=.*\.so.*|path=/lib/libs.so|; s|path=.*/prog\$|build_id=$id path=/srv/server|" plain.txt | recording_from_text other.perf
"$pgo" show other.perf --binary "$subject_prog" > shown
share=$(sed -n 's/^  - in other binaries .* \([0-9.]* %\)$/\1/p' shown | tail -1)
of_prog "$subject_prog was never recorded: $share of the branch records are in other binaries; another binary ran. Wanted:
    $subject_prog  $build_id
  recorded:
    /lib/libs.so  no build ID
    /srv/server  $id" other.perf

# It ran, and the samples are of the moment when the dynamic loader did.
head -4 plain.txt | sed "s|path=.*\.so.*|path=/lib/ld.so|; s|path=\(.*/prog\)\$|build_id=$build_id path=\1|" |
  recording_from_text loader.perf
of_prog "nothing in these recordings can be used: 100.0 % of the branch records are in other binaries; the binaries that you named ran, but have almost no samples; name the other ones with --binary, too. Wanted:
    $subject_prog  $build_id
  recorded:
    /lib/ld.so  no build ID
    $subject_prog  $build_id" loader.perf

sed "s|path=.*\.so.*|path=/lib/libs.so|; s|path=\(.*/prog\)\$|build_id=$id path=\1|" plain.txt | recording_from_text build.perf
"$pgo" show build.perf --binary "$subject_prog" > shown
share=$(sed -n 's/^  - in another build of the binary .* \([0-9.]* %\)$/\1/p' shown | tail -1)
rest=$(sed -n 's/^  - in other binaries .* \([0-9.]* %\)$/\1/p' shown | tail -1)
of_prog "nothing in these recordings can be used: $share of the branch records are in another build of the binary, $rest in other binaries; the recording is of another build. Wanted:
    $subject_prog  $build_id
  recorded:
    /lib/libs.so  no build ID
    $subject_prog  $id" build.perf

# Without a build ID only the name is left.
llvm-objcopy-22 --remove-section .note.gnu.build-id "$subject_prog" anonymous
share=$("$pgo" show other.perf --binary anonymous | sed -n 's/^  - in other binaries .* \([0-9.]* %\)$/\1/p' | tail -1)
refused "nothing in these recordings can be used: $share of the branch records are in other binaries; anonymous has no build ID, so only its file name identifies it, and no file of that name was recorded: rename it to the name that it ran under, or link it with -Wl,--build-id and record again. Recorded:
  /lib/libs.so  no build ID
  /srv/server  $id" other.perf --binary anonymous

# Every sample was left out on request.
of_prog "nothing in these recordings can be used: 100.0 % of the samples are of processes, threads or times that were not chosen; 'pgo show' lists the processes and times of a recording" plain.perf --pid 99
of_prog "nothing in these recordings can be used: 100.0 % of the samples are of processes, threads or times that were not chosen; 'pgo show' lists the processes and times of a recording" plain.perf --time 5000,6000
of_prog "nothing in these recordings can be used: 100.0 % of the samples are of processes, threads or times that were not chosen; 'pgo show' lists the processes and times of a recording" plain.perf --comm nobody

# No recording at all.
: > empty.perf
of_prog "empty.perf: is empty; did the recording end before perf wrote it?" empty.perf
echo "Dear profile," > letter.perf
known="perf.data, ELF, LLVM sample profiles, GCC's auto-profiles, BOLT's fdata and YAML, pre-aggregated traces, address profiles, pprof, gperftools' CPU profiles, folded stacks"
of_prog "letter.perf: begins with 'Dear pro', which is none of the known formats: $known" letter.perf
# What is known, and not converted.
gzip -nc plain.perf > plain.perf.gz
of_prog "plain.perf.gz: is compressed by gzip (perf.data recording); uncompress it first (gunzip)" plain.perf.gz
of_prog "$subject_prog: is an ELF file; give a recording of it" "$subject_prog"
printf "main;work 3\n" > stacks.folded
of_prog "stacks.folded: is folded stacks; they have neither addresses nor lines: fetch the profile as pprof, or record with perf. Failing that, 'pgo merge' converts them to pprof (-o x.pb.gz), and 'pgo convert --without-lines' uses the function names in it" stacks.folded
printf "main:1:1\n" > made.proftext
of_prog "made.proftext: is an LLVM sample profile; it is made from recordings; give those" made.proftext
recording_from_text short.perf < <(head -3 plain.txt)
head -c "$(($(wc -c < short.perf) - 40))" short.perf > cut.perf
of_prog "the recording has no samples: did the program run, and long enough?
  cut.perf: $("$pgo" show cut.perf | sed -n 's/^  warning *cut.perf: //p')" cut.perf
head -c 60 plain.perf > header.perf
of_prog "header.perf: the header is cut short: 104 bytes expected, found 60" header.perf
mkdir letters
cp letter.perf letters
of_prog "none of the inputs is a recording; letters/letter.perf: skipped: not a recording" letters
of_prog "missing.perf: cannot open: No such file or directory" missing.perf

# The binary says too little.
cp "$subject_prog" prog
llvm-strip-22 prog
refused "prog: is stripped: it has no symbol table, so its code cannot be found; give the unstripped binary, or its debug file with --debug-file" plain.perf --binary prog
llvm-objcopy-22 --strip-debug "$subject_prog" prog
refused "prog: has no debug information; build with -gline-tables-only -fdebug-info-for-profiling, or name the debug file with --debug-file" plain.perf --binary prog
refused "letter.perf: begins with 'Dear pro', which is none of the known formats: $known" plain.perf --binary letter.perf
refused "plain.perf: is a perf.data recording, and a program or library (ELF) is needed there" "$subject_prog" --binary plain.perf

# One of two outputs cannot be written: neither is.
status=0
"$pgo" convert plain.perf --binary "$subject_prog" -o out.proftext -o nowhere/out.prof 2> refused.log || status=$?
[ "$status" = 2 ] || fail "exit status $status for a directory that is not there"
[ "$(cat out.proftext)" = kept ] || fail "one output was replaced without the other"
