# Programs that are executed are recorded too: through a script, by a shell in a pipeline, by path
# and by descriptor, with the arguments and the environment that they were given.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf gcc

cat > leaf.c <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 200000; i++) sum += i % 3 ? i : 1;
  const char* word = getenv("WORD");
  printf("%s %s %s %s %u\n", argv[0], argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "",
         word ? word : "", sum % 10);
}
END
cat > caller.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char* arguments[] = {"named, otherwise", "one two", "", NULL};
  char* environment[] = {"WORD=a,b", "LD_BIND_NOW=1", NULL};
  if (execve("./absent", arguments, environment) == -1 && errno != ENOENT) return 1;
  if (execve("./caller.c", arguments, environment) == -1 && errno != EACCES) return 2;
  fexecve(open("leaf", O_RDONLY | O_CLOEXEC), arguments, environment);
  return 3;
}
END
printf '#!/bin/sh -e\nexport WORD=here\n./leaf "$1" | cat\n./caller\nexec ./leaf last\n' > script
chmod +x script
gcc -O1 -Wl,--build-id leaf.c -o leaf
gcc -O1 -Wl,--build-id caller.c -o caller
./script 'first one' > expected.txt

"$pgo" record --engine emulate --period "$(period 997)" -o perf.data -- ./script 'first one' > out.txt 2> record.log
diff expected.txt out.txt
! grep warning record.log || fail "something was not followed"

perf script -i perf.data --show-task-events -F comm,pid,event | grep 'COMM exec' |
  sed 's/.*exec: //; s/:.*//' | sort | uniq -c | sed 's/^ *//' > comms.txt
printf '1 caller\n1 cat\n3 leaf\n1 script\n' | diff - comms.txt
# The three runs of one program took the same branches, so they have as many samples, but for the last one of each.
perf script -i perf.data --comm leaf -F pid,ip 2> /dev/null | awk '{ n[$1]++ } END { for (p in n) print n[p] }' > samples.txt
[ "$(wc -l < samples.txt)" -eq 3 ]
sort -n samples.txt | awk 'NR == 1 { least = $1 } END { exit !($1 >= 50 && least * 10 >= $1 * 9) }' ||
  { cat samples.txt; fail "samples are missing"; }
