# find_package(ProdPGO) from an installation, wherever it was moved to, and from a build tree; and a
# project that has ProdPGO inside it. The program is a target, and it runs.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

project source <<'EOF'
prodpgo_profile(small FILE small.proftext)
prodpgo_optimize(small PROFILE small)
add_custom_target(version ALL COMMAND ProdPGO::pgo --version > ${CMAKE_BINARY_DIR}/version.txt)
EOF
# works BUILD [OPTION]...
works() {
  must_configure "$@"
  build "$1"
  says "pgo " "$1/version.txt"
  says "-fprofile-sample-use=$PWD/$1/prodpgo/" "$1.made"
  [ "$("$1/small")" = "$("$1/small" 1000)" ]
}

works of_build_tree
[ "$(grep ^ProdPGO_DIR of_build_tree/CMakeCache.txt)" = "ProdPGO_DIR:PATH=$BUILD_DIR/lib/cmake/ProdPGO" ]

cmake --install "$BUILD_DIR" --prefix "$work/first" > install.log
mv first moved
works of_installation -DCMAKE_PREFIX_PATH="$work/moved"
[ "$(grep ^ProdPGO_DIR of_installation/CMakeCache.txt)" = "ProdPGO_DIR:PATH=$work/moved/lib/cmake/ProdPGO" ]
# By pgo in PATH: what is beside a bin/ there is a prefix.
PATH=$work/moved/bin:$PATH works by_path -DCMAKE_PREFIX_PATH=
[ "$(grep ^ProdPGO_DIR by_path/CMakeCache.txt)" = "ProdPGO_DIR:PATH=$work/moved/lib/cmake/ProdPGO" ]
# Nothing of it refers to the place where it was built or installed first.
! grep -rlF -e "$BUILD_DIR/" -e "$work/first" moved/lib/cmake || fail "refers to where it was built"
"$work/moved/bin/pgo" show of_installation/small > shown
says "ELF position-independent executable" shown

# Messages name documents that are there.
cp source/CMakeLists.txt kept
sed -i 's/^prodpgo_optimize.*/prodpgo_profile(inferred FILE small.fdata REPORT inferred.json)\nprodpgo_optimize(small BOLT inferred)/' \
  source/CMakeLists.txt
printf '1 main 0 1 main 2 0 5\n' > source/small.fdata
echo '{"evidence": "pc-samples", "outputs": [{"digest": "sha256:'"$(sha256sum source/small.fdata | cut -d' ' -f1)"'", "quality": "thin"}]}' > source/inferred.json
must_configure of_installation
says "($(realpath moved)/share/doc/prodpgo/docs/guide/cmake.md)" of_installation.log
must_configure of_build_tree
says "($(realpath "$here/../..")/docs/guide/cmake.md)" of_build_tree.log
cp kept source/CMakeLists.txt

# With it come the documents, whose links hold, and the plugins for QEMU.
documents=moved/share/doc/prodpgo
python3 "$here/../lint/links_test.py" "$documents" > links.log 2>&1 || fail "$(cat links.log)"
if command -v qemu-x86_64 > /dev/null; then
  "$work/moved/bin/pgo" verify --run-before true --run-after true --count > counted 2> said || { cat counted said; false; }
  grep -q '^  instructions .* exact$' counted || fail "$(cat counted)"
fi

# Versions: this one, and none that is newer or has another meaning.
version=$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' moved/lib/cmake/ProdPGO/ProdPGOConfigVersion.cmake)
sed -i "s/find_package(ProdPGO/& $version/" source/CMakeLists.txt
must_configure of_build_tree
sed -i "s/find_package(ProdPGO $version/find_package(ProdPGO 99.0/" source/CMakeLists.txt
! configure of_build_tree || fail "accepts version 99"
says "$BUILD_DIR/lib/cmake/ProdPGO/ProdPGOConfig.cmake, version: $version" of_build_tree.log

# Inside another project, by whichever of the two ways; the functions are there at once and for
# directories further down, which may ask for the package as well.
root=$(cd "$here/../.." && pwd)
for way in "add_subdirectory($root prodpgo EXCLUDE_FROM_ALL)" \
  "include(FetchContent)
FetchContent_Declare(ProdPGO SOURCE_DIR $root OVERRIDE_FIND_PACKAGE)"; do
  project source < /dev/null
  sed -i '/find_package/d' source/CMakeLists.txt
  mkdir -p source/below
  printf '%s\n' "$way" 'add_subdirectory(below)' >> source/CMakeLists.txt
  cat > source/below/CMakeLists.txt <<'EOF'
find_package(ProdPGO REQUIRED)
prodpgo_profile(small FILE ../small.proftext)
prodpgo_optimize(small PROFILE small)
prodpgo_profile(addresses FILE ../small.fdata)
add_executable(moved ../main.cc ../lib/scale.c ../table.cc)
prodpgo_optimize(moved BOLT addresses)
if(NOT TARGET ProdPGO::pgo)
  message(FATAL_ERROR "no program")
endif()
EOF
  rm -rf inside
  cp source/table.in source/table.cc
  printf '1 main 0 1 main 2 0 5\n' > source/small.fdata
  must_configure inside
  # Both need the program first, which takes minutes to build.
  ninja -C inside -n -v small below/moved > inside.plan
  says "-fprofile-sample-use=$PWD/inside/prodpgo/" inside.plan
  compile=$(sed -n 's|^\[[0-9/]*\] \(.* -o CMakeFiles/small.dir/main.cc.o .*\)|\1|p' inside.plan)
  (cd inside && sh -ec "$compile" && [ -s CMakeFiles/small.dir/main.cc.o ]) || fail "cannot compile: $compile"
  says "/bin/pgo match $PWD/inside/small " inside.plan
  says "/bin/pgo bolt moved.prebolt -o moved --profile $PWD/inside/prodpgo/" inside.plan
  grep -E -- " -o [^ ]*prodpgo[^ ]*/bin/pgo " inside.plan > /dev/null || fail "does not build it"
done
