# Attributes of cc_pgo_binary go where they belong: what is run has data, args and env, and what is built has the rest. Profiles
# may depend on conditions. The options of a user come after ours, also that for the linker, and leave the note alone.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need python3

workspace source
sources source
echo 'prodpgo.profile(name = "other", lock = "//:other.lock", entry = "small")' >> source/WORKSPACE
echo 'prodpgo.profile(name = "absent", lock = "//:other.lock")' >> source/WORKSPACE
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > small.proftext
pin small.proftext
cp source/pgo.lock kept.lock
printf 'main:1000:1\n 3: 1\n 4: 200 _ZL5inneri:200\n' > other.proftext
pin other.proftext
mv source/pgo.lock source/other.lock
mv kept.lock source/pgo.lock
echo 'SMALL = Label("@small//:small")' > source/labels.bzl
echo 77 > source/rounds
cat > source/BUILD.bazel << 'END'
load("@prodpgo//:defs.bzl", "cc_pgo_binary")
load("@rules_cc//cc:defs.bzl", "cc_library")
load(":labels.bzl", "SMALL")
[config_setting(name = name, values = {"define": "profile=" + name}) for name in ["other", "absent", "none"]]
cc_library(name = "scale", testonly = True, srcs = ["lib/scale.c"])
cc_pgo_binary(
  name = "server", srcs = ["main.cc"], deps = [":scale"], testonly = True, bolt = True,
  profile = {":other": "@other", ":absent": "@absent", ":none": None, "//conditions:default": SMALL},
  args = ["12"], data = ["rounds"], env = {"ROUNDS": "$(location rounds)"},
  deprecation = "use another", tags = ["no-cache", "own"], visibility = ["//visibility:public"],
  copts = ["-fno-pseudo-probe-for-profiling"], linkopts = ["-Wl,--build-id=md5"], features = ["own"],
  target_compatible_with = ["@platforms//os:linux"], exec_properties = {"cores": "2"},
  min_match = select({":other": "0", "//conditions:default": ""}),
)
cc_pgo_binary(name = "windows", srcs = ["main.cc"], deps = None, profile = "@small", target_compatible_with = ["@platforms//os:windows"])
END
must_bazel run //:server
[ "$(cat bazel.out)" = "$(source/bazel-bin/server 12)" ] || { cat bazel.out; fail "args are not given"; }
[ "$(cat source/bazel-bin/server.runfiles/test/rounds)" = 77 ] || fail "data are not there"
must_bazel query "attr(tags, own, kind(cc_binary, //:all))"
says "//:server_prodpgo/server" bazel.out
must_bazel query "attr(tags, manual, //:all) intersect kind('^(cc|_pgo)_binary', //:all)"
[ "$(sort bazel.out)" = "//:server_prodpgo/server
//:windows_prodpgo/windows" ] || { cat bazel.out; fail "not the inner programs only are manual"; }
must_bazel build //:all
never "windows"
# The inner program by itself is a plain one, and its note says nothing.
must_bazel build //:server_prodpgo/server
"$pgo" show source/bazel-bin/server_prodpgo/server > shown
never "pseudo probes" shown
never "small" shown
# Constants of the rules are no flags.
must_fail build --@prodpgo//:false //:server

# Conditions choose the profile.
profile_of() { must_bazel build "$@" //:server; "$pgo" show source/bazel-bin/server > shown; }
profile_of
says "sha256:$(digest_of small.proftext)" shown
profile_of --define=profile=other
says "sha256:$(digest_of other.proftext)" shown
profile_of --define=profile=absent
says "ProdPGO: warning: //:server: profile absent has no file for clang: other.lock has no profile absent"
never "sha256:$(digest_of other.proftext)" shown
profile_of --define=profile=none
never "ProdPGO:"
says "pseudo probes" shown
never "sha256:" shown
refuses() { # PROFILE TEXT
  cp source/BUILD.bazel kept.build
  echo "cc_pgo_binary(name = \"refused\", srcs = [\"main.cc\"], profile = $1)" >> source/BUILD.bazel
  must_fail build //:refused
  says "ProdPGO: $2"
  cp kept.build source/BUILD.bazel
}
refuses 'select({"//conditions:default": "@small"})' \
  'profile is a select(). Give its dict instead: profile = {"//:condition": "@server", ...}'
refuses '"//:alias"' 'profile must be the repository that prodpgo.profile() declares, such as "@server", not "//:alias"'

# commands TARGET OPTION...: how it is compiled and linked.
commands() {
  must_bazel aquery --output=text "${@:2}" "mnemonic('CppCompile|CppLink', deps(//:$1))"
  tr -s ' \\\n' ' ' < bazel.out | sed "s/action '/\n/g" > commands
}
# in_order KIND WORD...: the command of this kind has the words in this order.
in_order() {
  grep -E -- "^$1.*exec$(printf ".* '?%s'?" "${@:2}") " commands > found || { grep "^$1" commands; fail "not in this order: $*"; }
}
commands server --copt=-fno-unique-internal-linkage-names --linkopt=-fuse-ld=bfd
in_order "Compiling main.cc" "-fauto-profile=[^ ]*/small.afdo" -funique-internal-linkage-names -fno-unique-internal-linkage-names \
  -fno-pseudo-probe-for-profiling
in_order "Compiling lib/scale.c" "-fauto-profile=[^ ]*/small.afdo" -funique-internal-linkage-names -fno-unique-internal-linkage-names
in_order "Linking server_prodpgo/server" -Wl,--build-id=md5 -Wl,--emit-relocs -fuse-ld=lld -fuse-ld=bfd
# Nothing builds without the profile that the note names.
must_fail build --features=-autofdo //:server
says "ProdPGO: //:server: the C++ toolchain has no feature autofdo, or it is turned off, so the compiler would not get the profile. \
Add prodpgo_features() of @prodpgo//:feature.bzl to the configuration of the toolchain"
# The note is there, whatever the compiler is given.
profile_of --copt=-Werror --copt=-flto --linkopt=-fuse-ld=lld --linkopt=-flto
says "sha256:$(digest_of small.proftext)" shown
