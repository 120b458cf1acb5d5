#!/bin/bash
# clang-tidy 22 with the checks of .clang-tidy finds nothing in the product's sources.
# Usage: tidy_test.sh BUILD_DIRECTORY (one with compile_commands.json)
set -euo pipefail
if ! command -v clang-tidy-22 >/dev/null; then
  echo "SKIP: clang-tidy-22 is not installed"
  if [ "${PRODPGO_TOOLS-}" = required ]; then exit 1; fi
  exit 77
fi
find pgo converters bolt -name '*.cc' -print0 |
  xargs -0 -P "$(nproc)" -n 4 clang-tidy-22 -p "$1" --quiet \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations \
    --extra-arg=-Wno-ignored-gch --extra-arg=-Wno-unused-command-line-argument
