# A fork costs little more under single steps. The kernel copies each page that the child writes into, and the child
# writes into few.
. "$(dirname "$0")/../prelude.sh"
need gcc

cat > forks.c <<'EOF'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Prints how much memory a child has for itself, in kB.
int main(void) {
  const pid_t child = fork();
  if (child == 0) {
    static char text[4096];
    const int file = open("/proc/self/smaps_rollup", O_RDONLY);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0) _exit(1);
    const char* field = strstr(text, "Private_Dirty:");
    if (!field) _exit(1);
    printf("%d\n", atoi(field + strlen("Private_Dirty:")));
    exit(0);
  }
  int status;
  return waitpid(child, &status, 0) != child || status != 0;
}
EOF
gcc -O1 forks.c -o forks
alone=$(./forks)
recorded=$("$pgo" record --engine step -o forks.data -- ./forks 2> log) || { cat log; fail "the program fails"; }
echo "$alone kB alone, $recorded kB recorded"
[ $((recorded - alone)) -le 64 ] || fail "a child copies too much"

# Where the kernel cannot tell a child from its parent, nothing is recorded.
cat > no_wipe.c <<'EOF'
#include <errno.h>
#include <stddef.h>
int madvise(void* address, size_t size, int advice) { return (void)address, (void)size, (void)advice, errno = EINVAL, -1; }
EOF
gcc -shared -fPIC no_wipe.c -o no_wipe.so
LD_PRELOAD=$work/no_wipe.so "$pgo" record --engine step -o forks.data -- ./forks > out.txt 2> log
grep -Eqx 'pgo: warning: process [0-9]+ \(forks\) is not recorded: the kernel wipes no memory in forks \(MADV_WIPEONFORK\)' log ||
  { cat log; fail "does not say why nothing is recorded"; }
