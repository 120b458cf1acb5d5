"""The repository @prodpgo_tools: pgo and llvm-bolt of this machine, and the flags that pgo chooses for its compiler.

Its flags.bzl has:

    COMPILER = "clang"             the family: clang or gcc; empty where there is no pgo, or a compiler of another family
    UNUSABLE = ""                  why it is empty
    BOLT_UNUSABLE = ""             why there is no llvm-bolt
    VERSION = "ProdPGO 0.1.0"
    FLAGS = {"bolt profile": {"compile": [...], "link": [...]}, ...}

The keys of FLAGS name what a build is: any of bolt, profile and thin_lto, in this order. {profile} stands for the path
of the profile. All come from `pgo flags`, so from the one table that the CMake package reads too.

Its environment.bzl has run_environment(), which makes the provider of the running version of Bazel for the environment
of a program.
"""

load("//:messages.bzl", "tell")
load("//:program.bzl", "PROGRAM_VARIABLES", "find_compiler", "find_llvm_bolt", "find_pgo", "run", "watch_programs")

def _words(flags):
    return [word for flag in flags for word in flag["words"]]

def _choose_flags(rctx, pgo, compiler, words):
    command = [pgo, "flags", "--compiler", compiler, "--json"]
    command += ["--profile-path", "{profile}"] if "profile" in words else ["--profilable"]
    command += ["--bolt"] if "bolt" in words else []
    command += ["--thin-lto"] if "thin_lto" in words else []
    return run(rctx, command)

# What a build is: each key of FLAGS, as a list. clang alone has ThinLTO.
_BUILDS = [
    bolt + profile + thin_lto
    for thin_lto in [[], ["thin_lto"]]
    for profile in [[], ["profile"]]
    for bolt in [[], ["bolt"]]
]

def _unusable(pgo, why):
    return struct(pgo = pgo, family = "", flags = {}, unusable = why, version = "")

def _choose(rctx):
    """What flags.bzl has."""
    pgo = find_pgo(rctx)
    compiler = find_compiler(rctx)
    if pgo.error or compiler.error:
        return _unusable(pgo.path, pgo.error or compiler.error)
    family = ""
    flags = {}
    for words in _BUILDS:
        if "thin_lto" in words and family != "clang":
            continue
        chosen = _choose_flags(rctx, pgo.path, compiler.path, words)
        if chosen.code != 0:
            return _unusable(pgo.path, "pgo flags --compiler %s failed: %s" % (compiler.path, chosen.error))
        chosen = json.decode(chosen.output)
        family = chosen["compiler"]["family"]
        flags[" ".join(words)] = {"compile": _words(chosen["compile"]), "link": _words(chosen["link"])}
        for flag in chosen["unknown"] if words == ["profile"] else []:
            tell("warning: %s does not support %s: %s" % (compiler.path, " ".join(flag["words"]), flag["loss"]))
    version = run(rctx, [pgo.path, "--version"]).output.strip().replace("pgo", "ProdPGO")
    return struct(pgo = pgo.path, family = family, flags = flags, unusable = "", version = version)

def _tools_impl(rctx):
    watch_programs(rctx)
    chosen = _choose(rctx)
    llvm_bolt = find_llvm_bolt(rctx)
    rctx.file("flags.bzl", """\
\"\"\"What `pgo flags` chose. Made by @prodpgo//:tools_repository.bzl.\"\"\"

COMPILER = "%s"
UNUSABLE = %s
BOLT_UNUSABLE = %s
VERSION = "%s"
FLAGS = %s
""" % (
        chosen.family,
        json.encode(chosen.unusable),
        json.encode(llvm_bolt.error),
        chosen.version,
        json.encode(chosen.flags),
    ))

    # From 5.3 on, the second makes the first; 7.1 and later certainly have the first.
    provider = "RunEnvironmentInfo" if hasattr(rctx, "watch") else "testing.TestEnvironment"
    rctx.file("environment.bzl", """\
\"\"\"What the running version of Bazel calls the environment of a program. Made by @prodpgo//:tools_repository.bzl.\"\"\"

run_environment = %s
""" % provider)
    if chosen.pgo:
        rctx.symlink(chosen.pgo, "pgo")
    else:
        rctx.file("pgo", "#!/bin/sh\necho 'pgo was not found' >&2\nexit 2\n")
    for name, path in llvm_bolt.programs.items():
        rctx.symlink(path, name)
    rctx.file("BUILD.bazel", """\
package(default_visibility = ["//visibility:public"])

exports_files([
    "environment.bzl",
    "flags.bzl",
    "pgo",
])

filegroup(
    name = "bolt",
    srcs = %s,
)
""" % json.encode(sorted(llvm_bolt.programs.keys())))

prodpgo_tools = repository_rule(
    implementation = _tools_impl,
    doc = "The programs of this machine that the rules run, and the flags for its compiler. Call it prodpgo_tools.",
    # It describes this machine: `bazel sync --configure`, and each new server of Bazel, looks again.
    configure = True,
    local = True,
    environ = PROGRAM_VARIABLES,
    attrs = {
        "pgo": attr.label(doc = "The program pgo. Without it: $PRODPGO_PGO, else what PATH has.", allow_single_file = True),
    },
)
