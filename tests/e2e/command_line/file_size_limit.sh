# A limit on the size of files (ulimit -f) is an error like a full disk: said, with exit code 2, and neither
# outputs nor temporary files remain. What is recorded has the signal as the caller had it.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt" qemu-x86_64

make_subject() {
  build -Wl,--emit-relocs
  record prog.perf ./prog
  "$pgo" convert prog.perf --binary prog -o prog.fdata 2> convert.log
}
with_subject
subject=$PWD
cd "$work"
mkdir outputs temporary
export TMPDIR=$work/temporary

# limited KILOBYTES COMMAND...: it fails, and leaves nothing.
limited() {
  local size=$1 status=0
  shift
  (cd outputs && ulimit -f "$size" && exec "$@") > out 2> log || status=$?
  [ "$status" -eq 2 ] || { cat log; fail "$*: exit code $status"; }
  grep -q "^pgo: error: .*File too large$" log || { cat log; fail "$*: does not say why"; }
  [ -z "$(find outputs temporary -mindepth 1)" ] || { find outputs temporary; fail "$*: files are left"; }
}
seq -f 'main;function_%g 5' 1 3000 > stacks.folded
limited 1 "$pgo" merge ../stacks.folded -o first.folded -o second.folded
limited 1 "$pgo" merge ../stacks.folded -o folded:first --report ../outputs/report
limited 1 "$pgo" convert "$subject/prog.perf" --binary "$subject/prog" -o out.proftext -o out.preagg
limited 1 "$pgo" bolt "$subject/prog" -o bolted --profile "$subject/prog.fdata"

# An earlier output is still there.
echo earlier > outputs/out.folded
(cd outputs && ulimit -f 1 && ! "$pgo" merge ../stacks.folded -o out.folded 2> ../log)
[ "$(ls -A outputs)" = out.folded ] && [ "$(cat outputs/out.folded)" = earlier ] || fail "the earlier output has changed"
rm outputs/out.folded

# Emulation: the emulator itself may end by the limit, and then what ran until then is recorded, or the recording
# cannot be put together.
status=0
(cd outputs && ulimit -f 16 && exec "$pgo" record --engine emulate --period 11 -o out.perf -- "$subject/prog") > out 2> log || status=$?
[ "$status" -ne 0 ] || { cat log; fail "recorded, in spite of the limit"; }
[ -z "$(find outputs temporary -mindepth 1 ! -name out.perf)" ] || { find outputs temporary; fail "pgo record left files"; }
[ ! -e outputs/out.perf ] || "$pgo" show outputs/out.perf > /dev/null || fail "pgo record left half a recording"

# By default the signal ends what is recorded; ignored from the start, it stays ignored.
cat > signals.c << 'SOURCE'
#include <signal.h>
#include <stdio.h>
int main(void) {
  struct sigaction action;
  sigaction(SIGXFSZ, NULL, &action);
  puts(action.sa_handler == SIG_IGN ? "ignored" : action.sa_handler == SIG_DFL ? "default" : "caught");
}
SOURCE
cc signals.c -o signals
for how in default ignored; do
  case $how in default) run=--default-signal=XFSZ ;; ignored) run=--ignore-signal=XFSZ ;; esac
  env $run "$pgo" record --engine emulate -o signals.perf -- ./signals > out 2> log
  [ "$(cat out)" = $how ] || fail "SIGXFSZ was $how, and is $(cat out) in what is recorded"
done
