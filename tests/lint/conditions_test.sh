#!/bin/bash
# Finds lines of test scripts that cannot fail: under `set -e` the first part of `A && B` may be false,
# and so may all of `! A`, and the script goes on. Two lines are what was meant, or `! A || fail`.
#
# Usage: conditions_test.sh [SCRIPT...] (default: all of tests/)
set -euo pipefail

unfailing() { awk '
  FNR == 1 { continued = 0 }
  !continued && /^[ \t]*(\[|\[\[) .*\]\]? &&/ ||
    !continued && /^[ \t]*! / && !/\|\|/ && !/\\$/ { print FILENAME ":" FNR ": cannot fail: " $0 }
  { continued = /(\\|\|\||&&)$/ }' "$@"; }

# It finds what it is for.
found=$(printf '%s\n' '[ a ] && b' '  [[ a ]] && b' '! a' 'a ||' '  ! b' '! a || b' 'if [ a ] && [ b ]; then' |
  unfailing - | cut -d: -f2 | tr '\n' ' ')
if [ "$found" != "1 2 3 " ]; then
  echo "finds lines $found, not 1 2 3" >&2
  exit 1
fi

if [ $# -eq 0 ]; then set -- tests/*/*.sh; fi
found=$(unfailing "$@")
if [ -n "$found" ]; then
  echo "$found" >&2
  exit 1
fi
