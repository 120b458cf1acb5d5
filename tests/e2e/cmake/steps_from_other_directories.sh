# prodpgo_optimize in another directory than the target's: options go everywhere, and so do the steps after the link,
# which are the look at what was linked and BOLT. (What they do when the target's directory is done: subprojects.sh.)
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need "$llvm/llvm-bolt" qemu-x86_64
steps() { grep -oE '/pgo (match|bolt)' "$1.made" | sort -u | tr '\n' ' '; }

# Below the target's directory, and two steps below.
project source <<'EOF'
add_subdirectory(release)
EOF
mkdir -p source/release/profiles
echo 'add_subdirectory(profiles)' > source/release/CMakeLists.txt
cat > source/release/profiles/CMakeLists.txt <<'EOF'
prodpgo_profile(small FILE ../../small.proftext ../../small.fdata)
prodpgo_optimize(small PROFILE small BOLT LINKED)
EOF
must_configure below
build below
cp below/small recorded
"$pgo" record --engine emulate -o small.data -- ./recorded 20000 > record.log 2>&1
"$pgo" convert small.data --binary recorded -o source/small.fdata > convert.log 2>&1
must_configure below -DPRODPGO_REQUIRED=ON -DPRODPGO_MIN_MATCH=1
never "CMake takes steps" below.log
build below
[ "$(steps below)" = "/pgo bolt /pgo match " ] || fail "runs $(steps below)"
is_bolted below/small
cmp below/small.prebolt recorded

# A directory that is done.
mkdir -p source/program
cat > source/program/CMakeLists.txt <<'EOF'
project(program)
add_executable(nested ../main.cc ../table.cc)
target_link_libraries(nested PRIVATE scale)
EOF
cp source/table.in source/table.cc
project source <<'EOF'
add_subdirectory(program)
prodpgo_profile(small FILE small.proftext small.fdata)
prodpgo_optimize(nested ${ARGUMENTS})
EOF
for arguments in "BOLT;small" "PROFILE;small" "PROFILE;small;BOLT" "PROFILE;small;MIN_MATCH;0"; do
  must_configure late "-DARGUMENTS=$arguments" -DPRODPGO_REQUIRED=ON
  commands=$(grep -cxE '.*/bin/pgo' late/prodpgo/steps/nested/of_Release.steps || true)
  case $arguments in
    *MIN_MATCH*) ! grep -F after_link.sh late/build.ninja || fail "launches nothing" ;;
    *PROFILE*BOLT*) [ "$commands" = 2 ] || fail "$arguments: $commands commands" ;;
    *) [ "$commands" = 1 ] || fail "$arguments: $commands commands" ;;
  esac
done

# A project that is not to be edited.
project source <<'EOF'
prodpgo_profile(small FILE small.proftext small.fdata)
set(CMAKE_PROJECT_program_INCLUDE ${CMAKE_CURRENT_SOURCE_DIR}/optimize.cmake)
add_subdirectory(program)
EOF
echo 'cmake_language(DEFER CALL prodpgo_optimize nested PROFILE small BOLT LINKED)' > source/optimize.cmake
must_configure unedited -DPRODPGO_REQUIRED=ON -DPRODPGO_MIN_MATCH=1
build unedited
[ "$(steps unedited)" = "/pgo bolt /pgo match " ] || fail "runs $(steps unedited)"
