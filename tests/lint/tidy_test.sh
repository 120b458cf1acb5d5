#!/bin/bash
# clang-tidy 22 with the checks of .clang-tidy finds nothing in the product's sources.
# Usage: tidy_test.sh BUILD_DIRECTORY (configured here, each source file by itself and without precompiled
# headers, so that a missing #include is found too; a file that passed there before is not checked again)
set -euo pipefail
if ! command -v clang-tidy-22 >/dev/null; then
  echo "SKIP: clang-tidy-22 is not installed"
  if [ "${PRODPGO_TOOLS-}" = required ]; then exit 1; fi
  exit 77
fi
cmake --preset debug -B "$1" -DPRODPGO_TESTS=OFF -Wno-dev >/dev/null
cmake --build "$1" --target store_messages >/dev/null
python3 tests/lint/tidy_files.py . "$1"
