# A program and its shared library, neither with a build ID: a debug file is the one's whose debug link
# has its checksum, or of the only one that lacks debug information. Where that leaves a choice, no guess
# is made.
. "$(dirname "$0")/../oracle.sh"
need llvm-objcopy-22

make_subject() {
  local file
  clang++-22 $debug -fuse-ld=lld -Wl,--build-id=none -fPIC -shared "$programs/shapes.cc" -o libshapes.so
  clang++-22 $debug -fuse-ld=lld -Wl,--build-id=none "$programs/work.cc" "$programs/main.cc" \
    -L. -lshapes -Wl,-rpath,"$PWD" -o prog
  record prog.perf ./prog
  mkdir plain linked
  for file in prog libshapes.so; do
    llvm-objcopy-22 --only-keep-debug $file $file.debug
    llvm-objcopy-22 --strip-debug $file plain/$file
    llvm-objcopy-22 --add-gnu-debuglink=$file.debug plain/$file linked/$file
  done
}

with_subject
convert() { "$pgo" convert prog.perf -o "llvm-text:$work/out.text" "$@" 2> "$work/log"; }
as_whole() {
  convert "$@" || { cat "$work/log"; fail "cannot convert with $*"; }
  same "$work/whole.text" "$work/out.text"
}
refused() {  # refused OWNER OWNER FLAG...
  local one=$1 other=$2 status=0
  shift 2
  convert "$@" || status=$?
  [ "$status" = 2 ] || { cat "$work/log"; fail "exit status $status with $*"; }
  [ "$(cat "$work/log")" = "pgo: error: --debug-file libshapes.so.debug (no build ID) may belong to $one or to $other, which have no build ID either; convert them one by one, or link them with -Wl,--build-id" ] ||
    { cat "$work/log"; fail "another error"; }
}

convert --binary prog --binary libshapes.so
mv "$work/out.text" "$work/whole.text"
for function in _Z14rounds_of_worki _ZNK5Strip4areaEl; do
  grep -q "^$function:" "$work/whole.text" || fail "$function is not in the profile"
done

as_whole --binary prog --binary plain/libshapes.so --debug-file libshapes.so.debug
as_whole --binary plain/libshapes.so --binary prog --debug-file libshapes.so.debug
as_whole --binary linked/prog --binary linked/libshapes.so --debug-file libshapes.so.debug --debug-file prog.debug

refused plain/prog plain/libshapes.so --binary plain/prog --binary plain/libshapes.so --debug-file libshapes.so.debug
# The link of one tells whose it is, so it is not the other's.
refused plain/prog linked/libshapes.so --binary plain/prog --binary linked/libshapes.so --debug-file libshapes.so.debug
