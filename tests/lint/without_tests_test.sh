#!/bin/bash
# The program is built without GoogleTest: `make`, `make demo` and `make install` build what is
# installed and nothing else. Who asks for the tests is told what they lack.
# Usage: without_tests_test.sh
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

configure() { cmake -S . -B "$work/build" -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON "$@" > "$work/said" 2>&1; }

configure && fail "configured the tests without GoogleTest"
tr -s ' \n' ' ' < "$work/said" |
  grep -qF 'GoogleTest was not found: install libgtest-dev, or build without the tests: -DPRODPGO_TESTS=OFF' ||
  fail "says instead: $(cat "$work/said")"
rm -rf "$work/build"
configure -DPRODPGO_TESTS=OFF || fail "$(cat "$work/said")"

# In a tree that has been built nowhere yet, and as far as make goes without doing anything.
git ls-files -z Makefile | xargs -0 cp -t "$work"
for target in all demo install; do
  make --no-print-directory -n -C "$work" DEPENDENCIES=: $target > "$work/said"
  grep -q 'cmake --preset release -DPRODPGO_TESTS=OFF' "$work/said" || fail "make $target: $(cat "$work/said")"
  builds=$(grep 'cmake --build' "$work/said")
  [ "$builds" = "cmake --build --preset release --target pgo prodpgo_branch_recorder prodpgo_event_counter prodpgo_stepper" ] ||
    fail "make $target: $builds"
done
