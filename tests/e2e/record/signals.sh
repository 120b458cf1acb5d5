# Control that does not follow branches (signals from a timer, faults that are caught and jumped out
# of, code made at run time) never ends up in a stack as if it did.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf clang-22 "$llvm/llvm-profgen" "$llvm/perf2bolt"

cat > signals.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static volatile unsigned sink;
static sigjmp_buf again;

static void on_tick(int number) {
  for (int i = 0; i < number; i++) sink += (unsigned)i;
  ticks++;
}
static void on_fault(int number) { siglongjmp(again, number); }

__attribute__((noinline)) static unsigned even(unsigned x) { return x % 7 ? x * 3 + 1 : x / 7; }
__attribute__((noinline)) static unsigned odd(unsigned x) { return x & 1 ? even(x) : even(x + 1) ^ 2; }
static unsigned (*volatile chosen)(unsigned) = odd;

static void* compute(void* unused) {
  unsigned value = 1;
  for (unsigned i = 0; i < 400000; i++) value = chosen(value) + i;
  sink += value;
  return unused;
}

static void run_generated(unsigned char* page, unsigned char rounds) {
  unsigned char code[] = {0xb8, rounds, 0, 0, 0,  // mov $rounds, %eax
                          0xff, 0xc8,             // dec %eax
                          0x75, 0xfc,             // jne to the dec
                          0xc3};
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
  memcpy(page, code, sizeof code);
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  ((int (*)(void))page)();
}

int main(void) {
  struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
  struct sigaction fault = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
  sigaction(SIGPROF, &tick, NULL);
  sigaction(SIGSEGV, &fault, NULL);
  struct itimerval interval = {{0, 500}, {0, 500}};
  setitimer(ITIMER_PROF, &interval, NULL);
  pthread_t other;
  pthread_create(&other, NULL, compute, NULL);
  volatile int faults = 0;
  for (int i = 0; i < 3000; i++) {
    if (sigsetjmp(again, 1) == 0) {
      *(volatile int*)8 = i;
    } else {
      faults++;
    }
  }
  compute(NULL);
  pthread_join(other, NULL);
  unsigned char* page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (unsigned char i = 1; i < 100; i++) run_generated(page, i);
  printf("%d faults, %s\n", faults, ticks > 10 ? "ticks" : "no ticks");
}
END
clang-22 -O2 -g -w -fuse-ld=lld -Wl,--build-id signals.c -o signals
"$pgo" record --engine emulate --period "$(period 211)" -o perf.data -- ./signals > out.txt 2> record.log
grep -qx '3000 faults, ticks' out.txt

"$llvm/llvm-profgen" --binary=signals --perfdata=perf.data --output=signals.prof > profgen.log 2>&1
! grep -E 'uncondit|cross function|instruction boundary' profgen.log || fail "llvm-profgen does not believe the ranges"
"$llvm/perf2bolt" -p perf.data signals -o signals.fdata > bolt.log 2>&1
grep -q 'traces mismatching disassembled function contents: 0 (0.0%)' bolt.log
# A handler is entered by the kernel alone: nothing branches to its first instruction. (What leads up
# to a return from it is forgotten too, so that on_tick itself is hardly ever seen.)
perf script -i perf.data -F brstacksym > branches.txt
grep -q 'on_fault+0x[1-9a-f]' branches.txt
! grep -qE '/on_(tick|fault)\+0x0/' branches.txt || fail "a branch goes to a signal handler"
perf script -i perf.data --show-mmap-events 2> /dev/null | grep -c '//anon$' | grep -qx 99
