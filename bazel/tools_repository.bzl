"""The repository @prodpgo_tools: pgo and llvm-bolt of this machine, and the flags that pgo chooses for its compiler.

Its flags.bzl has:

    COMPILER = "clang"             the family: clang or gcc
    VERSION = "ProdPGO 0.1.0"
    FLAGS = {"bolt profile": {"compile": [...], "link": [...]}, ...}

The keys of FLAGS name what a build is: any of bolt, profile and thin_lto, in this order. {profile} stands for the path
of the profile. All come from `pgo flags`, so from the one table that the CMake package reads too.
"""

load("//:messages.bzl", "tell")
load("//:program.bzl", "ENVIRONMENT", "find_compiler", "find_llvm_bolt", "find_pgo", "run")

def _words(flags):
    return [word for flag in flags for word in flag["words"]]

def _choose_flags(rctx, pgo, compiler, words):
    command = [pgo, "flags", "--compiler", compiler, "--json"]
    command += ["--profile-path", "{profile}"] if "profile" in words else ["--profilable"]
    command += ["--bolt"] if "bolt" in words else []
    command += ["--thin-lto"] if "thin_lto" in words else []
    chosen = run(rctx, command)
    if chosen.code != 0:
        fail("ProdPGO: pgo flags --compiler %s failed: %s" % (compiler, chosen.error))
    return json.decode(chosen.output)

def _tools_impl(rctx):
    pgo = find_pgo(rctx)
    compiler = find_compiler(rctx)
    whole = _choose_flags(rctx, pgo, compiler, ["profile"])
    family = whole["compiler"]["family"]
    for flag in whole["unknown"]:
        tell("warning: %s does not support %s: %s" % (compiler, " ".join(flag["words"]), flag["loss"]))
    flags = {}
    for thin_lto in [[], ["thin_lto"]] if family == "clang" else [[]]:
        for profile in [[], ["profile"]]:
            for bolt in [[], ["bolt"]]:
                words = bolt + profile + thin_lto
                chosen = _choose_flags(rctx, pgo, compiler, words)
                flags[" ".join(words)] = {"compile": _words(chosen["compile"]), "link": _words(chosen["link"])}
    version = run(rctx, [pgo, "--version"]).output.strip().replace("pgo", "ProdPGO")
    rctx.file("flags.bzl", """\
\"\"\"What `pgo flags` chose for %s. Made by @prodpgo//:tools_repository.bzl.\"\"\"

COMPILER = "%s"
VERSION = "%s"
FLAGS = %s
""" % (compiler, family, version, json.encode(flags)))
    rctx.symlink(pgo, "pgo")
    llvm_bolt = find_llvm_bolt(rctx)
    for name, path in llvm_bolt.items():
        rctx.symlink(path, name)
    rctx.file("BUILD.bazel", """\
package(default_visibility = ["//visibility:public"])

exports_files(["flags.bzl", "pgo"])

filegroup(
    name = "bolt",
    srcs = %s,
)
""" % json.encode(sorted(llvm_bolt.keys())))

prodpgo_tools = repository_rule(
    implementation = _tools_impl,
    doc = "The programs of this machine that the rules run, and the flags for its compiler. Call it prodpgo_tools.",
    environ = ENVIRONMENT,
    attrs = {
        "pgo": attr.label(doc = "The program pgo. Without it: $PRODPGO_PGO, else what PATH has.", allow_single_file = True),
    },
)
