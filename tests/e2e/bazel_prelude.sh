# Sourced, after prelude.sh, by the tests of the Bazel rules: makes workspaces and builds them by Debian's Bazel 4.2.3,
# without a network. What that Bazel lacks is made up for here: it has no rules_cc that it can load; all switches
# for profiles need a target that its package does not have (unzip_fdo); and it looks in the network for repositories
# that Debian has in packages, and for tools of coverage.
need bazel clang-22 clang++-22
embedded=/usr/share/bazel/embedded_tools
for directory in $embedded /usr/share/bazel/{rules/java,rules/proto,tools/skylib,tools/platforms}; do
  [ -d $directory ] || need "bazel of Debian (there is no $directory)"
done
unset CC CXX BAZEL_COMPILER PRODPGO_CC PRODPGO_LLVM_BOLT

repaired=$BUILD_DIR/tests/e2e/subjects/bazel_tools
mkdir -p "${repaired%/*}"
exec 9> "$repaired.lock"
flock 9
if [ ! -e "$repaired/complete" ]; then
  rm -rf "$repaired"
  cp -rL $embedded "$repaired"
  printf '\nalias(name = "unzip_fdo", actual = ":zipper")\n' >> "$repaired/tools/zip/BUILD"
  touch "$repaired/complete"
fi
exec 9>&-

# workspace DIRECTORY [COMPILER]: an empty one, with the rules, for this compiler (clang-22).
workspace() {
  mkdir -p "$1"
  cat > "$1/.bazelrc" << END
common --override_repository=bazel_tools=$repaired
common --override_repository=rules_cc=$here/../../bazel/debian/rules_cc
common --override_repository=rules_java=/usr/share/bazel/rules/java
common --override_repository=rules_proto=/usr/share/bazel/rules/proto
common --override_repository=bazel_skylib=/usr/share/bazel/tools/skylib
common --override_repository=platforms=/usr/share/bazel/tools/platforms
common --override_repository=remote_coverage_tools=$here/../../bazel/debian/remote_coverage_tools
common --repo_env=CC=${2:-clang-22} --repo_env=PRODPGO_PGO=$pgo
build --compilation_mode=opt --jobs=2 --nosandbox_debug --experimental_run_validations --noshow_progress --noshow_loading_progress
END
  cat > "$1/WORKSPACE" << END
workspace(name = "test")
local_repository(name = "prodpgo", path = "$here/../../bazel")
load("@prodpgo//:repositories.bzl", "prodpgo")
prodpgo.tools()
prodpgo.profile(name = "small", lock = "//:pgo.lock")
END
  printf '{"profiles": {}, "version": 1}\n' > "$1/pgo.lock"
}

# bazel COMMAND WORD...: in the workspace $workspace (default: source), with the output base $base (default: base). What it
# prints is in bazel.out
# and, of messages, in bazel.log.
bazel() {
  (cd "${workspace:-source}" &&
    command bazel --nohome_rc --output_user_root="$work/root" --output_base="$work/${base:-base}" --max_idle_secs=60 \
      --host_jvm_args=-Xmx1g "$@") > bazel.out 2> bazel.log
}
must_bazel() { bazel "$@" || { cat bazel.log; fail "bazel $*"; }; }
must_fail() { ! bazel "$@" || { cat bazel.log; fail "bazel $* succeeds"; }; }
stop_bazel() {
  local base
  for base in "$work"/base*; do
    [ ! -d "$base" ] || base=${base##*/} bazel shutdown || :
  done
  # Bazel makes directories that may not be written.
  [ ! -d "$work/root" ] || chmod -R u+w "$work/root" "$work"/base* 2> /dev/null || :
}
trap stop_bazel EXIT

# says TEXT [FILE], never TEXT [FILE]: whatever the lines are broken into.
contains() { tr -s ' \n' ' ' < "${2:-bazel.log}" | grep -F -- "$1" > /dev/null; }
says() { contains "$@" || { cat "${2:-bazel.log}"; fail "does not say: $1"; }; }
never() { ! contains "$@" || { cat "${2:-bazel.log}"; fail "says: $1"; }; }

# sources DIRECTORY: a program of two languages with a library.
sources() {
  mkdir -p "$1/lib"
  cat > "$1/lib/scale.c" << 'END'
static int __attribute__((noinline)) inner(int x) { return x % 3 == 0 ? x * 7 : x + 1; }
int scale(int x) { return inner(x) + inner(x + 1); }
END
  cat > "$1/main.cc" << 'END'
#include <cstdio>
#include <cstdlib>
extern "C" int scale(int x);
static int __attribute__((noinline)) inner(int x) { return x % 2 == 0 ? scale(x) : 3 * x; }
int main(int argc, char** argv) {
  unsigned sum = 0;
  int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  for (int i = 0; i < rounds; i++) sum += static_cast<unsigned>(inner(i));
  std::printf("%u\n", sum);
}
END
}

# pin [--lock LOCK] OPTION... FILE...: pushes the files as a version of profile small, and pins it in source/pgo.lock.
export PRODPGO_CACHE=$work/cache
pin() {
  local tag=$((${tag_number:=0} + 1))
  tag_number=$tag
  "$pgo" push "$@" "oci-dir:$work/profiles:$tag" > pushed 2> push.log || { cat push.log; fail "cannot push"; }
  "$pgo" pin small "oci-dir:$work/profiles:$tag" --lock "${workspace:-source}/pgo.lock" > pushed 2> push.log ||
    { cat push.log; fail "cannot pin"; }
}
digest_of() { sha256sum "$1" | cut -d' ' -f1; }

# build TARGET...: what ran, one line for each: its kind and what it made, is in spawned.
build() {
  must_bazel build --execution_log_json_file="$work/execution.json" "$@"
  python3 - "$work/execution.json" > spawned << 'END'
import json, sys
text, decoder, at = open(sys.argv[1]).read(), json.JSONDecoder(), 0
while text[at:].strip():
    action, at = decoder.raw_decode(text, at)
    at += len(text[at:]) - len(text[at:].lstrip())
    print(action["mnemonic"], action["runner"].replace(" ", "_"), *action["listedOutputs"])
END
}
# spawns COUNT PATTERN: how many of these ran.
spawns() {
  local found
  found=$(grep -cE -- "$2" spawned || true)
  [ "$found" = "$1" ] || { cat spawned; fail "$found ran, not $1: $2"; }
}
