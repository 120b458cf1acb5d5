# Threads, forks and programs that are executed are in the recording by single steps, and keep their results.
. "$(dirname "$0")/../prelude.sh"
need perf clang-22 "$llvm/perf2bolt"

cat > family.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static unsigned long collatz(unsigned long rounds) {
  unsigned long steps = 0;
  for (unsigned long i = 1; i < rounds; i++)
    for (unsigned long n = i; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

static unsigned long work(void) { return collatz(400000); }
static void* posix_thread(void* out) { return *(unsigned long*)out = work(), NULL; }
static int c11_thread(void* out) { return *(unsigned long*)out = work(), 7; }

// Ends in the middle of its work, by pthread_exit below a few calls.
__attribute__((noinline)) static void leave(void) { pthread_exit((void*)5); }
static void* leaving_thread(void* out) { return *(unsigned long*)out = work(), leave(), NULL; }

int main(int argc, char** argv) {
  if (argc > 1) return work() != strtoul(argv[1], NULL, 10);
  unsigned long results[4];
  pthread_t posix, leaving;
  thrd_t c11;
  pthread_create(&posix, NULL, posix_thread, &results[0]);
  pthread_create(&leaving, NULL, leaving_thread, &results[1]);
  thrd_create(&c11, c11_thread, &results[2]);
  void* left;
  int answer;
  pthread_join(posix, NULL);
  pthread_join(leaving, &left);
  thrd_join(c11, &answer);
  results[3] = work();
  for (int i = 0; i < 3; i++)
    if (results[i] != results[3]) return 1;
  if (left != (void*)5 || answer != 7) return 2;
  for (int i = 0; i < 2; i++) {
    if (fork() != 0) continue;
    if (i == 0) _exit(work() != results[3]);
    char text[32];
    snprintf(text, sizeof text, "%lu", results[3]);
    execl(argv[0], argv[0], text, NULL);
  }
  int bad = 0;
  for (int status; wait(&status) > 0;) bad += status != 0;
  printf("%d bad\n", bad);
}
END
clang-22 -O1 -g -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs family.c -o family
"$pgo" record --engine step --overhead 50 --period "$(period 1000003)" -o perf.data -- ./family > out.txt 2> record.log
grep -qx '0 bad' out.txt
grep -q ' samples from 6 threads in 3 processes; ' record.log || { cat record.log; fail "other threads or processes"; }
perf script -i perf.data -F tid | sort -u > tids.txt
[ "$(wc -l < tids.txt)" -eq 6 ] || { cat tids.txt; fail "not all threads have samples"; }
perf script -i perf.data --show-task-events | grep -c PERF_RECORD_COMM | grep -qx 2
"$llvm/perf2bolt" -p perf.data family -o family.fdata > bolt.log 2>&1
grep -q 'traces mismatching disassembled function contents: 0 (0.0%)' bolt.log
