# The functions' debug information is in .dwo files, the line tables are in the binary.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  local source
  for source in $cxx_sources; do clang++-22 $debug -g2 -gsplit-dwarf -c "$source"; done
  clang++-22 -fuse-ld=lld shapes.o work.o main.o -o prog
  [ -s work.dwo ]
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
