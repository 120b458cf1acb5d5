# The debug information lies in a file of its own, named on the command line or by a debug link.
. "$(dirname "$0")/oracle.sh"

make_subject() {
  build
  llvm-objcopy-22 --only-keep-debug prog prog.debug
  llvm-objcopy-22 --strip-debug prog
  record prog.perf ./prog
  ask_profgen --debug-binary=prog.debug
}

with_subject
same_as_profgen --debug-file prog.debug
