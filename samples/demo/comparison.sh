# Two builds run in turn, on requests that were not recorded. Sourced by the demo.

# work PROGRAM: the command that is measured.
work() { echo "./$1 shop 120000 11 && ./$1 warehouse 120000 12 && ./$1 reports 60000 13"; }

# compare BEFORE AFTER LIMIT: runs `pgo verify`, which lets AFTER take up to LIMIT % more CPU time. Its exit code is in
# `code`: 0 pass, 1 fail, 3 inconclusive.
compare() {
  code=0
  pgo verify --run-before "$(work "$1")" --run-after "$(work "$2")" --limit "$3" --pairs 21 > verify.log 2>&1 || code=$?
  [ $code != 2 ] || { cat verify.log >&2; return 2; }
}

# change_of_time: the change of CPU time that `compare` found.
change_of_time() {
  sed -En 's/^  CPU time .* ([-+]?[0-9.]+ %)  (.*)/\1 (95 % interval: \2)/p' verify.log
}

# print_comparison BEFORE AFTER LIMIT: compares them, and prints a line and the warnings. The exit code of `pgo verify` is
# in `code`.
print_comparison() {
  compare "$@"
  printf '  %-11s vs. %-11s  CPU time %s\n' "$2" "$1" "$(change_of_time)"
  grep '^pgo: warning: ' verify.log || true
}
