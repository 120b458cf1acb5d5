"""The transition that builds a program, and all that is linked into it, profilable or with a profile.

The flags come before those of --copt and --linkopt, and before those of a target, so a user's flags override them. All
links of this configuration have flags, too, so that ThinLTO also works for shared libraries and for programs among the
`data` of a library.

A program may be inside of another one: a shared library of it, or data of a library. Then the transition takes out the
flags of the outer one.

Builds that are not optimized (-c opt), builds for coverage, and tools that run during the build stay as they are.
"""

load("@prodpgo_tools//:flags.bzl", "COMPILER")
load("//:build_flags.bzl", "shared_flags", "shared_flags_name")
load("//:configuration.bzl", "FLAGS_MARK", "WANTED_MARK")
load("//:profile.bzl", "PgoProfileInfo", "beside")

_OPTION = "//command_line_option:"
_MODE = _OPTION + "compilation_mode"
_COVERAGE = _OPTION + "collect_code_coverage"
_IS_TOOL = _OPTION + "is exec configuration"
_COPT = _OPTION + "copt"
_LINKOPT = _OPTION + "linkopt"
_FEATURES = _OPTION + "features"
_FDO = _OPTION + "fdo_profile"
_CHANGED = [_COPT, _LINKOPT, _FEATURES, _FDO]
_CONDITIONS = [_MODE, _COVERAGE, _IS_TOOL]

# These settings say when a build fails, and change nothing in what is built. With constant values, a program is the same
# one, in the same directory, whatever is required. So only programs outside of others see the real values.
_POLICY = {str(Label("//:required")): False, str(Label("//:min_match")): ""}

def _is_optimized(settings):
    # Older versions of Bazel give a mode that is not a string.
    return str(settings[_MODE]) == "opt" and not settings[_COVERAGE] and not settings[_IS_TOOL]

def _without(words, part):
    """The words without a part of them; all, if it is not there (Bazel 4 gives tools the features, and not the options)."""
    for start in range(len(words) - len(part) + 1):
        if words[start:start + len(part)] == part:
            return words[:start] + words[start + len(part):]
    return words

def _without_outer_program(settings):
    """The options without what this transition did for a program that this one is inside of."""
    copt, linkopt, features = settings[_COPT], settings[_LINKOPT], settings[_FEATURES]
    for mark in features:
        if mark.startswith(FLAGS_MARK):
            outer = shared_flags(mark[len(FLAGS_MARK):])
            copt = _without(copt, outer.copt)
            linkopt = _without(linkopt, outer.linkopt)
            features = [word for word in features if word not in [mark, WANTED_MARK] + outer.features]
    return struct(copt = copt, features = features, linkopt = linkopt)

def _pgo_transition_impl(settings, attr):
    options = _without_outer_program(settings)
    if not COMPILER or not _is_optimized(settings):
        unchanged = {option: settings[option] for option in [_FDO] + _POLICY.keys()}
        return dict(unchanged, **{_COPT: options.copt, _FEATURES: options.features, _LINKOPT: options.linkopt})
    name = shared_flags_name(attr.bolt, attr.has_profile, attr.thin_lto, attr.linker)
    flags = shared_flags(name)
    return dict(_POLICY, **{
        _COPT: flags.copt + options.copt,
        _FDO: beside(attr.profile, COMPILER + "_profile") if attr.has_profile else None,
        _FEATURES: options.features + [WANTED_MARK, FLAGS_MARK + name] + flags.features,
        _LINKOPT: flags.linkopt + options.linkopt,
    })

pgo_transition = transition(
    implementation = _pgo_transition_impl,
    inputs = _CONDITIONS + _CHANGED + _POLICY.keys(),
    outputs = _CHANGED + _POLICY.keys(),
)

def _profile_transition_impl(settings, _):
    features = [word for word in settings[_FEATURES] if word != WANTED_MARK]
    return {_FEATURES: features + ([WANTED_MARK] if _is_optimized(settings) else [])}

# Only builds that use a profile fetch its files.
_profile_transition = transition(
    implementation = _profile_transition_impl,
    inputs = _CONDITIONS + [_FEATURES],
    outputs = [_FEATURES],
)

# The attribute `profile`, and what all rules with transitions have.
PROFILE_ATTRIBUTES = {
    "profile": attr.label(doc = "The profile.", cfg = _profile_transition, providers = [PgoProfileInfo]),
    # Bazel before 7 asks for it.
    "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
}

# The attributes that pgo_transition reads.
TRANSITION_ATTRIBUTES = dict(
    PROFILE_ATTRIBUTES,
    bolt = attr.bool(doc = "Whether llvm-bolt is to work on the result."),
    has_profile = attr.bool(doc = "Whether the profile has a file for the compiler, and the build is optimized."),
    linker = attr.string(doc = "What -fuse-ld gets; toolchain: no such option; empty: lld for clang, bfd for GCC."),
    thin_lto = attr.bool(doc = "Whether to build with ThinLTO (clang)."),
)

def profile_of(ctx):
    """The value of the attribute `profile`.

    Args:
      ctx: of a rule that has PROFILE_ATTRIBUTES.
    Returns:
      a PgoProfileInfo, or None.
    """
    return ctx.attr.profile[0][PgoProfileInfo] if ctx.attr.profile else None
