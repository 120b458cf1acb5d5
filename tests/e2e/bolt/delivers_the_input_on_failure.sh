# Whatever goes wrong in pgo bolt, the binary is delivered as it was and the reason is said; with
# --on-failure error nothing is written and the exit code is 1. What the user wrote wrongly is exit code 2.
# llvm-bolt is a stand-in where the real one cannot be made to fail.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt" "$llvm/llvm-strip" nm

make_subject() {
  build -Wl,--emit-relocs
  cp prog linked
  build
  mv prog unlinked
  mv linked prog
  record prog.perf ./prog
  "$pgo" convert prog.perf --binary prog -o prog.fdata -o prog.proftext 2> convert.log
  "$llvm/perf2bolt" -p prog.perf -profile-format=yaml -o prog.yaml prog > yaml.log 2>&1
  # The same sources, other code.
  clang++-22 -O1 -gline-tables-only -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs $cxx_sources -o other
  "$llvm/llvm-bolt" prog -o bolted -data=prog.fdata -reorder-blocks=ext-tsp -bolt-info=0 > bolt.log 2>&1
}

with_subject
subject=$PWD
cd "$work"
cp "$subject"/* .

# Runs pgo bolt; its exit code and what it said must be as given.
says() {  # says CODE REASON ARGUMENT...
  local code=$1 reason=$2 status=0
  shift 2
  "$pgo" bolt "$@" > out.txt 2> out.log || status=$?
  [ "$status" = "$code" ] || { cat out.log; fail "exit code $status, not $code: $*"; }
  grep -qF -- "$reason" out.log || { cat out.log; fail "does not say: $reason"; }
}
delivers() {  # delivers IN REASON ARGUMENT...: IN comes out, or nothing
  local input=$1 reason=$2
  shift 2
  rm -f out
  says 0 "warning: $input is NOT optimized: $reason" "$input" -o out "$@"
  same "$input" out
  [ "$(stat -c %a out)" = "$(stat -c %a "$input")" ]
  grep -qxF "pgo: warning: out is $input as it was, NOT optimized, and the exit code is 0 (--on-failure keep); --on-failure error (in CMake: BOLT_ON_FAILURE error; in Bazel: on_failure = 'error') makes this an error" out.log
  [ ! -s out.txt ] || fail "figures of nothing"
  rm out
  says 1 "pgo: error: $input is NOT optimized: $reason" "$input" -o out "$@" --on-failure error
  grep -qxF "pgo: out is not written (--on-failure error)" out.log
  [ ! -e out ] || fail "written"
}

# What cannot work.
delivers unlinked "unlinked: has no relocations, without which functions cannot be moved; link with -Wl,--emit-relocs (in CMake: BOLT of prodpgo_profilable" --profile prog.fdata
"$llvm/llvm-strip" prog -o stripped
delivers stripped "stripped: is stripped: without its symbol table llvm-bolt finds no functions" --profile prog.fdata
delivers bolted "bolted: was written by llvm-bolt already; give the binary it was made from; this one can only be the binary that was recorded" --profile prog.fdata
delivers other "prog.yaml: is a profile of build $(readelf -n prog | sed -n 's/.*Build ID: //p'), but other is build" --profile prog.yaml
delivers other "other was never recorded" --profile prog.perf
printf 'main;work 5\n' > stacks.folded
"$pgo" merge stacks.folded -o names.pb.gz 2> merge.log
delivers prog "the samples name functions and lines, and llvm-bolt needs addresses; fetch the profiles unsymbolized, or record" --profile names.pb.gz
delivers other "" --profile prog.fdata
says 0 "warning: out is other as it was, NOT optimized, and the exit code is 0 (--on-failure keep-stale)" other -o out \
  --profile prog.fdata --on-failure keep-stale
same other out
says 1 "pgo: nothing is not written (--on-failure keep-stale)" stripped -o nothing --profile prog.fdata --on-failure keep-stale
[ ! -e nothing ] || fail "written"
rm out
delivers other "" --profile prog.fdata
grep -q "NOT optimized: [0-9.]* % of the profile's samples are in functions whose code differs in other: it is of another build; if you have that build, name it with --stale" out.log
delivers prog "/nonexistent/llvm-bolt: no such program" --profile prog.fdata --llvm-bolt /nonexistent/llvm-bolt

# A stand-in that answers as the real one and then does its worst. What the real one says of itself it knows by heart, for
# where it must be quick.
"$llvm/llvm-bolt" --version > llvm-bolt--version
"$llvm/llvm-bolt" --help-hidden > llvm-bolt--help-hidden
"$llvm/perf2bolt" --version > perf2bolt--version
cat > llvm-bolt <<TOOL
#!/bin/bash
case \$1 in --version | --help-hidden) exec cat "llvm-bolt\$1" ;; esac
"$llvm/llvm-bolt" "\$@" || exit
. ./worst
TOOL
chmod +x llvm-bolt
worst() { printf '%s\n' "$1" > worst; }
broken="--profile prog.fdata --llvm-bolt ./llvm-bolt"
worst 'echo "BOLT-ERROR: no way"; exit 3'
delivers prog './llvm-bolt failed (exit status 3) on prog' $broken
worst 'echo "last words" >&2; kill -SEGV $$'
delivers prog './llvm-bolt crashed (signal 11) on prog: ' $broken
grep -q 'last words' out.log
# What it said can be kept, also then.
says 0 "NOT optimized" prog -o out $broken --log said.log
grep -qx 'last words' said.log
grep -q '^BOLT-INFO: ' said.log
# The crash of perf2bolt 22 itself: the last function of .text jumps past its end.
cat > last.s <<'ASSEMBLY'
  .text
  .globl last
  .type last, @function
last:
  .cfi_startproc
  test %edi, %edi
  js .Lend
  ret
.Lend:
  .cfi_endproc
  .size last, .-last
  .section .note.GNU-stack, "", @progbits
ASSEMBLY
echo 'int main(int argc, char** argv) { return argc > 3 ? argv[1][0] : 0; }' > first.c
clang-22 -O2 -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs first.c last.s -o jumps
main=$(nm jumps | sed -n 's/ T main$//p')
printf 'T %x %x %x 5\n' $((0x$main + 4)) $((0x$main)) $((0x$main + 4)) > jumps.preagg
delivers jumps 'fdata: ' --profile jumps.preagg
grep -q 'crashed (signal 11) on jumps: .*build with -mllvm -trap-unreachable' out.log || { cat out.log; fail "does not say how to build"; }
# So can what was said before: by perf2bolt when it fails, by the first run of llvm-bolt for --stale. Of an
# earlier run nothing is left, also when nobody said anything.
cat > perf2bolt <<'TOOL'
#!/bin/bash
[ "$1" != --version ] || exec cat perf2bolt--version
echo "BOLT-ERROR: not today"
exit 1
TOOL
chmod +x perf2bolt
says 0 "fdata: ./perf2bolt failed (exit status 1) on prog: BOLT-ERROR: not today" prog -o out --profile prog.perf --perf2bolt ./perf2bolt --log said.log
[ "$(cat said.log)" = "BOLT-ERROR: not today" ] || { cat said.log; fail "not perf2bolt's words alone"; }
says 0 "has no relocations" unlinked -o out --profile prog.fdata --log said.log
[ ! -s said.log ] || fail "what an earlier run said is still there"
worst 'echo "last words"'
"$pgo" bolt other -o out $broken --stale prog --log said.log --on-failure error > out.txt 2> out.log
[ "$(grep -cx 'last words' said.log)" = 2 ] || fail "not what both runs of llvm-bolt said"
worst 'printf "last words"; exit 1'
says 0 "./llvm-bolt failed (exit status 1) on prog" other -o out $broken --stale prog --log said.log
[ "$(grep -cx 'last words' said.log)" = 1 ] || fail "not what the first run of llvm-bolt said"
# A good part of the profile of another build is worth a word, a little is not.
share() { worst "echo 'BOLT-WARNING: $1 out of 1000 samples in the binary ($1) belong to functions with invalid (possibly stale) profile'"; }
hint="% of the profile's samples are in functions whose code differs in prog, so they are not used: they are of another build; if you have that build, name it with --stale (in CMake: BOLT_STALE; in Bazel: stale)"
share 251
"$pgo" bolt prog -o out $broken --on-failure error > out.txt 2> out.log
grep -qxF "pgo: warning: 25.1 $hint" out.log || { cat out.log; fail "does not name --stale"; }
share 249
"$pgo" bolt prog -o out $broken --on-failure error > out.txt 2> out.log
! grep -qF "$hint" out.log || fail "names --stale for little"
# An error that it goes on from, behind what is not known.
worst 'echo "BOLT-WARNING: odd"; echo "BOLT-ERROR: lost a function" >&2; echo "BOLT-ERROR: and one more" >&2'
delivers prog 'llvm-bolt wrote a result, but reports errors:' $broken
grep -qx '  BOLT-ERROR: lost a function' out.log
grep -qx '  BOLT-ERROR: and one more' out.log
# A build that is no earlier one.
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
delivers prog "prog: is this build itself (build ID $id), not an earlier one; name a copy of the build that was recorded, kept outside this build, with --stale (in CMake: BOLT_STALE; in Bazel: stale), or leave that out when this is the build that was recorded" \
  --profile prog.fdata --stale prog
delivers prog "." --profile prog.fdata --stale .
grep -q 'NOT optimized: .: .*is a directory' out.log || { cat out.log; fail "does not say that it is a directory"; }
worst 'sleep 60 & sleep 60'
delivers prog './llvm-bolt did not end within 2 s on prog; it printed last: ' $broken --timeout 2
cat > perf2bolt <<'TOOL'
#!/bin/bash
[ "$1" != --version ] || exec cat perf2bolt--version
sleep 60
TOOL
delivers prog 'fdata: ./perf2bolt did not end within 5 s on prog; it printed last: it printed nothing; allow more time with --timeout (in CMake: BOLT_TIMEOUT; in Bazel: timeout_seconds)' --profile prog.perf --perf2bolt ./perf2bolt --llvm-bolt ./llvm-bolt --timeout 5
printf '#!/bin/bash\necho "$@" >> asked\nsleep 60\n' > perf2bolt
delivers prog './perf2bolt --version did not end within 5 s' --profile prog.perf --perf2bolt ./perf2bolt --llvm-bolt ./llvm-bolt --timeout 5
[ "$(cat asked)" = $'--version\n--version' ] || { cat asked; fail "waits more than once in each of two runs"; }
worst 'rm "$3"'
delivers prog './llvm-bolt succeeded on prog, but wrote no binary' $broken
worst 'head -c 1000 "$3" > cut; mv cut "$3"'
delivers prog "the result: ends at byte 1000, but its program headers are at byte " $broken
grep -q "[0-9]: a truncated copy?" out.log
worst 'echo hello > "$3"'
delivers prog "the result: not an ELF file" $broken
worst 'cp other "$3"'
delivers prog "the result is not the same program:" $broken
grep -q 'it has the build ID .*, not that of its input' out.log
# A dynamic symbol with another name; a table for unwinding that leads nowhere; code that is none.
worst 'python3 - "$3" <<P
import sys
path = sys.argv[1]
data = open(path, "rb").read()
at = data.index(b"\0strtol\0") if b"\0strtol\0" in data else data.index(b"\0printf\0")
open(path, "wb").write(data[:at + 1] + b"xx" + data[at + 3:])
P'
delivers prog "the result is not the same program:" $broken
grep -q 'it has lost 1 of [0-9]* dynamic symbols, such as \(strtol\|printf\) (imported, type 2' out.log
worst '"$llvm/llvm-objcopy" --dump-section .eh_frame_hdr=header "$3" && python3 -c "
data = bytearray(open(\"header\", \"rb\").read())
data[20] ^= 1
open(\"header\", \"wb\").write(data)" && "$llvm/llvm-objcopy" --update-section .eh_frame_hdr=header "$3"'
export llvm
delivers prog "the result is not the same program:" $broken
grep -q 'it cannot be unwound: the result: .eh_frame_hdr: ' out.log
# All headers in order, but the code is gone: only running it tells.
worst '"$llvm/llvm-objcopy" --dump-section .text=text "$3" && head -c "$(stat -c %s text)" /dev/zero > text && "$llvm/llvm-objcopy" --update-section .text=text "$3"'
delivers prog "the result does not pass --check '{}': signal 11" $broken --check '{}'
worst 'cp "$3" ready'
"$pgo" bolt prog -o out $broken --on-failure error > out.txt 2> out.log
cat > quick-bolt <<'TOOL'
#!/bin/bash
case $1 in --version | --help-hidden) exec cat "llvm-bolt$1" ;; esac
cp ready "$3"
TOOL
chmod +x quick-bolt
delivers prog "the result does not pass --check 'sleep 60; {}': it did not end within 5 s; allow more time with --timeout (in CMake: BOLT_TIMEOUT; in Bazel: timeout_seconds)" --profile prog.fdata --llvm-bolt ./quick-bolt --timeout 5 --check 'sleep 60; {}'
worst :
delivers prog "the result does not pass --check 'echo no >&2; false {}': exit status 1: no" $broken --check 'echo no >&2; false {}'

# A llvm-bolt with other words says nothing of what fits.
cat > other-words <<TOOL
#!/bin/bash
case \$1 in --version | --help-hidden) exec "$llvm/llvm-bolt" "\$@" ;; esac
"$llvm/llvm-bolt" "\$@" 2>&1 | sed 's/have non-empty execution profile/were run/'
TOOL
chmod +x other-words
"$pgo" bolt prog -o out --profile prog.fdata --llvm-bolt ./other-words --on-failure error > out.txt 2> out.log
grep -q '^  checks *profile unknown: llvm-bolt did not print how much of the profile matches, elf passed' out.txt
rm out

# Figures say what was delivered.
for expected in "keep input 0" "error nothing 1"; do
  read -r way delivered code <<< "$expected"
  says "$code" "NOT optimized" prog -o out --profile prog.fdata --check 'false {}' --on-failure "$way" --json
  grep -qx "  \"delivered\": \"$delivered\"," out.txt || { cat out.txt; fail "not delivered: $delivered"; }
  grep -qx '  "optimized": false,' out.txt
  python3 - <<'CHECK'
import json
report = json.load(open("out.txt"))
assert report["error"] == {"kind": "mismatch", "advice": "",
                           "message": "the result does not pass --check 'false {}': exit status 1: it printed nothing"}, report["error"]
assert report["reason"] == report["error"]["message"], report["reason"]
CHECK
done
# An error of the command line is JSON, too.
says 2 "none.perf: no such profile" prog -o out --profile none.perf --json
python3 -c '
import json
assert json.load(open("out.txt")) == {"error": {"kind": "usage", "message": "none.perf: no such profile", "advice": ""}}'
rm out

# An OUT that is there stays as it is when nothing is written.
echo before > out
says 1 "NOT optimized" prog -o out --profile prog.fdata --check 'false {}' --on-failure error
[ "$(cat out)" = before ]
rm out

# What the command line asks for and cannot be.
why="which counts lines and functions, and llvm-bolt needs branches by address; give the recording it was made from, or the fdata that 'pgo convert' makes from that"
says 2 "prog.proftext: is an LLVM sample profile, $why" prog -o out --profile prog.proftext
printf 'adcg*704' > prog.gcda
says 2 "prog.gcda: is GCC profile data, of instrumented code or of a version of -fauto-profile that pgo does not read; try gcov-dump or llvm-profdata" prog -o out --profile prog.gcda
says 2 "prog.fdata: cannot be combined with other profiles" prog -o out --profile prog.fdata --profile prog.perf
says 2 "none.perf: no such profile" prog -o out --profile none.perf
says 2 "main: is not an option of llvm-bolt; write one as -name=value" prog -o out --profile prog.fdata -- main
says 2 "-o=x: cannot be passed on, because pgo sets llvm-bolt's files itself" prog -o out --profile prog.fdata -- -o=x
for option in -w=x --w -data2=x; do
  says 2 "$option: cannot be passed on, because pgo sets llvm-bolt's files itself" prog -o out --profile prog.fdata -- $option
done
for option in -instrument --instrument=1 -instrumentation-file=x; do
  says 2 "$option: makes an instrumented program, not an optimized one; run llvm-bolt itself for that" prog -o out --profile prog.fdata -- $option
done
says 2 "has no option -nonsense" prog -o out --profile prog.fdata -- -nonsense
says 2 "--check 'true': has no {} for the path" prog -o out --profile prog.fdata --check true
# Nothing that is read is replaced, however it is named: it is still there afterwards.
mkdir recordings
cp prog.perf recordings/a.data
printf 'recordings/a.data\n' > list
for profile in recordings 'recordings/*.data' @list recordings/a.data; do
  says 2 "-o recordings/a.data would replace recordings/a.data, which is read" prog -o recordings/a.data --profile "$profile"
  says 2 "--log recordings/a.data would replace recordings/a.data, which is read" prog -o out --profile "$profile" --log recordings/a.data
  same prog.perf recordings/a.data
done
says 2 "-o other would replace other, which is read" prog -o other --profile prog.perf --stale other
says 2 "--log prog would replace prog, which is read" prog -o out --profile prog.fdata --log prog
says 2 "out would be written twice, by -o and by --log" prog -o out --log "$PWD/./out" --profile prog.fdata
says 2 "--log -: must name a file, because the figures go to standard output" prog -o out --log - --json --profile prog.fdata
# What an earlier run left beside the recordings may be replaced.
"$pgo" bolt prog -o recordings/bolted --log recordings/log --profile recordings/a.data > out.txt 2> out.log
says 0 "" prog -o recordings/bolted --log recordings/log --profile recordings --on-failure error
[ ! -e out ] || fail "written"
[ -z "$(find . -name '*.tmp*')" ] || fail "left: $(find . -name '*.tmp*')"
