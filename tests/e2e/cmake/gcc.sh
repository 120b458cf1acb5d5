# With GCC: what is profilable, the profile in GCC's own format, no path of this machine in the result, and
# a profile for clang is heard. One declaration serves both compilers.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need gcc g++ python3

project source <<'EOF'
prodpgo_profile(small FILE small.proftext ${AFDO})
prodpgo_optimize(small PROFILE small LINKED)
EOF
gcc_build="-DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++"
must_configure heard $gcc_build
says "profile small has no file for gcc: $PWD/source/small.proftext is an LLVM sample profile \
(pgo convert ... -o small.afdo makes one). Building without it until then" heard.log
build heard
says " -g1 " heard.made
never -fauto-profile heard.made
never -mllvm heard.made
never -funique-internal-linkage-names heard.made
# Inlined functions are in its debug information: -g1 is enough for a profile.
"$llvm/llvm-dwarfdump" heard/small | grep DW_TAG_inlined_subroutine > /dev/null

python3 "$here/write_afdo.py" > source/small.afdo
for type in Release RelWithDebInfo; do
  must_configure $type $gcc_build -DAFDO=small.afdo -DCMAKE_BUILD_TYPE=$type
  never "has nothing" $type.log
  build $type
  for unit in main.cc generated/table.cc lib/scale.c; do
    grep -F -- "/$unit" $type.made | grep -F -- ' -c ' > command
    says " -fauto-profile=$PWD/$type/prodpgo/$(sha256sum source/small.afdo | head -c 16)/small.afdo -gno-record-gcc-switches" command
  done
  ! "$llvm/llvm-dwarfdump" --debug-info $type/small | grep -F auto-profile || fail "the path of the profile is in $type"
done
never " -g1 " RelWithDebInfo.made
[ "$(Release/small)" = "$(heard/small)" ]
# It is not the same code; the profile was read.
text() { "$llvm/llvm-objcopy" -O binary --only-section=.text "$1" "$1.text"; }
text Release/small
text heard/small
! cmp -s Release/small.text heard/small.text || fail "the profile makes no difference"
"$pgo" show Release/small > shown
says "sha256:$(sha256sum source/small.afdo | cut -d' ' -f1)" shown

# Elsewhere: the same bytes, debug information included.
cp -r source checkout
for source in source checkout; do
  must_configure $source.bytes $gcc_build -DAFDO=small.afdo -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPRODPGO_PREFIX_MAP=FILE
  build $source.bytes
done
cmp source.bytes/small checkout.bytes/small
source=source

# The same project by clang takes the other file; a profile for GCC alone is heard there.
must_configure by_clang -DAFDO=small.afdo
build by_clang
says " -fprofile-sample-use=" by_clang.made

# A compiler for each language: the profile is missed only by one that compiles something of the target.
sed -i 's/ LINKED)/ ${LINKED})/' source/CMakeLists.txt
must_configure mixed -DCMAKE_C_COMPILER=gcc -DPRODPGO_REQUIRED=ON
build mixed
says " -fprofile-sample-use=" mixed.made
! configure mixed -DLINKED=LINKED || fail "scale, which is C, goes without a profile"
says "prodpgo_optimize(scale): profile small has no file for gcc" mixed.log

# For BOLT, functions stay in one piece.
project source <<'EOF'
prodpgo_profilable(small BOLT LINKED)
EOF
must_configure whole $gcc_build
build whole
[ "$(grep -c -- ' -fno-reorder-blocks-and-partition ' whole.made)" = 3 ]
says "--emit-relocs" whole.made
