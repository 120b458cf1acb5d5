# Libraries: what a program links has its profile, also in shared libraries and with ThinLTO. A shared library with a
# profile of its own is a binary of its own. What the program only runs with, and what runs during the build, has no
# profile. `pgo match --several` is for a profile of several binaries. llvm-bolt's program finds the shared libraries.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need "$llvm/llvm-bolt" python3

workspace source
sources source
echo 'prodpgo.profile(name = "library", lock = "//:library.lock", entry = "small")
prodpgo.profile(name = "gone", lock = "//:gone.lock", entry = "small")' >> source/WORKSPACE
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > small.proftext
pin small.proftext
cp source/pgo.lock kept.lock
printf 'scale:1000:100\n 1: 1000\n' > library.proftext
pin library.proftext
mv source/pgo.lock source/library.lock
mv kept.lock source/pgo.lock
sed 's|/profiles:|/nowhere:|; s/"sha256:..../"sha256:0000/' source/pgo.lock > source/gone.lock
printf '#include <stdio.h>\nint main() { puts("#define BY_TOOL 1"); }\n' > source/tool.c
printf 'int twice(int x) { return 2 * x; }\n' > source/lib/twice.c
printf 'int twice(int);\nint main() { return twice(21) != 42; }\n' > source/helper.c
printf '.globl table\ntable: .long 1\n.section .note.GNU-stack, "", %%progbits\n' > source/table.s
printf '#!/bin/sh\ntest "$(./bolted)" = 2251164\n' > source/runs.sh
chmod +x source/runs.sh
cat > source/BUILD.bazel << 'END'
load("@prodpgo//:defs.bzl", "bolt_binary", "cc_pgo_binary")
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
cc_pgo_binary(name = "tool", srcs = ["tool.c"], profile = "@gone")
genrule(name = "made", outs = ["made.h"], cmd = "$(location :tool) > $@", exec_tools = [":tool"])
cc_library(name = "twice", srcs = ["lib/twice.c"], linkstatic = False)
cc_binary(name = "helper", srcs = ["helper.c"], deps = [":twice"])
cc_binary(name = "data_of_library", srcs = ["helper.c"], linkstatic = False, deps = [":twice"])
genrule(name = "made_by_host", outs = ["made_by_host.h"], cmd = "$(location :tool) > $@", tools = [":tool"])
cc_library(name = "linked", srcs = ["lib/scale.c", "made.h", "table.s"], copts = ["-Werror"], data = [":data_of_library"], deps = [":twice"])
cc_pgo_binary(name = "program", srcs = ["main.cc"], data = [":helper"], profile = "@small", deps = [":linked"])
cc_pgo_binary(name = "bolted_program", srcs = ["main.cc"], bolt = True, profile = "@small", deps = [":linked"])
cc_pgo_binary(name = "by_bfd", srcs = ["main.cc"], linker = "bfd", profile = "@small", deps = [":linked"])
cc_pgo_binary(name = "thin", srcs = ["main.cc"], bolt = True, data = [":helper"], linkstatic = False, profile = "@small",
  thin_lto = True, deps = [":linked"])
cc_pgo_binary(name = "libshared.so", srcs = ["lib/scale.c"], bolt = True, linkshared = True, profile = "@library",
  linkopts = ["-Wl,--build-id=md5"])
cc_pgo_binary(name = "several", srcs = ["main.cc"], profile = "@library", several = True, deps = [":linked"])
cc_pgo_binary(name = "without_counts", srcs = ["helper.c"], profile = "@library", several = True, deps = [":twice"])
cc_pgo_binary(name = "dynamic", srcs = ["main.cc", ":libshared.so"], profile = "@small", thin_lto = True,
  linker = "toolchain", linkopts = ["-fuse-ld=lld", "-Wl,-rpath,$$ORIGIN"])
cc_pgo_binary(name = "sub/dir/deep", srcs = ["main.cc"], bolt = True, linkstatic = False, profile = "@small", deps = [":linked"])
bolt_binary(name = "bolted", binary = ":sub/dir/deep", data = ["expected"], on_failure = "error", profile = "@small",
  check = "test $({} 10) = $(cat $(location expected)) && test -x $RUNFILES_DIR/test/data_of_library")
sh_test(name = "runs", srcs = ["runs.sh"], data = [":bolted"])
END

# flags TARGET SOURCE: how SOURCE is compiled for it, once, without -fPIC.
flags() {
  must_bazel aquery --output=text "mnemonic(CppCompile, inputs('.*$2', deps(//:$1)))"
  awk '/^  Command Line/ { text = "" } { text = text $0 } /[^c]\.o\)$/ && !/\.pic\.o/ { print text }' bazel.out | tr -s ' \\' ' ' > flags
  [ "$(wc -l < flags)" = 1 ] || { cat bazel.out; fail "$1 compiles $2 $(wc -l < flags) times"; }
}
flags program lib/scale.c
says "/toolchain/small.afdo" flags
flags thin lib/scale.c
says "-flto=thin" flags
# Programs that differ in flags for their own link only share what is compiled.
must_bazel aquery --output=text "mnemonic(CppCompile, inputs('.*lib/scale.c', deps(set(//:program //:bolted_program))))"
[ "$(grep "^  Configuration: " bazel.out | sort -u | wc -l)" = 1 ] || { cat bazel.out; fail "compiles it twice"; }
must_bazel aquery --output=text "mnemonic(CppLink, deps(//:bolted_program))"
[ "$(grep -c -- "-Wl,--emit-relocs" bazel.out)" = 1 ] || { cat bazel.out; fail "not the program only keeps relocations"; }
# Archives of objects between --start-lib and --end-lib are for some linkers only.
must_bazel aquery --output=text "mnemonic(CppLink, outputs('.*/by_bfd', deps(//:by_bfd)))"
never "--start-lib" bazel.out
# A library with a profile of its own within a program: the flags of the program are taken out, so that it is compiled and
# linked once, whoever uses it.
flags dynamic lib/scale.c
says "/toolchain/library.afdo" flags
never "-flto=thin" flags
[ "$(grep -o -- "-fpseudo-probe-for-profiling" flags | wc -l)" = 1 ] || { cat flags; fail "flags are there twice"; }
must_bazel aquery --output=text "mnemonic(CppLink, outputs('.*/libshared.so', deps(//:dynamic) union deps(//:libshared.so)))"
says "-Wl,--emit-relocs" bazel.out
never "-flto=thin" bazel.out
[ "$(grep -c "^action 'Linking libshared.so" bazel.out)" = 1 ] || { cat bazel.out; fail "links it twice"; }
# Not the tools that run during the build, although what they make is compiled: their profile is not even fetched. And not
# the data of the program.
must_bazel build --@prodpgo//:required //:made //:made_by_host
must_fail build //:tool
says "ProdPGO: pgo pull --locked --lock gone.lock small failed"
flags program tool.c
never "-fauto-profile" flags
never "-fpseudo-probe" flags
must_bazel aquery --output=text "mnemonic(CppCompile, outputs('.*/helper/.*', deps(//:program)))"
says "helper.c" bazel.out
never "-fpseudo-probe" bazel.out

# A profile of several binaries may have no counts for one of them: a warning, also where profiles are required.
must_bazel build --@prodpgo//:required //:without_counts
says ": has no counts for functions of bazel-out/"
says "; perhaps it did not run during the recording"
grep '"match_rate": null' source/bazel-bin/without_counts.match.json || fail "has a match rate"

must_bazel build //:program //:bolted_program //:by_bfd //:thin //:libshared.so //:several //:dynamic //:sub/dir/deep
for program in program bolted_program by_bfd thin several dynamic sub/dir/deep; do
  [ "$(source/bazel-bin/$program)" = 2251164 ] || fail "$program computes something else"
done
# A release of both has copies, which find each other.
mkdir release
cp -L source/bazel-bin/dynamic source/bazel-bin/libshared.so release/
[ "$(release/dynamic)" = 2251164 ] || fail "the release does not run"
[ "$(LD_DEBUG=libs release/dynamic 2>&1 | grep -c "init: .*/release/libshared.so")" = 1 ] || fail "loads another library"
must_fail build --features=thin_lto //:thin
says "ProdPGO: //:thin: thin_lto = True and the feature thin_lto exclude each other"
for helper in helper data_of_library; do "source/bazel-bin/thin.runfiles/test/$helper" || fail "$helper"; done
"$pgo" show source/bazel-bin/libshared.so > shown
says "profile small, unknown evidence" shown  # its name in the lock file
says "sha256:$(digest_of library.proftext)" shown
says "can be optimized" shown
"$pgo" show source/bazel-bin/dynamic > shown
says "sha256:$(digest_of small.proftext)" shown

# llvm-bolt's program is elsewhere, and finds the shared libraries of the program: where it is built, and among the runfiles
# of others. `check` has the data of the rule, and the runfiles of the program.
source/bazel-bin/sub/dir/deep 10 > source/expected
"$pgo" record --engine emulate --period "$(period 503)" -o small.data -- source/bazel-bin/sub/dir/deep 200000 > record.log 2>&1 ||
  { cat record.log; fail "cannot record"; }
"$pgo" convert small.data --binary source/bazel-bin/sub/dir/deep -o small.fdata --report small.fdata.json > convert.log 2>&1 ||
  { cat convert.log; fail "cannot convert"; }
pin small.proftext small.fdata small.fdata.json
must_bazel test --@prodpgo//:min_match=0 --test_output=errors //:runs //:bolted
"$llvm/llvm-readelf" -S source/bazel-bin/bolted | grep -F .bolt.org.text > /dev/null || fail "is not BOLTed"
[ "$(source/bazel-bin/bolted)" = 2251164 ] || fail "llvm-bolt's program does not start"

# A library takes the BOLT profile that is of it. If there is none, it is built without BOLT, also where profiles are required.
cat >> source/BUILD.bazel << 'END'
cc_pgo_binary(name = "libother.so", srcs = ["lib/twice.c"], bolt = True, linkshared = True, profile = "@small")
bolt_binary(name = "bolted_shared", binary = ":libshared.so", on_failure = "error", profile = "@small")
bolt_binary(name = "bolted_other", binary = ":libother.so", on_failure = "error", profile = "@small")
END
"$pgo" record --engine emulate --period "$(period 503)" -o shared.data -- source/bazel-bin/dynamic 200000 > record.log 2>&1 ||
  { cat record.log; fail "cannot record"; }
"$pgo" convert shared.data --binary source/bazel-bin/libshared.so -o shared.fdata --report shared.json > convert.log 2>&1 ||
  { cat convert.log; fail "cannot convert"; }
pin small.proftext small.fdata small.fdata.json shared.fdata shared.json --library shared.fdata=libshared.so.1
must_bazel build --@prodpgo//:required --@prodpgo//:min_match=0 //:bolted //:bolted_shared //:bolted_other
says "ProdPGO: //:bolted_other: profile small has BOLT profiles of the program, libshared.so, and none of libother.so. Building it \
without BOLT"
for bolted in bolted bolted_shared; do
  "$llvm/llvm-readelf" -S source/bazel-bin/$bolted | grep -F .bolt.org.text > /dev/null || fail "$bolted is not BOLTed"
done
cmp source/bazel-bin/bolted_other source/bazel-bin/libother.so

# Also if the lock file has nothing else.
cat >> source/BUILD.bazel << 'END'
cc_pgo_binary(name = "libalone.so", srcs = ["lib/scale.c"], bolt = True, linkshared = True, profile = "@small")
bolt_binary(name = "bolted_alone", binary = ":libalone.so", profile = "@small")
END
pin shared.fdata shared.json --library shared.fdata=libalone.so
must_bazel aquery --output=text "deps(//:bolted_alone)"
says "/bolt/small.libalone.so.fdata" bazel.out

# GCC has no ThinLTO. That is an error of optimized builds only.
must_fail build --repo_env=CC=gcc //:thin
says "ProdPGO: //:thin: thin_lto is for clang, and the compiler is GCC, which has no ThinLTO"
must_bazel build --repo_env=CC=gcc -c fastbuild //:thin
