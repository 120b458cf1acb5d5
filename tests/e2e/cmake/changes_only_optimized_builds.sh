# Options reach C and C++ in optimized configurations, with every generator; nothing else changes. What
# compile_commands.json says is what is run.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need make python3

cat > compare_commands.py <<'EOF'
"""Each command of BUILD/compile_commands.json was run, word for word, by the build in BUILD.made."""
import json, re, shlex, sys
def words(command):
    out = iter(shlex.split(command))
    return [w for w in out if w != "-MD" and not (w in ("-MT", "-MF") and next(out))]
made = []
for line in open(sys.argv[1] + ".made"):
    if " -c " in line:
        try:
            made.append(words(re.search(r"/\S*clang.*", line)[0]))
        except ValueError:
            pass
wanted = [words(e["command"]) for e in json.load(open(sys.argv[1] + "/compile_commands.json"))
          if sys.argv[2] in e["command"]]
lost = [w for w in wanted if w not in made]
sys.exit("not run as it says: %s\nbut: %s" % (lost, made) if lost or not wanted else 0)
EOF

project source <<'EOF'
enable_language(ASM)
target_sources(small PRIVATE nothing.S)
prodpgo_profile(small FILE small.proftext)
prodpgo_optimize(small PROFILE small LINKED)
EOF
echo '.section .note.GNU-stack,"",%progbits' > source/nothing.S
ours='-f(profile-sample-use|pseudo-probe|debug-info-for-profiling|unique-internal|macro-prefix)|-mllvm|-gline|build-id'
# of SOURCE BUILD: the command that compiled it.
of() { grep -F -- "/$1" "$2.made" | grep -F -- ' -c '; }

for generator in Ninja "Unix Makefiles"; do
  build=${generator// /_}
  must_configure "$build"
  build "$build"
  python3 compare_commands.py "$build" ""
  for source_file in main.cc generated/table.cc lib/scale.c; do
    of $source_file "$build" > command
    says "-gline-tables-only" command
    says "-fprofile-sample-use=$PWD/$build/prodpgo/" command
    for option in -fpseudo-probe-for-profiling -fdebug-info-for-profiling -funique-internal-linkage-names "-mllvm -sample-profile-use-profi" \
      "-mllvm -pick-merged-source-locations" "-mllvm -icp-lto" "-mllvm -salvage-stale-profile" \
      "-mllvm -inline-enable-cost-benefit-analysis" "-mllvm -trap-unreachable"; do
      says " $option " command
    done
  done
  ! of nothing.S "$build" | grep -E -- "$ours" || fail "assembly was touched"
done

must_configure debug -DCMAKE_BUILD_TYPE=Debug
says "ProdPGO: small is not optimized (CMAKE_BUILD_TYPE is Debug), so no profile is applied" debug.log
build debug
! grep -E -- "$ours|prodpgo/[0-9a-f]{16}" debug.made || fail "the debug build was touched"
# So is a build of no configuration, which is said, unless the target is optimized by itself.
must_configure none -DCMAKE_BUILD_TYPE=
says "small is not optimized (CMAKE_BUILD_TYPE is empty), so no profile is applied. Choose one: -DCMAKE_BUILD_TYPE=Release" none.log
build none
! grep -E -- "$ours" none.made || fail "a build that is not optimized was touched"
must_configure none -DCMAKE_BUILD_TYPE=Own
says "small is not optimized (CMAKE_BUILD_TYPE is Own, whose flags have no -O), so no profile is applied. \
Put -O2 into CMAKE_CXX_FLAGS_OWN, or use -DCMAKE_BUILD_TYPE=Release." none.log
[ "$(grep -c "is not optimized" none.log)" = 1 ] || fail "says it more than once"
sed -i '/^add_library(scale/i add_compile_options(-O1)' source/CMakeLists.txt
must_configure none -DCMAKE_BUILD_TYPE=
never "is not optimized" none.log
build none
says " -fprofile-sample-use=$PWD/none/prodpgo/" none.made
sed -i '/add_compile_options/d' source/CMakeLists.txt
# Debug information that was asked for stays as it was asked for.
must_configure information -DCMAKE_BUILD_TYPE=RelWithDebInfo
build information
never -gline-tables-only information.made
says " -fprofile-sample-use=" information.made

# Configurations of the project's own are known by their flags, the usual ones too.
generator="Ninja Multi-Config"
must_configure multi "-DCMAKE_CONFIGURATION_TYPES=Debug;Release;MinSizeRel;Fast;Slow" \
  -DCMAKE_C{,XX}_FLAGS_FAST=-O3 -DCMAKE_C{,XX}_FLAGS_SLOW="-g -O2 -O0" -DCMAKE_{EXE_LINKER,STATIC_LINKER}_FLAGS_{FAST,SLOW}= \
  -DCMAKE_CXX_FLAGS_FAST="-O3 -g" -DCMAKE_CXX_FLAGS_MINSIZEREL=-O0 -DCMAKE_C_FLAGS_MINSIZEREL=-O0
for configuration in Release Fast; do
  build multi --config $configuration
  python3 compare_commands.py multi "INTDIR=\\\"$configuration\\\""
  of main.cc multi > command
  says " -fprofile-sample-use=$PWD/multi/prodpgo/" command
done
never " -gline-tables-only" command   # C++ has -g in this one, C has not
of lib/scale.c multi > command
says " -gline-tables-only" command
for configuration in Debug Slow MinSizeRel; do
  build multi --config $configuration
  ! grep -E -- "$ours" multi.made || fail "$configuration was touched"
done

# Each reason is said once, with the option and where it stands; where profiles are required it is an error, but
# not of Debug.
generator=Ninja
project levels <<'EOF'
foreach(other first second)
  add_executable(${other} main.cc generated/table.cc lib/scale.c)
endforeach()
prodpgo_profile(small FILE small.proftext)
prodpgo_profilable(scale)
cmake_language(CALL ${CALL} small ${ARGUMENTS})
if(CALL STREQUAL "prodpgo_optimize")
  prodpgo_optimize(first PROFILE small)
  prodpgo_optimize(second PROFILE small)
endif()
target_compile_options(first PRIVATE ${FIRST})
EOF
levels() { source=levels configure levels_build "-DARGUMENTS=PROFILE;small" -DCALL=prodpgo_optimize "$@"; }
not_optimized() {  # TIMES, in levels_build.log
  [ "$(grep -c "is not optimized" levels_build.log)" = "$1" ] || { cat levels_build.log; fail "not $1 times"; }
}
levels -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C{,XX}_FLAGS_RELWITHDEBINFO="-O2 -g -Og" -DFIRST=-O0
says "small is not optimized (the last -O is -Og, in CMAKE_CXX_FLAGS_RELWITHDEBINFO), so no profile is applied. \
Remove it, or replace it by -O2." levels_build.log
says "first is not optimized (the last -O is -O0, in the options of first), so no profile is applied. \
Remove it, or replace it by -O2." levels_build.log
says "-- ProdPGO: scale is not optimized (the last -O is -Og, in CMAKE_C_FLAGS_RELWITHDEBINFO), so it is not made \
profilable. Remove it, or replace it by -O2." levels_build.log
not_optimized 3
! levels -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPRODPGO_REQUIRED=ON || fail "goes on with -Og"
says "CMake Error" levels_build.log
says "small is not optimized (the last -O is -Og, in" levels_build.log
! levels -DCMAKE_BUILD_TYPE= "-DARGUMENTS=PROFILE;small;LINKED" || fail "goes on without a build type"
says "small is not optimized (CMAKE_BUILD_TYPE is empty)" levels_build.log
levels -DCMAKE_BUILD_TYPE=Debug -DFIRST=
says "small is not optimized (CMAKE_BUILD_TYPE is Debug)" levels_build.log
not_optimized 1
! levels -DFIRST=-O0 || fail "goes on with a program at -O0"
says "first is not optimized (the last -O is -O0, in the options of first)" levels_build.log
levels -DFIRST=
not_optimized 0
# A library that is not meant to be optimized is no error of the program that links it; and where no profile is asked
# for, nothing is an error.
sed -i 's/^prodpgo_profile(/target_compile_options(scale PRIVATE -O0)\n&/' levels/CMakeLists.txt
levels "-DARGUMENTS=PROFILE;small;LINKED"
says "scale is not optimized (the last -O is -O0, in the options of scale), so no profile is applied." levels_build.log
levels -DCALL=prodpgo_profilable -DARGUMENTS= -DCMAKE_BUILD_TYPE=
not_optimized 2
says "-- ProdPGO: small is not optimized (CMAKE_BUILD_TYPE is empty), so it is not made profilable. \
Choose one: -DCMAKE_BUILD_TYPE=Release" levels_build.log
sed -i '/^prodpgo_profilable(scale)/d' levels/CMakeLists.txt
levels -DCALL=prodpgo_profilable -DARGUMENTS=BOLT -DCMAKE_BUILD_TYPE=Debug -DPRODPGO_REQUIRED=ON
says "-- ProdPGO: small is not optimized (CMAKE_BUILD_TYPE is Debug), so it is not made profilable, and BOLT cannot work on it" levels_build.log

# The target's own options have the last word.
project source <<'EOF'
target_compile_options(small PRIVATE -g)
prodpgo_profilable(small)
target_compile_options(small PRIVATE -fno-unique-internal-linkage-names)
EOF
must_configure own
build own
of main.cc own > command
says "-gline-tables-only -g -fno-unique-internal-linkage-names" command
"$llvm/llvm-dwarfdump" own/small | grep DW_TAG_formal_parameter > /dev/null || fail "-g was taken away"
