# The profiled binary is a shared library inside another program.
. "$(dirname "$0")/../oracle.sh"
binary=libwork.so

make_subject() {
  clang++-22 $debug -fuse-ld=lld -fPIC -shared "$programs/shapes.cc" "$programs/work.cc" -o libwork.so
  clang++-22 $debug -fuse-ld=lld "$programs/main.cc" -L. -lwork -Wl,-rpath,"$PWD" -o prog
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
