# The profiled binary is a shared library inside another program.
. "$(dirname "$0")/../oracle.sh"
binary=libwork.so

compile() {
  clang++-22 $debug -fuse-ld=lld -fPIC -shared "$programs/shapes.cc" "$programs/work.cc" -o libwork.so
  clang++-22 $debug -fuse-ld=lld "$programs/main.cc" -L. -lwork -Wl,-rpath,"$PWD" -o prog
}

compare_with_reference_tools
