#!/bin/bash
# Every C and C++ file is laid out as clang-format 22 does it. `make format` mends what this finds.
set -euo pipefail
if ! command -v clang-format-22 >/dev/null; then
  echo "SKIP: clang-format-22 is not installed"
  if [ "${PRODPGO_TOOLS-}" = required ]; then exit 1; fi
  exit 77
fi
find . \( -name build -o -name '.?*' \) -prune -o \( -name '*.cc' -o -name '*.h' -o -name '*.c' \) -print0 |
  xargs -0 clang-format-22 --dry-run --Werror
