"""Whether the compiler of the C++ toolchain is the one whose flags @prodpgo_tools has."""

load("@prodpgo_tools//:flags.bzl", "COMPILER")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")

COMPILER_ATTRIBUTES = {
    "_cc_toolchain": attr.label(default = "@rules_cc//cc:current_cc_toolchain"),
}
COMPILER_TOOLCHAINS = use_cc_toolchain()

def check_compiler(ctx):
    """Stops when the toolchain is of another compiler: each reads profiles of its own kind only.

    Args:
      ctx: of a rule that has COMPILER_ATTRIBUTES and COMPILER_TOOLCHAINS.
    """
    name = find_cc_toolchain(ctx).compiler
    is_clang = "clang" in name

    # "compiler" is what Bazel's own detection calls any but clang.
    if is_clang != (COMPILER == "clang") and (is_clang or name in ["compiler", "gcc", "g++"]):
        fail("ProdPGO: %s: the C++ toolchain runs %s, and @prodpgo_tools has the flags of %s, which it found by CC. " % (
                 ctx.label,
                 "clang" if is_clang else "GCC",
                 "clang" if COMPILER == "clang" else "GCC",
             ) +
             "Name the compiler of the toolchain: --repo_env=PRODPGO_CC=/path/to/compiler")
