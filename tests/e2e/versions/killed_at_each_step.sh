# A push is killed at each of its calls that change files, one after another. After each the layout parses, if there is
# one, and lists the version that was there before; the next push succeeds and finds nothing that disturbs it. SIGTERM
# leaves no unfinished file either.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need cc python3

cat > killer.c << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static int left = -1;
static void step(void) {
  if (left < 0) left = atoi(getenv("KILL_AT"));
  if (--left == 0) kill(getpid(), atoi(getenv("KILL_BY")));
}
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))
int rename(const char* from, const char* to) {
  step();
  return REAL(int, "rename", const char*, const char*)(from, to);
}
int fsync(int fd) {
  step();
  return REAL(int, "fsync", int)(fd);
}
int mkdir(const char* path, mode_t mode) {
  step();
  return REAL(int, "mkdir", const char*, mode_t)(path, mode);
}
int flock(int fd, int operation) {
  step();
  return REAL(int, "flock", int, int)(fd, operation);
}
ssize_t write(int fd, const void* bytes, size_t size) {
  if (fd > 2) step();
  return REAL(ssize_t, "write", int, const void*, size_t)(fd, bytes, size);
}
END
cc -shared -fPIC -o killer.so killer.c -ldl

profile first/server.proftext 1
profile second/server.proftext 2
# try DIRECTORY STEP SIGNAL: pushes `second` and is killed; the status of the push.
try() {
  local status=0
  KILL_AT=$2 KILL_BY=$3 LD_PRELOAD=$work/killer.so "$pgo" push second/server.proftext "oci-dir:$1:latest" > text 2> log || status=$?
  [ $status = 0 ] || [ $status = $((128 + $3)) ] || fail "exit code $status at step $2: $(cat log)"
  return $status
}

listed() { grep -q "\"digest\":\"$1\"" p/index.json || fail "$1 is not listed after step $step"; }
for case in "empty 9" "used 9" "used 15"; do
  read -r begin signal <<< "$case"
  step=1
  while true; do
    rm -rf p
    [ $begin = empty ] || before=$("$pgo" push first/server.proftext oci-dir:p:latest 2> log)
    ended=0
    { try p $step "$signal"; } 2> /dev/null || ended=$?
    if [ $begin = used ]; then
      check_layout p
      listed "$before"
      [ "$signal" = 9 ] || [ -z "$(ls -A p/.prodpgo/tmp)" ] || fail "an unfinished file is left after step $step"
    elif [ -e p/oci-layout ]; then
      check_layout p
    fi
    digest=$("$pgo" push second/server.proftext oci-dir:p:latest 2> log)
    listed "$digest"
    [ $ended != 0 ] || break
    step=$((step + 1))
  done
  check_layout p
  echo "$case: $step steps"
  # Three blobs and the index, each written, synced and renamed, and two locks.
  [ $step -gt 12 ] || fail "only $step steps"
done
