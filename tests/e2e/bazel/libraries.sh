# Libraries: what a program links statically has its profile; cc_pgo_library has one of its own, whatever links it; a shared
# library is a binary of its own; and `pgo match --several` is for a profile of several.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need python3

workspace source
sources source
echo 'prodpgo.profile(name = "library", lock = "//:library.lock", entry = "small")' >> source/WORKSPACE
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > small.proftext
pin small.proftext
cp source/pgo.lock kept.lock
printf 'scale:1000:100\n 1: 1000\n' > library.proftext
pin library.proftext
mv source/pgo.lock source/library.lock
mv kept.lock source/pgo.lock
cat > source/BUILD.bazel << 'END'
load("@prodpgo//:defs.bzl", "cc_pgo_binary", "cc_pgo_library")
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
cc_library(name = "linked", srcs = ["lib/scale.c"])
cc_pgo_library(name = "own", srcs = ["lib/scale.c"], profile = "@library")
cc_pgo_binary(name = "program", srcs = ["main.cc"], profile = "@small", deps = [":linked"])
cc_pgo_binary(name = "thin", srcs = ["main.cc"], bolt = True, profile = "@small", thin_lto = True, deps = [":own"])
cc_pgo_binary(name = "same", srcs = ["main.cc"], bolt = True, profile = "@library", several = True, thin_lto = True, deps = [":own"])
cc_binary(name = "plain", srcs = ["main.cc"], deps = [":own"])
cc_pgo_binary(name = "libshared.so", srcs = ["lib/scale.c"], bolt = True, linkshared = True, profile = "@library")
cc_pgo_binary(name = "several", srcs = ["main.cc"], profile = "@library", several = True, deps = [":linked"])
cc_pgo_binary(name = "dynamic", srcs = ["main.cc", ":libshared.so"], profile = "@small")
END

# flags TARGET SOURCE: how SOURCE is compiled for it.
flags() {
  must_bazel aquery --output=text "mnemonic(CppCompile, inputs('.*$2', deps(//:$1)))"
  awk '/^  Command Line/ { text = "" } { text = text $0 } /[^c]\.o\)$/ && !/\.pic\.o/ { print text }' bazel.out | tr -s ' \\' ' ' > flags
  [ "$(wc -l < flags)" = 1 ] || { cat bazel.out; fail "$1 compiles $2 $(wc -l < flags) times"; }
}
flags program lib/scale.c
says "/toolchain/small.afdo" flags
flags plain lib/scale.c
says "/toolchain/library.afdo" flags
never "-flto=thin" flags
flags plain main.cc
never "-fauto-profile" flags
# Within a program it is built as that is, and each flag is there once. But linkers refuse ThinLTO of different profiles.
flags thin lib/scale.c
says "/toolchain/library.afdo" flags
never "-flto=thin" flags
flags same lib/scale.c
says "/toolchain/library.afdo" flags
says "-flto=thin" flags
[ "$(grep -o -- "-fpseudo-probe-for-profiling" flags | wc -l)" = 1 ] || { cat flags; fail "flags are there twice"; }

must_bazel build //:program //:thin //:same //:plain //:libshared.so //:several //:dynamic
for program in program thin same plain several dynamic; do
  [ "$(source/bazel-bin/$program)" = 2251164 ] || fail "$program computes something else"
done
"$pgo" show source/bazel-bin/libshared.so > shown
says "profile small, unknown evidence" shown  # its name in the lock file
says "sha256:$(digest_of library.proftext)" shown
says "can be optimized" shown
"$pgo" show source/bazel-bin/dynamic > shown
says "sha256:$(digest_of small.proftext)" shown
! "$pgo" show source/bazel-bin/plain | grep -F "profile " || fail "plain has a note"

# GCC has no ThinLTO.
must_fail build --repo_env=CC=gcc //:thin
says "ProdPGO: //:thin: thin_lto is for clang, and the compiler is GCC, which has no ThinLTO"
