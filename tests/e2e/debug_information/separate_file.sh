# A stripped binary with its debug information in another file gives the very profile of the unstripped
# one, wherever that file is found; and a file that belongs to another build is never taken.
. "$(dirname "$0")/../perturbed_recording.sh"
need llvm-objcopy-22 llvm-strip-22

cp "$subject_prog" prog
llvm-objcopy-22 --only-keep-debug prog whole.debug
llvm-strip-22 prog  # symbols, too
llvm-objcopy-22 --add-gnu-debuglink=whole.debug prog
mkdir away
mv whole.debug away

as_unstripped() {
  local form
  for form in llvm-text llvm; do
    "$pgo" convert plain.perf --binary prog -o "$form:stripped.$form" "$@" 2> convert.log ||
      { cat convert.log; fail "cannot convert with $*"; }
  done
  same expected.text stripped.llvm-text
  same expected.extbinary stripped.llvm
}
refused() {
  local expected=$1 status=0
  shift
  "$pgo" convert plain.perf --binary prog -o llvm-text:none "$@" 2> refused.log || status=$?
  [ "$status" = 2 ] || { cat refused.log; fail "exit status $status with $*"; }
  [ "$(cat refused.log)" = "pgo: error: $expected" ] || { cat refused.log; fail "expected: $expected"; }
}
"$pgo" convert plain.perf --binary "$subject_prog" -o llvm:expected.extbinary 2> convert.log

refused "prog: is stripped: it has no symbol table, so its code cannot be found; give the unstripped binary, or its debug file with --debug-file"

# Named on the command line.
as_unstripped --debug-file away/whole.debug
# Beside the binary, and in .debug there, by the name in .gnu_debuglink.
ln -s away/whole.debug whole.debug
as_unstripped
rm whole.debug
mkdir .debug
cp away/whole.debug .debug
as_unstripped
rm -r .debug
# Below a root, as /usr/lib/debug is one: by build ID, and by the path of the binary.
mkdir -p "root/.build-id/${build_id:0:2}" "paths$PWD"
cp away/whole.debug "root/.build-id/${build_id:0:2}/${build_id:2}.debug"
as_unstripped --debug-root root
cp away/whole.debug "paths$PWD"
as_unstripped --debug-root nowhere --debug-root paths
# Without debug information, but with symbols, in all three ways as well.
llvm-objcopy-22 --strip-debug "$subject_prog" prog
as_unstripped --debug-root root

# A debug file of another build is an error when it is named, and passed over when it is found.
printf 'int main() { return 0; }\n' > other.c
clang-22 -g -fuse-ld=lld -Wl,--build-id=0x00112233445566778899 other.c -o other.debug
refused "--debug-file other.debug (00112233445566778899) belongs to none of the binaries:
  prog  $build_id" --debug-file other.debug
cp prog unstripped
llvm-strip-22 prog
refused "prog: is stripped: it has no symbol table, so its code cannot be found; no --debug-file belongs to this build ($build_id):
  other.debug  00112233445566778899" --debug-file other.debug
mv unstripped prog
mkdir -p "wrong/.build-id/${build_id:0:2}"
cp other.debug "wrong/.build-id/${build_id:0:2}/${build_id:2}.debug"
refused "prog: has no debug information; build with -gline-tables-only -fdebug-info-for-profiling, or name the debug file with --debug-file" \
  --debug-root wrong
