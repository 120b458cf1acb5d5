# Threads that begin with signals blocked have no samples under single steps, and are counted: those of the program,
# and the first ones of programs that are executed and of children, which inherit the mask.
. "$(dirname "$0")/../prelude.sh"
need gcc

cat > blocked.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Does what its arguments say, one after the other.
static void* act(void* rest) {
  for (char** word = rest; *word; word++) {
    sigset_t signals;
    sigemptyset(&signals);
    if (strcmp(*word, "block_all") == 0) sigfillset(&signals);
    if (strcmp(*word, "block_trap") == 0) sigaddset(&signals, SIGTRAP);
    if (strcmp(*word, "block_timer") == 0) sigaddset(&signals, SIGRTMAX - 3);
    if (strcmp(*word, "block_others") == 0) {
      sigfillset(&signals);
      sigdelset(&signals, SIGTRAP);
      sigdelset(&signals, SIGRTMAX - 3);
    }
    sigprocmask(SIG_BLOCK, &signals, NULL);
    if (strcmp(*word, "unblock") == 0) sigprocmask(SIG_SETMASK, &signals, NULL);
    if (strcmp(*word, "burn") == 0)
      while (clock() < CLOCKS_PER_SEC / 10) {}
    if (strcmp(*word, "run") == 0) execv(word[1], word + 1);
    if (strcmp(*word, "thread") == 0) {
      pthread_t thread;
      pthread_create(&thread, NULL, act, word + 1);
      pthread_join(thread, NULL);
      break;
    }
    if (strcmp(*word, "fork") == 0) {
      const pid_t child = fork();
      if (child == 0) continue;
      int status = 1;
      if (waitpid(child, &status, 0) != child || status != 0) _exit(1);
      break;
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  act(argv + 1);
  return 0;
}
END
gcc -O1 -pthread blocked.c -o blocked

# counts WARNING WORD...: what the program does for the words gives this warning; none if it is empty.
counts() {
  local expected=$1
  shift
  ./blocked "$@" || fail "$*: exit code $? alone"
  "$pgo" record --engine step -o blocked.data -- ./blocked "$@" 2> log || { cat log; fail "$*: exit code $?"; }
  check "$expected" "$*"
}
check() {
  [ "$(sed -n 's/^pgo: warning: \(.* began with .*\)/\1/p' log)" = "$1" ] ||
    { cat log; fail "$2: the warning is not '$1'"; }
}
one='1 thread of the command began with signals blocked and may have no samples'
two='2 threads of the command began with signals blocked and may have no samples'
counts '' burn
counts '' block_all burn
counts '' block_others run ./blocked fork thread burn
for signals in all trap timer; do counts "$one" block_$signals run ./blocked burn; done
counts "$one" block_all thread burn
counts "$one" block_all fork burn
counts "$one" block_all fork run ./blocked burn  # one thread all along
counts '' block_all fork unblock run ./blocked burn
counts "$one" block_all run ./blocked unblock run ./blocked burn
counts "$two" block_all run ./blocked fork burn
counts "$two" block_all run ./blocked thread burn

# All signals are blocked in pgo, too.
./blocked block_all run "$pgo" record --engine step -o blocked.data -- ./blocked burn 2> log || { cat log; fail "pgo ends with $?"; }
check "$one" pgo
