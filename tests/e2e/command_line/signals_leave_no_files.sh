# SIGINT, SIGTERM and SIGHUP end pgo convert, merge and bolt, and what they run; nothing lies around then. The
# tools are stand-ins that never end.
. "$(dirname "$0")/../perturbed_recording.sh"
need env

export llvm
cat > tool <<'TOOL'
#!/bin/bash
case $1 in
--version) exec "$llvm/$(basename "$0")" --version ;;
--help-hidden) exec "$llvm/$(basename "$0")" --help-hidden ;;
esac
trap ': > ../tidied; exit 1' TERM
echo $$ > ../new
mv ../new ../pid
while :; do sleep 0.05; done
TOOL
chmod +x tool
mkdir tools temporary outputs
for tool in perf2bolt llvm-bolt clang; do cp tool tools/$tool; done

# ends SIGNAL COMMAND...: it ends by the signal, and so does what it ran, and there is nothing left of either.
ends() {
  local signal=$1 status=0 i runner
  shift
  rm -f pid tidied
  (cd outputs && TMPDIR=$work/temporary exec env --default-signal=INT,TERM,HUP "$@" > ../said 2>&1) &
  runner=$!
  for ((i = 0; i < 600; i++)); do
    [ ! -e pid ] || break
    sleep 0.05
  done
  [ -e pid ] || { cat said; fail "$* ran nothing"; }
  kill -s "$signal" "$runner"
  wait "$runner" || status=$?
  [ "$status" -eq $((128 + $(kill -l "$signal"))) ] || { cat said; fail "$*: exit status $status"; }
  for ((i = 0; i < 200; i++)); do  # killed, but who buries it may take a while
    kill -0 "$(cat pid)" 2> /dev/null || break
    sleep 0.05
  done
  [ "$i" -lt 200 ] || fail "$* left a program running"
  [ -z "$(find temporary outputs -mindepth 1)" ] || { find temporary outputs; fail "$* left files"; }
}
in_outputs=../plain.perf
for signal in INT TERM HUP; do
  # The tool has a second to tidy up, which it may not get on a busy machine.
  for attempt in 1 2 3 4 5; do
    ends $signal "$pgo" convert $in_outputs --binary "$subject_prog" -o out.proftext -o out.fdata \
      --perf2bolt ../tools/perf2bolt
    [ ! -e tidied ] || break
  done
  [ -e tidied ] || fail "$signal: the tool cannot tidy up"
done

# While perf2bolt runs, while llvm-bolt runs, also to take counts over from an earlier build, and when its result is there but not in place.
clang++-22 $debug -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs $cxx_sources -o relocatable
record relocatable.perf ./relocatable
clang++-22 $debug -fuse-ld=lld -Wl,--build-id=0x1234567890 -Wl,--emit-relocs $cxx_sources -o later
ends TERM "$pgo" bolt ../relocatable -o bolted --profile ../relocatable.perf --perf2bolt ../tools/perf2bolt
ends TERM "$pgo" bolt ../relocatable -o bolted --profile ../relocatable.perf --llvm-bolt ../tools/llvm-bolt
ends TERM "$pgo" bolt ../later -o bolted --profile ../relocatable.perf --stale ../relocatable --llvm-bolt ../tools/llvm-bolt
ends TERM "$pgo" bolt ../relocatable -o bolted --profile ../relocatable.perf --check '../tool {}'

# While pgo doctor tries a compiler.
ends TERM "$pgo" doctor --compiler ../tools/clang

# Where a pipe has no reader yet, the files are in place and nothing is beside them.
mkfifo pipe
printf 'main;work 5\n' > stacks.folded
# ends_at_pipe OUTPUT COMMAND...: one that writes to the pipe, and OUTPUT.
ends_at_pipe() {
  local output=$1 status=0 i runner
  shift
  rm -rf outputs
  mkdir outputs
  (cd outputs && exec "$@" > ../said 2>&1) &
  runner=$!
  for ((i = 0; i < 600; i++)); do
    [ ! -e "outputs/$output" ] || break
    sleep 0.05
  done
  kill "$runner"
  wait "$runner" || status=$?
  [ "$status" -eq 143 ] || { cat said; fail "$*: exit status $status"; }
  [ "$(ls -A outputs)" = "$output" ] || { ls -A outputs; fail "$* left other files"; }
}
ends_at_pipe out.proftext "$pgo" convert $in_outputs --binary "$subject_prog" -o llvm-text:../pipe -o out.proftext
ends_at_pipe out.folded "$pgo" merge ../stacks.folded -o folded:../pipe -o out.folded
