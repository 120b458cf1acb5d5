# The rules and the CMake package add the same flags, at compile and at link time: by clang, by clang with ThinLTO, and by
# GCC. These count as equal:
#
#   -fauto-profile=P of Bazel's --fdo_profile is clang's -fprofile-sample-use=P by another name
#   -fprofile-correction and -DBUILD_FDO_TYPE="AFDO" come from the same switch, -Wno-ignored-optimization-argument keeps
#     clang silent about the first, and -Wno-unused-command-line-argument about flags for assembly: they change no code
#   -fmacro-prefix-map=... is for the absolute paths that CMake gives to compilers; Bazel gives relative ones
#   -fuse-ld=...: a CMake project chooses its linker; the rules replace gold, which Bazel finds
#   -Xlinker X of CMake is -Wl,X, and the note comes in a library of its own (-Wl,-whole-archive) or as an object
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need gcc g++ python3

workspace source
sources source
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > small.proftext
python3 "$here/write_afdo.py" > small.afdo
pin small.proftext small.afdo
"$pgo" pull --locked --lock source/pgo.lock > pulled 2> pull.log  # CMake takes it out of the cache
cat > source/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES C CXX)
find_package(ProdPGO REQUIRED)
prodpgo_profile(small LOCK pgo.lock)
foreach(name IN LISTS PROGRAMS)
  add_library(${name}_scale STATIC lib/scale.c)
  add_executable(${name} main.cc)
  target_link_libraries(${name} PRIVATE ${name}_scale)
  if(name MATCHES "thin")
    set_target_properties(${name} ${name}_scale PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  endif()
  if(name STREQUAL "profilable")
    prodpgo_profilable(${name} LINKED)
  elseif(NOT name MATCHES "plain")
    prodpgo_optimize(${name} PROFILE small BOLT LINKED)
  endif()
endforeach()
END
plain='cc_binary(name = "plain", srcs = ["main.cc"], deps = ["plain_scale"])
cc_pgo_binary(name = "profilable", srcs = ["main.cc"], deps = ["profilable_scale"])
cc_pgo_binary(name = "optimized", srcs = ["main.cc"], bolt = True, profile = "@small", deps = ["optimized_scale"])'
thin='cc_binary(name = "plain_thin", srcs = ["main.cc"], copts = ["-flto=thin"], linkopts = ["-flto=thin"], deps = ["plain_thin_scale"])
cc_pgo_binary(name = "thin", srcs = ["main.cc"], bolt = True, profile = "@small", thin_lto = True, deps = ["thin_scale"])'

# compare FAMILY PROGRAMS: by both, with what is in source/BUILD.bazel.
compare() {
  local programs=${2// /;}
  sed "1iload(\"@prodpgo//:defs.bzl\", \"cc_pgo_binary\")\nload(\"@rules_cc//cc:defs.bzl\", \"cc_binary\", \"cc_library\")\n\
[cc_library(name = name + \"_scale\", srcs = [\"lib/scale.c\"], copts = [\"-flto=thin\"] if name == \"plain_thin\" else []) for name in \"$2\".split(\" \")]" \
    -i source/BUILD.bazel
  must_configure "cmake_$1" "-DPROGRAMS=$programs" "${@:3}"
  must_bazel aquery --output=jsonproto "mnemonic('Cpp.*', deps(set($2)))"
  mv bazel.out "actions_$1.json"
  python3 "$here/bazel/added_flags.py" "cmake_$1" "actions_$1.json" "$1" > "added_$1" || { cat "added_$1"; fail "flags of $1 differ"; }
}
echo "$plain
$thin" > source/BUILD.bazel
compare clang "plain profilable optimized plain_thin thin"
says "thin link -Wl,--build-id=sha1 -Wl,--emit-relocs" added_clang
says "-Wl,-plugin-opt=-trap-unreachable -fprofile-sample-use=PROFILE" added_clang
says "optimized_scale -fdebug-info-for-profiling" added_clang
says "-mllvm -icp-lto" added_clang
[ "$(wc -l < added_clang)" = 9 ] || { cat added_clang; fail "not all programs are compared"; }
must_bazel build //:thin //:optimized
[ "$(source/bazel-bin/thin)" = "$(source/bazel-bin/optimized)" ]

sed -i 's/CC=clang-22/CC=gcc/' source/.bazelrc
echo "$plain" > source/BUILD.bazel
compare gcc "plain profilable optimized" -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++
says "optimized -fauto-profile=PROFILE -fno-reorder-blocks-and-partition -g1 -gno-record-gcc-switches" added_gcc
must_bazel build //:optimized
"$pgo" show source/bazel-bin/optimized > shown
says "sha256:$(digest_of small.afdo)" shown
