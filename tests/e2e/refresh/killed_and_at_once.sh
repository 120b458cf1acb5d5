# pgo refresh that is killed at any step is run again, with the result of one run; runs at the same time wait for each
# other.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"
need cc

cp -r store builds pgo.toml "$(mkdir undisturbed && echo undisturbed)"
(cd undisturbed && PRODPGO_CACHE=$work/undisturbed/cache "$pgo" refresh > text 2> log)
wanted=$(locked - manifest undisturbed/pgo.lock)

# Each step ends when a complete file gets its name.
cat > killer.c << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int rename(const char* from, const char* to) {
  static int left = -1;
  if (left < 0) left = atoi(getenv("KILL_AT"));
  int is_step = fnmatch(getenv("KILL_FILE"), to, 0) == 0 && --left == 0;
  if (is_step && *getenv("KILL_WHEN") == 'b') kill(getpid(), SIGKILL);
  int status = ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename"))(from, to);
  if (is_step) kill(getpid(), SIGKILL);
  return status;
}
END
cc -shared -fPIC -o killer.so killer.c -ldl

# killed before|after NUMBER FILE: kills a run when the file, a pattern, gets its name for the NUMBERth time.
killed() {
  local status=0
  rm -rf registry pgo.lock cache
  echo '# An earlier run' > summary.md
  {
    KILL_WHEN=$1 KILL_AT=$2 KILL_FILE=$3 LD_PRELOAD=$work/killer.so "$pgo" refresh > killed.text 2> killed.log ||
      status=$?
  } 2> /dev/null
  [ $status = 137 ] || { cat killed.text killed.log; fail "exit code $status: no $3 number $2"; }
}
while read -r when number file; do
  killed "$when" "$number" "$file"
  case "$when $file" in
    "after pgo.lock")
      expect "pinned" "$wanted" "$(locked - manifest)"
      says '## queryd' summary.md
      ;;
    *summary.md) says "$([ "$number" = 1 ] && echo '# An earlier run' || echo '## queryd')" summary.md ;;
    *) ! [ -e pgo.lock ] || fail "pinned $when $file number $number" ;;
  esac
  refresh 0
  says '## queryd' summary.md
  expect "version after a kill $when $file number $number" "$wanted" "$(locked - manifest)"
  "$pgo" list oci-dir:registry --json > list.json
  python3 -c 'import json; (version,) = json.load(open("list.json"))["versions"]; assert len(version["tags"]) == 1, version'
  left=$(find cache/refresh -type f)
  expect "what is left in the workspace" "" "$left"
done << 'END'
before 1 */cache/blobs/*
before 1 */bundle
before 1 */queryd.prof
before 1 registry/oci-layout
before 1 registry/blobs/*
before 5 registry/blobs/*
before 2 registry/index.json
after 2 registry/index.json
before 1 summary.md
before 1 pgo.lock
after 1 pgo.lock
before 2 summary.md
END

# Two at once: one pins, the other waits, and finds nothing new.
rm -r registry pgo.lock cache
"$pgo" refresh > first.text 2> first.log &
first=$!
"$pgo" refresh > second.text 2> second.log &
second=$!
wait $first || { cat first.log; fail "the first failed"; }
wait $second || { cat second.log; fail "the second failed"; }
cat first.text second.text > both
expect "pinned once" 1 "$(grep -c '^queryd: pinned to' both)"
expect "nothing new once" 1 "$(grep -c '^queryd: nothing new' both)"
expect "version" "$wanted" "$(locked - manifest)"
left=$(find cache/refresh -type f)
expect "what is left in the workspace" "" "$left"
