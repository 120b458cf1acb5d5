# A recorder that is killed leaves the program alone: it goes on without being recorded, and ends as it would have.
. "$(dirname "$0")/../prelude.sh"
need gcc

cat > long.c <<'END'
#include <stdio.h>
#include <time.h>

int main(void) {
  unsigned long random = 1, rounds = 0;
  puts("begun");
  fflush(stdout);
  while (clock() < 2 * CLOCKS_PER_SEC) {
    for (int i = 0; i < 100000; i++) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      rounds += random & 1;
    }
  }
  puts(rounds > 0 ? "whole" : "wrong");
}
END
gcc -O1 long.c -o long
mkfifo ends
(
  "$pgo" record --engine step --overhead 50 --period "$(period 1000003)" -o perf.data -- ./long > ends 2> record.log &
  echo $! > recorder.pid
  status=0
  wait $! 2> /dev/null || status=$?
  echo "$status" > status
) &
{
  read -r line
  [ "$line" = begun ]
  sleep 0.5
  kill -KILL "$(cat recorder.pid)"
  read -r line || fail "the program ended with its recorder"
  [ "$line" = whole ]
} < ends
wait
[ "$(cat status)" = 137 ]
[ ! -e perf.data ] || fail "there is half a recording"
