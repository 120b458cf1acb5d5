# A C program: calls through a table of static functions, DWARF without linkage names.
. "$(dirname "$0")/../oracle.sh"
need clang-22

make_subject() {
  clang-22 $debug $c_sources -fuse-ld=lld -o prog
  record prog.perf ./prog 400
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
