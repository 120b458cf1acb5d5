"""cc_pgo_binary: a cc_binary that is built with a profile, with all that is linked into it."""

load("@prodpgo_tools//:flags.bzl", "COMPILER")
load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//:compiler.bzl", "COMPILER_ATTRIBUTES", "COMPILER_TOOLCHAINS", "check_compiler")
load("//:link.bzl", "pgo_link_dependencies")
load("//:match.bzl", "MATCH_ATTRIBUTES", "match_report")
load("//:messages.bzl", "REQUIRED_ATTRIBUTE", "tell", "warn_or_fail")
load("//:profile.bzl", "PgoProfileInfo", "target_beside")
load("//:transition.bzl", "TRANSITION_ATTRIBUTES", "is_optimized", "pgo_transition")

def applied_profile(ctx):
    """The profile that the compiler is given, with a message when it has none, or one that is worth little.

    Args:
      ctx: of a rule with an attribute `profile`, REQUIRED_ATTRIBUTE and what check_compiler() reads.
    Returns:
      a PgoProfileInfo, or None.
    """
    check_compiler(ctx)
    if COMPILER == "gcc" and ctx.attr.thin_lto:
        fail("ProdPGO: %s: thin_lto is for clang, and the compiler is GCC, which has no ThinLTO" % ctx.label)
    if not ctx.attr.profile or not is_optimized(ctx):
        return None
    profile = ctx.attr.profile[PgoProfileInfo]
    if COMPILER not in profile.files:
        warn_or_fail(
            ctx,
            "%s: profile %s has no file for %s: %s" % (ctx.label, profile.name, COMPILER, profile.missing),
            "Building without it until then",
        )
        return None
    if profile.figures[COMPILER].get("quality") == "weak":
        tell(("warning: %s: the quality of %s is weak: too little was sampled to tell hot code from cold. " +
              "Record for longer or on more hosts.") % (ctx.label, profile.shown[COMPILER]))
    return profile

def _pgo_binary_impl(ctx):
    profile = applied_profile(ctx)
    linked = ctx.attr.binary[0]
    program = linked[DefaultInfo].files_to_run.executable
    output = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = output, target_file = program, is_executable = True)
    return [
        DefaultInfo(
            executable = output,
            files = depset([output]),
            runfiles = ctx.runfiles([output]).merge(linked[DefaultInfo].default_runfiles),
        ),
        OutputGroupInfo(_validation = depset(match_report(ctx, program, profile))),
    ]

_pgo_binary = rule(
    implementation = _pgo_binary_impl,
    doc = "The program of a cc_pgo_binary: what its cc_binary makes after the transition.",
    executable = True,
    attrs = dict(
        binary = attr.label(doc = "The cc_binary.", cfg = pgo_transition, mandatory = True),
        profile = attr.label(doc = "The profile.", providers = [PgoProfileInfo]),
        **dict(TRANSITION_ATTRIBUTES, **dict(MATCH_ATTRIBUTES, **dict(COMPILER_ATTRIBUTES, **REQUIRED_ATTRIBUTE)))
    ),
    toolchains = COMPILER_TOOLCHAINS,
)

def fdo_profile_of(profile):
    """The target for Bazel's --fdo_profile, where the profile has a file for the compiler.

    Args:
      profile: the label of the profile, or None.
    Returns:
      a select(), or None.
    """
    if not profile:
        return None
    return select({
        target_beside(profile, "has_" + COMPILER): target_beside(profile, COMPILER + "_profile"),
        "//conditions:default": None,
    })

def cc_pgo_binary(
        name,
        profile = None,
        bolt = False,
        thin_lto = False,
        min_match = "",
        several = False,
        visibility = None,
        tags = None,
        testonly = False,
        **kwargs):
    """A program or shared library that is built profilable, and with a profile once there is one.

    With -c opt, all that is linked into it is compiled with the flags of `pgo flags`, and an ELF note names the
    profile; `pgo match` compares the profile with the result. Other builds are those of a cc_binary.

    Args:
      name: the name of the program. The file before this rule's symbolic link is <name>_prodpgo/<name>.
      profile: the label of a profile, such as "@server"; none: profilable only.
      bolt: whether llvm-bolt is to work on the result (bolt_binary).
      thin_lto: whether to build with ThinLTO (clang).
      min_match: the minimum match rate in percent; 0: nothing is compared. Default: --@prodpgo//:min_match.
      several: whether the profile covers several binaries, so that functions that this one lacks do not count.
      visibility: as of all rules.
      tags: as of all rules.
      testonly: as of all rules.
      **kwargs: as of cc_binary.
    """
    inner = "%s_prodpgo" % name
    features = kwargs.pop("features", [])
    if COMPILER == "gcc":
        features = features + ["-supports_start_end_lib"]  # of gold and lld only
    cc_binary(
        name = "%s/%s" % (inner, name),
        deps = kwargs.pop("deps", []) + pgo_link_dependencies(inner, profile, bolt, thin_lto, testonly),
        features = features,
        tags = ["manual"],
        testonly = testonly,
        visibility = ["//visibility:private"],
        **kwargs
    )
    _pgo_binary(
        name = name,
        binary = "%s/%s" % (inner, name),
        bolt = bolt,
        fdo_profile = fdo_profile_of(profile),
        min_match = min_match,
        profile = profile,
        several = several,
        tags = tags,
        testonly = testonly,
        thin_lto = thin_lto,
        visibility = visibility,
    )
