# Sourced by every test here. A test is one script, SUBJECT/NAME.sh, about one behaviour, and works in the directory
# work/SUBJECT_NAME of the build tree. A test that cannot run says why and is skipped (exit 77); one that fails prints the line that
# failed and leaves its directory.
#
# In: BUILD_DIR, the build tree, and PGO, the program under test. With PRODPGO_TOOLS=required, as in
# continuous integration, a missing tool, which install/dependencies.sh installs, is a failure instead.
# `$work` is the test's directory, and the current one.
set -eEuo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
script=$(realpath "$0")
name=${script#"$here/"}
name=${name%.sh}
name=${name//\//_}
: "${BUILD_DIR:?is the build tree; run this with ctest}"
work=$BUILD_DIR/tests/e2e/work/$name
llvm=/usr/lib/llvm-22/bin
pgo=${PGO:?is the program under test}
PATH=$BUILD_DIR/tests/data:$PATH
export LC_ALL=C

trap 'echo "FAILED: $0, line $LINENO: $BASH_COMMAND" >&2; echo "left in $work" >&2' ERR

skip() {
  echo "SKIPPED: $*"
  trap - ERR
  exit 77
}

fail() {
  echo "FAILED: $0: $*" >&2
  echo "left in $work" >&2
  trap - ERR
  exit 1
}

# need TOOL...: what the test cannot do without.
need() {
  local tool
  for tool; do
    command -v "$tool" > /dev/null && continue
    [ "${PRODPGO_TOOLS-}" != required ] || fail "$tool is not installed (install/dependencies.sh test)"
    skip "$tool is not installed"
  done
}

# id_of FILE: its build ID.
id_of() { "$llvm/llvm-readelf" -n "$1" | sed -n 's/.*Build ID: //p'; }
# is_bolted FILE: did llvm-bolt write it?
is_bolted() { "$llvm/llvm-readelf" -S "$1" | grep -F .bolt.org.text > /dev/null; }

# unprivileged COMMAND...: runs it with no more rights than the permissions of files give. Root has more.
unprivileged() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
  else
    "$@"
  fi
}

# What `make test-shaken` (shaken.py) changes from round to round: no answer may depend on where samples fall, or on
# the seed of what is made up.
# period N: the sampling period for a recording, near N, and prime: a loop of as many branches in each turn as divide it
# would keep step with it, so that all samples are at the same branches.
period() {
  local period=$(($1 * ${SHAKEN_PERIOD_PERCENT:-100} / 100))
  while [[ $(factor $period) != "$period: $period" ]]; do period=$((period + 1)); done
  echo $period
}
# seed N: a seed for made-up input.
seed() { echo $(($1 + ${SHAKEN_SEED:-0})); }

rm -rf "$work"
mkdir -p "$work"
cd "$work"
