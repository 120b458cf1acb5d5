# The functions' debug information is in .dwo files, the line tables are in the binary.
. "$(dirname "$0")/../oracle.sh"

compile() {
  local source
  for source in $cxx_sources; do clang++-22 $debug -g2 -gsplit-dwarf -c "$source"; done
  clang++-22 -fuse-ld=lld shapes.o work.o main.o -o prog
  [ -s work.dwo ]
}

compare_with_reference_tools
