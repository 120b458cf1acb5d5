# With link-time optimization it is the linker that compiles: it gets the profile and the options, from lld
# and from bfd; gold is refused in words.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

project source <<'EOF'
prodpgo_profile(small FILE small.proftext)
prodpgo_optimize(small PROFILE small LINKED)
option(IPO "" ON)
set_target_properties(small scale PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${IPO})
add_library(settings INTERFACE)
target_link_libraries(small PRIVATE settings)
target_link_libraries(scale PRIVATE settings)
target_compile_options(settings INTERFACE ${SETTINGS})
target_link_options(settings INTERFACE ${SETTINGS})
EOF
link_command() { grep -E -- ' -o small( |$)' "$1.made"; }
gets_the_profile() {
  link_command "$1" > command
  says " -fprofile-sample-use=$PWD/$1/prodpgo/" command
  says "-plugin-opt=-sample-profile-use-profi" command
  says "-plugin-opt=-enable-ext-tsp-block-placement" command
  says "-plugin-opt=-salvage-stale-profile" command
  says "-plugin-opt=-inline-enable-cost-benefit-analysis" command
  says "-plugin-opt=-pick-merged-source-locations" command
  says "-plugin-opt=-trap-unreachable" command
  never "icp-lto" "$1.made"
}
for linker in lld bfd; do
  [ $linker != bfd ] || [ -e /usr/lib/bfd-plugins/LLVMgold-22.so ] || [ -e "$llvm/../lib/LLVMgold.so" ] || continue
  must_configure $linker "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=$linker"
  build $linker
  says "-flto=thin" $linker.made
  gets_the_profile $linker
  ./$linker/small > printed
done
# The linker did read it: a profile that is nonsense stops it, not the compiler.
cp source/small.proftext kept
must_configure full -DIPO=OFF -DSETTINGS=-flto -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
build full
gets_the_profile full
link_command full | sed 's/.*&& \(.*clang.*\) && :/\1/; s|-fprofile-sample-use=[^ ]*|-fprofile-sample-use=/dev/null|' > link.sh
(cd full && ! bash ../link.sh > ../link.log 2>&1) || fail "the linker does not look at the profile"

# Without it the linker gets nothing, and what is looked up by plain names is looked up at compile time.
must_configure none -DIPO=OFF
build none
link_command none > command
never sample-profile command
says "-mllvm -icp-lto" none.made

# lld does not link modules with different profiles. A library that is not a part of it may have one of its own.
cat >> source/CMakeLists.txt << 'EOF'
if(DEFINED OTHER)
  prodpgo_profile(other FILE other.proftext)
  prodpgo_optimize(scale PROFILE other)
  set_target_properties(scale PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${OTHER})
endif()
EOF
printf 'scale:1000:100\n 1: 1000\n' > source/other.proftext
must_configure two -DOTHER=ON -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
! command cmake --build two > two.made 2>&1 || fail "lld links modules of two profiles: change docs/guide/cmake.md"
says "linking module flags 'ProfileSummary': IDs have conflicting values" two.made
must_configure two -DOTHER=OFF -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
build two

! configure gold -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold || fail "links by gold"
says "prodpgo_optimize(small): it is linked by gold, which crashes with the option that BOLT needs (--emit-relocs) and is \
not tested with profiles; link with lld or bfd: -fuse-ld=lld" gold.log
must_configure gold -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold
