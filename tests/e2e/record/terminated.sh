# SIGTERM and SIGHUP to pgo record end the command, and what it did until then is recorded; nothing is
# left running and nothing lies around.
# Signals that are ignored, as they are under nohup, would stay so, and a shell cannot have them back.
[ -n "${SIGNALS_ARE_DEFAULT-}" ] || SIGNALS_ARE_DEFAULT=yes exec env --default-signal=TERM,HUP bash "$0"
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf

# end_with SIGNAL COMMAND...: its exit status, after it got the signal when the file `pid` had appeared.
end_with() {
  local signal=$1 recorder status=0 i
  shift
  rm -f pid
  "$@" 2> log &
  recorder=$!
  for ((i = 0; i < 600; i++)); do
    [ ! -e pid ] || break
    sleep 0.05
  done
  kill -s "$signal" "$recorder"
  wait "$recorder" || status=$?
  echo "$status"
}
is_gone() { ! kill -0 "$1" 2> /dev/null; }
emulate() { exec "$pgo" record --engine emulate --period "$(period 101)" -o perf.data -- "$@"; }

work_on='i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done; echo $$ > new; mv new pid; while :; do i=1; done'
for signal in TERM HUP; do
  status=$(end_with "$signal" emulate sh -c "$work_on")
  [ "$status" -eq $((128 + $(kill -l "$signal"))) ]
  is_gone "$(cat pid)"
  perf script -i perf.data -F brstack > stacks 2> /dev/null
  [ "$(wc -l < stacks)" -gt 10 ]
  [ "$(ls -A)" = "$(printf '%s\n' log perf.data pid stacks)" ]
  rm perf.data
done

# The command may have its own way to end.
status=$(end_with TERM emulate sh -c "trap 'exit 5' TERM; $work_on")
[ "$status" -eq 5 ]
perf script -i perf.data > /dev/null

# What was ignored from the start stays so.
status=$(trap '' HUP; end_with HUP emulate sh -c 'echo > pid; sleep 1; exit 6')
[ "$status" -eq 6 ]

# perf finishes its file on SIGTERM and not on SIGHUP. A stand-in plays it.
printf 'event type=ip,tid,time,branch branch=user,any\nsample pid=1 time=1 ip=0x10 branches=0x20/0x10\n' |
  recording_from_text made.perf
mkdir bin
cat > bin/perf <<'END'
#!/bin/bash
while [ "$1" != -o ]; do
  [ "$1" != script ] || { echo " 0x20/0x10/P/-/-/0 "; exit; }
  shift
done
if [ -n "${STAND_IN_TRIAL_TAKES:-}" ]; then
  echo $$ > new
  mv new pid
  exec sleep "$STAND_IN_TRIAL_TAKES"
fi
[ "${!#}" != true ] || { cp "${0%/bin/perf}/made.perf" "$2"; exit; }
printf unfinished > "$2"
trap 'cp "${0%/bin/perf}/made.perf" "$2"; trap - TERM; kill -TERM $$' TERM
echo $$ > new
mv new pid
while :; do sleep 0.05; done
END
chmod +x bin/perf
export PATH=$work/bin:$PATH
by_perf() { exec "$pgo" record --engine perf -o new.perf "$@"; }
for signal in TERM HUP; do
  status=$(end_with "$signal" by_perf -- sleep 60)
  [ "$status" -eq 143 ]
  is_gone "$(cat pid)"
  cmp made.perf new.perf
  [ "$(ls -A)" = "$(printf '%s\n' bin log made.perf new.perf perf.data pid stacks)" ]
  rm new.perf
done
[ "$(end_with TERM by_perf --pid $$)" -eq 0 ]
cmp made.perf new.perf

# Before perf has started, nothing is recorded, which is said.
rm new.perf
for signal in TERM HUP; do
  [ "$(STAND_IN_TRIAL_TAKES=60 end_with "$signal" by_perf -- sleep 60)" -gt 128 ]
  is_gone "$(cat pid)"
  [ "$(cat log)" = "pgo: warning: ended before the recording had started: nothing was recorded" ]
  [ ! -e new.perf ]
done
