# Programs that cannot be stepped safely are refused before they run, with the reason.
. "$(dirname "$0")/../prelude.sh"
need gcc objcopy

# refuses PROGRAM REASON
refuses() {
  rm -f ran
  local status=0
  "$pgo" record --engine step -o perf.data -- "$1" 2> log || status=$?
  [ "$status" = 2 ] || { cat log; fail "$1: exit code $status"; }
  grep -qxF "pgo: error: $1 cannot be recorded by single steps: $2; use --engine perf, clock or emulate" log ||
    { cat log; fail "$1: another reason"; }
  [ ! -e ran ] || fail "$1 was run"
  [ ! -e perf.data ] || fail "$1 left a recording"
}

echo '#include <stdio.h>
int main(void) { return !fopen("ran", "w"); }' > program.c
gcc -static program.c -o static
refuses ./static 'it is linked statically, and preloads nothing'

gcc program.c -o musl -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1
refuses ./musl 'its dynamic loader, /lib/ld-musl-x86_64.so.1, is not that of glibc'

gcc program.c -o other
printf '\267\0' | dd of=other bs=1 seek=18 conv=notrunc status=none  # e_machine: aarch64
refuses ./other 'it is not a readable x86-64 program'

gcc program.c -o sanitized -fsanitize=address
refuses ./sanitized 'libasan.so must be the first library that is loaded'

# A Go program that uses C is linked dynamically; its runtime has system calls of its own.
echo > info
gcc program.c -o mixed
objcopy --add-section .go.buildinfo=info mixed go
refuses ./go 'Go programs handle signals without the C library'

if [ "$(id -u)" = 0 ]; then
  gcc program.c -o privileged
  chown 65534 privileged
  chmod u+s privileged
  refuses ./privileged 'it gains privileges when executed, and preloads nothing'
fi

status=0
"$pgo" record --engine step --pid $$ -o perf.data 2> log || status=$?
[ "$status" = 2 ]
grep -qxF 'pgo: error: --pid needs --engine perf or clock: single steps need a command that is started here' log

# Scripts are their interpreter's business; a command that is not there is said to be so.
printf '#!%s\n' "$work/static" > script
chmod +x script
"$pgo" record --engine step -o perf.data -- ./script 2> log && fail "a script of a static program was recorded"
grep -qF "$work/static cannot be recorded by single steps: it is linked statically" log
"$pgo" record --engine step -o perf.data -- ./none 2> log && fail "nothing was recorded"
grep -qF './none: cannot be executed: No such file or directory' log
[ ! -e ran ]

# What the command starts so that nothing is preloaded has no samples, and a warning says why.
echo 'int main(void) { for (volatile long i = 0; i < 2000000000; i++) {} return 0; }' > spin.c
gcc -O1 spin.c -o spin
"$pgo" record --engine step -o spin.data -- env -i ./spin 2> log
not_sampled='single steps do not sample static programs, programs that su, sudo or env -i start, and threads that block all
signals; put pgo record after su, sudo or env'
sed -E 's/took [0-9.]+ s/took N s/' log | grep -qxF "pgo: warning: spin.data has no samples, but the command took N s \
of CPU time: ${not_sampled/$'\n'/ }" ||
  { cat log; fail "it does not say why there are no samples"; }
"$pgo" record --engine step -o spin.data -- ./spin 2> log
! grep -q 'warning' log || { cat log; fail "a program that is sampled has a warning"; }

"$pgo" record --engine clock --overhead 3 -o clock.data -- ./spin 2> log && fail "takes --overhead for the clock"
grep -qxF 'pgo: error: --overhead is for --engine step' log
