#!/bin/bash
# clang-tidy 22 with the checks of .clang-tidy finds nothing in the product's sources.
# Usage: tidy_test.sh BUILD_DIRECTORY (configured here, each source file by itself and without precompiled
# headers, so that a missing #include is found too)
set -euo pipefail
if ! command -v clang-tidy-22 >/dev/null; then
  echo "SKIP: clang-tidy-22 is not installed"
  if [ "${PRODPGO_TOOLS-}" = required ]; then exit 1; fi
  exit 77
fi
cmake --preset debug -B "$1" -DPRODPGO_TESTS=OFF -Wno-dev >/dev/null
find pgo converters bolt -name '*.cc' -print0 |
  xargs -0 -P "$(nproc)" -n 4 clang-tidy-22 -p "$1" --quiet \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations
