# Makes DIR/many, a program of 60 000 functions with debug lines, and DIR/many.perf, a recording of one
# round through all of them in which every branch is in a stack. Takes about six minutes of processor time.
#
#   make_many.sh PGO DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pgo=$(realpath "$1")
mkdir -p "$2"
cd "$2"

if [ ! -x many ]; then
  python3 "$here/make_many_functions.py" many_source 60000
  find many_source -name '*.cc' -print0 | xargs -0 -P "$(nproc)" -I{} \
    sh -c 'clang++-22 -O1 -gline-tables-only -fdebug-info-for-profiling -c "$1" -o "$1.o"' compile {}
  clang++-22 -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs many_source/*.o -o many.part
  mv many.part many
  rm many_source/*.o
fi
[ -s many.perf ] || "$pgo" record --engine emulate --period 31 -o many.perf -- ./many 1 > many.log 2>&1
