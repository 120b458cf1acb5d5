# The debug information lies in a file of its own, named on the command line or by a debug link.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build
  llvm-objcopy-22 --only-keep-debug prog prog.debug
  llvm-objcopy-22 --strip-debug prog
  record prog.perf ./prog
  ask_profgen --debug-binary=prog.debug
}

with_subject
same_as_profgen --debug-file prog.debug

# Found by its link, it is used as if it had been named.
mkdir "$work/linked"
llvm-objcopy-22 --add-gnu-debuglink=prog.debug prog "$work/linked/prog"
cp prog.debug "$work/linked"
"$pgo" convert prog.perf --binary "$work/linked/prog" --compat=llvm-profgen -o "llvm-text:$work/linked.text"
same reference.text "$work/linked.text"
