# prodpgo_optimize in another directory than the target's: options go everywhere. Steps after the link, which are
# the look at what was linked and BOLT, come from below as from the directory itself; when that is done, CMake takes
# none: one message says so, and a project that is not to be edited can be made to call it in time.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need "$llvm/llvm-bolt" qemu-x86_64
steps() { grep -oE '/pgo (match|bolt)' "$1.made" | sort -u | tr '\n' ' '; }
is_bolted() { "$llvm/llvm-readelf" -S "$1" | grep -F .bolt.org.text > /dev/null; }

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
late() {  # late ARGUMENT...
  cat > top <<EOF
add_subdirectory(program)
prodpgo_profile(small FILE small.proftext small.fdata)
prodpgo_optimize(nested $*)
EOF
  project source < top
}
tells() {  # tells WHAT: as a warning, and where profiles are required as an error
  local told="prodpgo_optimize(nested): $1: CMake takes steps after the link until the directory of a target is done, \
and no more. Call this in $PWD/source/program/CMakeLists.txt; docs/guide/cmake.md says how without editing it."
  must_configure late -DPRODPGO_REQUIRED=OFF
  says "$told" late.log
  [ "$(grep -c "CMake Warning" late.log)" = 1 ] || fail "says more than that"
  ! configure late -DPRODPGO_REQUIRED=ON || fail "goes on without what is required"
  says "$told" late.log
}
late BOLT small
tells "BOLT is not run"
late PROFILE small
tells "its profile is not compared with the build"
late PROFILE small BOLT
tells "BOLT is not run, and its profile is not compared with the build"
must_configure late -DPRODPGO_REQUIRED=OFF
build late --target nested
says " -fprofile-sample-use=" late.made
[ -z "$(steps late)" ] || fail "runs $(steps late)"
late PROFILE small MIN_MATCH 0
must_configure late -DPRODPGO_REQUIRED=ON
never "CMake takes steps" late.log

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
