"""Whether the C++ toolchain takes the flags and the profile: it runs the compiler whose flags @prodpgo_tools has, and has
the feature that gives it the profile."""

load("@prodpgo_tools//:flags.bzl", "COMPILER")
load("@rules_cc//cc:defs.bzl", "cc_common")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")

COMPILER_ATTRIBUTES = {
    "_cc_toolchain": attr.label(default = "@rules_cc//cc:current_cc_toolchain"),
}
COMPILER_TOOLCHAINS = use_cc_toolchain()
COMPILER_FRAGMENTS = ["cpp"]

def check_compiler(ctx):
    """Stops when the toolchain is of another compiler: each reads profiles of its own kind only.

    Args:
      ctx: of a rule that has COMPILER_ATTRIBUTES and COMPILER_TOOLCHAINS.
    """
    name = find_cc_toolchain(ctx).compiler
    is_clang = "clang" in name

    # "compiler" is what Bazel's own detection calls any but clang.
    if is_clang != (COMPILER == "clang") and (is_clang or name in ["compiler", "gcc", "g++"]):
        fail("ProdPGO: %s: the C++ toolchain runs %s, and @prodpgo_tools has the flags of %s, which it found by PRODPGO_CC or CC. " % (
                 ctx.label,
                 "clang" if is_clang else "GCC",
                 "clang" if COMPILER == "clang" else "GCC",
             ) +
             "Name the compiler of the toolchain: --repo_env=PRODPGO_CC=/path/to/compiler")

def check_takes_profile(ctx):
    """Stops when the toolchain would leave the profile out of the commands: Bazel gives it to the feature `autofdo`.

    Args:
      ctx: of a rule that has COMPILER_ATTRIBUTES, COMPILER_TOOLCHAINS and COMPILER_FRAGMENTS.
    """
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = find_cc_toolchain(ctx),
        requested_features = ctx.features + ["autofdo"],
        unsupported_features = ctx.disabled_features,
    )
    if not cc_common.is_enabled(feature_configuration = features, feature_name = "autofdo"):
        fail(("ProdPGO: %s: the C++ toolchain has no feature autofdo, or it is turned off, so the compiler would not " +
              "get the profile. Add prodpgo_features() of @prodpgo//:feature.bzl to the configuration of the toolchain") % ctx.label)
