# A project that is built as a part of another one is the same as when it is built alone: its static functions have the
# same names, so that a profile of one build matches the other, generated sources included. The options, the comparison
# after the link and BOLT come from the other project, which does not edit it.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need qemu-x86_64 python3 "$llvm/llvm-bolt"

project small <<'EOF'
if(PROJECT_IS_TOP_LEVEL)
  prodpgo_profilable(small LINKED)
endif()
EOF
sed -i 's/CMAKE_SOURCE_DIR/CMAKE_CURRENT_SOURCE_DIR/' small/CMakeLists.txt
source=small must_configure alone
build alone
"$pgo" record --engine emulate -o small.data -- alone/small 20000 > record.log 2>&1
"$pgo" convert small.data --binary alone/small -o small.prof 2> convert.log
names() { "$llvm/llvm-nm" --defined-only --format=just-symbols "$1" | grep -F __uniq | sort; }
names alone/small > theirs
[ "$(wc -l < theirs)" = 3 ]
rate() { "$pgo" match "$1" --profile small.prof --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["match_rate"])'; }
rate alone/small > rate_alone

# part WAY: a project with that one inside it.
part() {
  mkdir -p whole
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(whole LANGUAGES C CXX)' 'find_package(ProdPGO REQUIRED)' \
    'include(FetchContent)' "$1" 'prodpgo_profile(small FILE ../small.prof ${BOLT_PROFILE})' \
    'prodpgo_optimize(small PROFILE small LINKED ${MORE})' > whole/CMakeLists.txt
}
cp -r small elsewhere
mkdir -p whole/parts
cp -r small whole/parts
for way in "add_subdirectory(parts/small)" "add_subdirectory(../elsewhere elsewhere)" \
  "FetchContent_Declare(little SOURCE_DIR $PWD/elsewhere)
FetchContent_MakeAvailable(little)"; do
  part "$way"
  rm -rf build
  source=whole must_configure build -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$PWD/build/bin" -DPRODPGO_MIN_MATCH=99
  build build
  names build/bin/small > ours
  cmp theirs ours
  rate build/bin/small > rate_as_part
  cmp rate_alone rate_as_part
  never "pgo: " build.made   # 99 % match
done

# The comparison and BOLT are done for a target whose directory is done, with each generator and configuration. A
# launcher of somebody else stays.
"$pgo" record --engine emulate -o linked.data -- build/bin/small 20000 > record.log 2>&1
"$pgo" convert linked.data --binary build/bin/small -o small.fdata 2> convert.log
printf '#!/bin/sh\necho launched\nexec "$@"\n' > launcher
chmod +x launcher
for generator in "Unix Makefiles" "Ninja Multi-Config" Ninja; do
  b=${generator// /_}
  source=whole must_configure "$b" -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$PWD/$b/the bin" -DBOLT_PROFILE=../small.fdata \
    "-DMORE=BOLT;BOLT_INFERRED;BOLT_CHECK;{ echo 'it runs'\; {} 5\; } > result" -DCMAKE_CXX_LINKER_LAUNCHER="$PWD/launcher"
  place="$b/the bin"
  release=
  if [ "$b" = Ninja_Multi-Config ]; then
    build "$b" --config Debug
    ! is_bolted "$place/Debug/small" || fail "the debug build is BOLTed"
    place=$place/Release release="--config Release"
  fi
  build "$b" $release
  says "launched" "$b.made"
  { echo 'it runs'; alone/small 5; } > expected
  cmp "$place/result" expected
  is_bolted "$place/small"
  ! is_bolted "$place/small.prebolt" || fail "llvm-bolt's input is BOLTed"
  rm "$place/small.bolt.log"
  build "$b" $release
  [ ! -e "$place/small.bolt.log" ] || fail "BOLTed again for no reason"
  sed -i '$d' small.fdata
  build "$b" $release
  [ -e "$place/small.bolt.log" ] || fail "not BOLTed again for another profile"
done

# What the steps say and how they end is how the build ends.
printf '_Z5helloi:5000:1\n 1: 5000\nmain:100:1\n 4: 100\n' > small.prof
build Ninja
says "the bin/small: only 2.0 % of the profile $PWD/small.prof matches it" Ninja.made
source=whole must_configure Ninja -DPRODPGO_REQUIRED=ON
for time in first second; do
  ! cmake --build Ninja > Ninja.made 2>&1 || fail "the $time build goes on"
  says "pgo: error: $PWD/Ninja/the bin/small: only 2.0 %" Ninja.made
done
source=whole must_configure Ninja -DPRODPGO_MIN_MATCH=0 "-DMORE=BOLT;BOLT_INFERRED;BOLT_CHECK;false {}"
! cmake --build Ninja > Ninja.made 2>&1 || fail "a program that fails its check was built"
[ ! -e "Ninja/the bin/small" ]
