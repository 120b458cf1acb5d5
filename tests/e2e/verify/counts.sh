# Under emulation, instructions and taken branches of two programs are exact: of threads, of forked processes and of
# what these execute, too.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 gcc

# N rounds of a loop of three instructions, whose branch is taken N - 1 times: in the first process, in a thread, in a
# forked process, or in a program that a forked process executes; and with a branch that lies in two pages of memory.
cat > loop.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void loop_over_pages(unsigned long rounds);
__asm__(".text\n.p2align 12\n"
        "loop_over_pages: jmp 2f\n"
        ".skip 4090 - (. - loop_over_pages)\n"
        "2: nop; dec %rdi; .byte 0x0f, 0x85; .long 2b - 3f\n"  // jne 2b
        "3: ret\n");

static void* loop(void* rounds) {
  unsigned long left = *(unsigned long*)rounds;
  __asm__ volatile("1: nop; dec %0; jne 1b" : "+r"(left) : : "cc");
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long rounds = strtoul(argv[2], NULL, 10);
  int in_child = strchr("thp", argv[1][0]) == NULL;
  pthread_t thread;
  if (argv[1][0] == 'h') loop(&rounds);
  if (argv[1][0] == 'p') loop_over_pages(rounds);
  if (argv[1][0] == 't') {
    pthread_create(&thread, NULL, loop, &rounds);
    pthread_join(thread, NULL);
  }
  if (in_child && fork() == 0) {
    if (argv[1][0] == 'e') execl(argv[0], argv[0], "here", argv[2], (char*)NULL);
    loop(&rounds);
    if (argv[1][0] == 'k') raise(9);
    _exit(0);
  }
  if (in_child) wait(NULL);
  puts("done");
  return 0;
}
END
sed -i 's/#include <pthread.h>/&\n#include <signal.h>/' loop.c
gcc -O1 -pthread loop.c -o loop

verify() { # STATUS ARGUMENT...
  status=0
  "$pgo" verify --count --report report.json "${@:2}" > printed 2> said || status=$?
  [ $status -eq $1 ] || { cat printed said; fail "exit code $status instead of $1: $*"; }
}
# grown MINIMUM MAXIMUM: how much more instructions, and branches for each three.
grown() {
  python3 - "$@" <<'END' || { cat report.json; fail "other counts"; }
import json, sys
low, high = int(sys.argv[1]), int(sys.argv[2])
instructions, branches = json.load(open("report.json"))["counts"]
more = [min(count["after"]) - max(count["before"]) for count in (instructions, branches)]
assert low <= more[0] <= high, more
assert abs(more[0] - 3 * more[1]) <= 0.01 * more[0], more
END
}

for where in here pages thread fork exec killed; do
  verify 1 --run-before "./loop $where 100000" --run-after "./loop $where 1100000" --any-output
  grown 2990000 3010000
  grep -q '^  verdict  *fail: the new program executes [0-9.]* % .*more instructions' printed || { cat printed; fail "$where"; }
done

# Equal runs have equal counts; nothing is printed into the output of the commands.
verify 0 --run-before './loop here 1000' --run-after './loop here 1000'
[ "$(grep -c ' exact$' printed)" = 2 ] || { cat printed; fail "not exact"; }
grep -q '^  note  *counts ignore caches, branch prediction and the kernel$' printed
verify 2 --run-before './loop here 1000' --run-after 'echo other'
grep -q 'print different output, from line 1 on' said
verify 2 --run-before './loop here 1000' --run-after 'echo broken >&2; exit 5'
grep -q '^pgo: error: echo broken >&2; exit 5: failed with exit code 5: broken$' said || { cat said; fail "another error"; }

# A repeated string instruction counts once, as on a processor.
cat > string.c <<'END'
#include <stdlib.h>
static char from[1 << 20], to[1 << 20];
int main(int argc, char** argv) {
  (void)argc;
  unsigned long size = strtoul(argv[1], NULL, 10);
  char *source = from, *target = to;
  __asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(size) : : "memory");
  return 0;
}
END
gcc -O1 string.c -o string
verify 0 --run-before './string 100000' --run-after './string 999999' -o counts.md
python3 -c 'import json; c = json.load(open("report.json"))["counts"][0]; assert c["after"][0] - c["before"][0] < 100, c'
grep -q '^| instructions | ' counts.md
