# Debug information in .dwo files: without them the code they describe is missing from the profile, which
# is said with the file's name and the share of the code.
. "$(dirname "$0")/oracle.sh"

make_subject() {
  for source in $cxx_sources; do
    clang++-22 $debug -gsplit-dwarf -c "$source"
  done
  clang++-22 -fuse-ld=lld -Wl,--build-id shapes.o work.o main.o -o prog
  record prog.perf ./prog
  mv work.dwo work.dwo.away
}

with_subject
"$pgo" convert prog.perf --binary prog -o "llvm-text:$work/part.text" 2> "$work/log"
grep -F 'prog: work.dwo, which has debug information of it (-gsplit-dwarf), was not found; the code it describes is missing from the profile' "$work/log"
grep -E '[1-9][0-9.]* % of the code in no function that the debug information knows' "$work/log"
