# Directories with characters that mean something to CMake: options and steps get whole paths, or the configuration
# fails with a reason.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need "$llvm/llvm-bolt"

# What ends an expression, and what separates its parts. The steps of `late` are run by a launcher of the link.
odd='a>b,<c'
project "$odd/source" <<'CMAKE'
prodpgo_profile(small FILE small.proftext)
prodpgo_profile(addresses FILE small.fdata)
prodpgo_optimize(small PROFILE small BOLT addresses LINKED)
add_subdirectory(inner)
prodpgo_optimize(late PROFILE small)
CMAKE
# CMake itself refuses custom commands that make files in such a directory.
sed -i '/^add_custom_command/,/^  COMMAND/d; s| generated/table.cc| table.cc|' "$odd/source/CMakeLists.txt"
mv "$odd/source/table.in" "$odd/source/table.cc"
mkdir "$odd/source/inner"
echo 'add_executable(late late.cc)' > "$odd/source/inner/CMakeLists.txt"
echo 'int main() {}' > "$odd/source/inner/late.cc"
echo '1 main 0 1 main 4 0 1' > "$odd/source/small.fdata"
source=$odd/source
must_configure "$odd/build"
build "$odd/build"
made=$odd/build.made
says "\"-fmacro-prefix-map=$PWD/$odd/source/=small/\"" "$made"
says "\"-fmacro-prefix-map=$PWD/$odd/build/=small/prodpgo-build/\"" "$made"
says "\"-fprofile-sample-use=$PWD/$odd/build/prodpgo/" "$made"
says " match \"$PWD/$odd/build/small\" --profile \"$PWD/$odd/build/prodpgo/" "$made"
says " bolt small.prebolt -o small --profile \"$PWD/$odd/build/prodpgo/" "$made"
says "$PWD/$odd/build/inner/late: " "$made"
"$pgo" show "$odd/build/small" > shown.txt
says " profile small, unknown evidence, applied by ProdPGO" shown.txt

# What has no escape is refused.
refused() {  # refused NAME WHAT
  cp -r "$odd/source" "$1"
  source=$1
  ! configure build || fail "accepted: $1"
  says "prodpgo_optimize(small): CMake cannot pass on a path that has $2: $PWD/$1 Move or rename the directory." build.log
  rm -r build
}
refused 'a[b' "an unbalanced [ or ]"
refused 'a]b' "an unbalanced [ or ]"
refused 'a$<b' '$<'
