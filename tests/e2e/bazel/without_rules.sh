# Without rules: --config=pgo of pgo.bazelrc applies a profile to a whole build, and prodpgo_profilable is a feature for
# toolchains of one's own. Both give the flags of `pgo flags`.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need python3

flags() { "$pgo" flags --compiler clang++-22 --bolt "$@"; }
flags --profile-path PROFILE --json | python3 -c '
import json, sys
flags = json.load(sys.stdin)
for step, option in ("compile", "copt"), ("link", "linkopt"):
    for flag in flags[step]:
        if "PROFILE" not in flag["words"][0]:
            print("build:pgo", *(f"--{option}={word}" for word in flag["words"]))' > expected
rules=$here/../../bazel
tail -n "$(wc -l < expected)" "$rules/pgo.bazelrc" | diff expected - || fail "pgo.bazelrc does not have the flags of pgo flags"

workspace source
sources source
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > small.proftext
pin small.proftext
cat >> source/.bazelrc << END
import $rules/pgo.bazelrc
build:pgo --fdo_profile=@small//:clang_profile
END
cat > source/BUILD.bazel << 'END'
load(":toolchain.bzl", "toolchain_config")
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_toolchain", "cc_toolchain_suite")
cc_library(name = "scale", srcs = ["lib/scale.c"])
cc_binary(name = "server", srcs = ["main.cc"], deps = [":scale"])
toolchain_config(name = "config")
filegroup(name = "none")
cc_toolchain(name = "clang", toolchain_config = "config", all_files = "none", compiler_files = "none", dwp_files = "none",
  linker_files = "none", objcopy_files = "none", strip_files = "none")
cc_toolchain_suite(name = "suite", toolchains = {"k8": ":clang"})
END
cat > source/toolchain.bzl << 'END'
load("@prodpgo//:feature.bzl", "prodpgo_features")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "feature", "tool_path")
load("@rules_cc//cc:defs.bzl", "cc_common")

def _impl(ctx):
    tools = {"gcc": "clang-22", "ld": "ld.lld-22", "ar": "ar", "cpp": "clang-22", "gcov": "false", "nm": "nm", "objdump": "objdump", "strip": "strip"}
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx, toolchain_identifier = "own", host_system_name = "own", target_system_name = "own", target_cpu = "k8",
        target_libc = "own", compiler = "clang", abi_version = "own", abi_libc_version = "own",
        cxx_builtin_include_directories = ["/usr"],
        tool_paths = [tool_path(name = name, path = "/usr/bin/" + tool) for name, tool in tools.items()],
        features = prodpgo_features() + [feature(name = "supports_dynamic_linker", enabled = True)],
    )

toolchain_config = rule(implementation = _impl, provides = [CcToolchainConfigInfo])
END

must_bazel build --config=pgo //:server
[ "$(source/bazel-bin/server)" = 2251164 ]
must_bazel aquery --config=pgo "mnemonic('CppCompile|CppLink', deps(//:server))"
for flag in $(flags --profilable --cflags) $(flags --profilable --ldflags) -fauto-profile=; do says "$flag" bazel.out; done
"$pgo" show source/bazel-bin/server > shown
says "pseudo probes" shown
says "can be optimized" shown

# Without a profile, there is an empty one; no build breaks, by clang or GCC.
echo '{"profiles": {}, "version": 1}' > source/pgo.lock
must_bazel build --config=pgo //:server
says "ProdPGO: warning: pgo.lock has no profile small (pgo pin small REFERENCE --lock pgo.lock pins one). Until then, this profile is \
empty"
[ "$(source/bazel-bin/server)" = 2251164 ]
must_bazel build --repo_env=CC=gcc --compilation_mode=opt --fdo_profile=@small//:gcc_profile //:server
[ "$(source/bazel-bin/server)" = 2251164 ]

own="--crosstool_top=//:suite --cpu=k8 --linkopt=-lstdc++ --linkopt=-fuse-ld=lld"
must_bazel aquery $own --features=prodpgo_profilable "mnemonic('CppCompile|CppLink', deps(//:server))"
for flag in $(flags --profilable --cflags) $(flags --profilable --ldflags); do says "$flag" bazel.out; done
must_bazel aquery $own --features=prodpgo_profilable "mnemonic(CppLink, outputs('.*libscale.so', //:scale))"
for flag in $(flags --profilable --ldflags); do says "$flag" bazel.out; done
must_bazel build $own --features=prodpgo_profilable //:server
"$pgo" show source/bazel-bin/server > shown
says "pseudo probes" shown
must_bazel aquery $own --fdo_profile=@small//:clang_profile "mnemonic(CppCompile, deps(//:server))"
says "-fprofile-sample-use=" bazel.out
must_bazel aquery $own "mnemonic('CppCompile|CppLink', deps(//:server))"
never "-fpseudo-probe-for-profiling" bazel.out

# pgo is named by a label, or is that of the installation which the rules are in.
sed -i 's| --repo_env=PRODPGO_PGO=[^ ]*||' source/.bazelrc
used() { readlink "base/external/$1/pgo"; }
cp source/WORKSPACE kept.workspace
ln -s "$pgo" source/own_pgo
sed -i 's|prodpgo.tools()|prodpgo.tools(pgo = "//:own_pgo")|; s|lock = "//:pgo.lock"|&, pgo = "//:own_pgo"|' source/WORKSPACE
must_bazel build --config=pgo //:server
[ "$(used prodpgo_tools)" = "$work/source/own_pgo" ] || fail "uses $(used prodpgo_tools)"
mkdir -p prefix/bin prefix/share/prodpgo
cp -r "$rules" prefix/share/prodpgo/bazel
ln -s "$pgo" prefix/bin/pgo
sed "s|path = \".*\"|path = \"$work/prefix/share/prodpgo/bazel\"|" kept.workspace > source/WORKSPACE
must_bazel build --config=pgo //:server
[ "$(used prodpgo_tools)" = "$work/prefix/bin/pgo" ] || fail "uses $(used prodpgo_tools)"
