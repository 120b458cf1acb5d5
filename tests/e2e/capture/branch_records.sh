# With branch records, clock samples are recorded beside them, and stored as a service of their own. A stand-in for perf
# leaves what QEMU recorded.
. "$(dirname "$0")/../prelude.sh"
. "$here/capture_prelude.sh"
need qemu-x86_64
program=branchd$$
start_service $program 0
"$pgo" record --engine emulate --period "$(period 10007)" -o branches.data -- ./$program 20 > log 2>&1 ||
  skip "cannot record under emulation: $(tail -n 1 log)"
start_service $program
"$pgo" record --engine clock -o clock.data --pid "${service_pids[0]}" -- sleep 1 2> log
mkdir bin
cat > bin/perf << 'END'
#!/bin/bash
# Trials, script and the recording itself; the second perf is the command of the first one.
made=${0%/bin/perf}/branches.data
[ "$1" != script ] || { echo " 0x20/0x10/P/-/-/0 "; exit; }
while [ "$1" != -- ] && [ $# -gt 0 ]; do
  case $1 in
    cpu-clock) made=${0%/bin/perf}/clock.data ;;
    -o) output=$2 ;;
    --pid) echo "$2" >> "${0%/bin/perf}/pids" ;;
  esac
  shift
done
cp "$made" "$output"
shift
"$@"
END
chmod +x bin/perf
PATH=$work/bin:$PATH "$pgo" record --service $program --for 1s -o store --spool spool --json > figures.json 2> log || { cat log; fail "exit code $?"; }
[ "$(sort -u pids)" = "${service_pids[0]}" ] || fail "another process"
grep -qE "^pgo: $program: recorded [0-9 ]+ samples of 1 process with branch records, and [0-9 ]+ clock samples?$" log ||
  { cat log; fail "not both"; }
[ "$(profiles_in store/service=$program)" = 1 ] && [ "$(profiles_in store/service=$program.clock)" = 1 ] || fail "$(find store)"
"$pgo" convert store/service=$program --binary $program -o $program.proftext > log 2>&1 || { cat log; fail "convert"; }
head -n 1 $program.proftext | grep -qE '^(main|busy_loop):' || { cat $program.proftext; fail "another function is the hottest"; }
"$pgo" show "$(find store/service=$program -name '*.addr')" | grep -qi "branch" || fail "no branch records"
accounts

# Of a stripped program the recording itself is stored.
stop_services
mv $program full
"$llvm/llvm-strip" -o $program full
./$program > /dev/null 2>&1 &
service_pids=($!)
disown
PATH=$work/bin:$PATH "$pgo" record --service $program --for 1s -o stripped --spool spool 2> log || { cat log; fail "exit code $?"; }
grep -qF "pgo: warning: $program: $work/$program is stripped, so the recording is kept as it is: convert it where the debug file is" log ||
  { cat log; fail "no warning"; }
cmp branches.data "$(find stripped/service=$program -name '*.perf.data')"
