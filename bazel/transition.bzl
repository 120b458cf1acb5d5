"""The transition that builds a target, and all that is linked into it, profilable or with a profile.

The flags come before those of --copt, and before those of a target, which therefore override them. Builds that are not
optimized (-c opt) and builds for coverage stay as they are.
"""

load("@prodpgo_tools//:flags.bzl", "COMPILER", "FLAGS")

_OPTION = "//command_line_option:"
_MODE = _OPTION + "compilation_mode"
_COVERAGE = _OPTION + "collect_code_coverage"
_COPT = _OPTION + "copt"
_FDO = _OPTION + "fdo_profile"

def _compile_flags(key):
    # Bazel gives the profile itself (--fdo_profile), with an option for GCC that clang warns of.
    words = [word for word in FLAGS[key]["compile"] if "{profile}" not in word]
    if "profile" in key.split(" ") and COMPILER == "clang":
        words.append("-Wno-ignored-optimization-argument")
    return words

def _split(copt):
    """The key of the flags that an outer target of this package has put in front, or None; and the other flags."""
    found = None
    for key in FLAGS:
        words = _compile_flags(key)
        if copt[:len(words)] == words and (found == None or len(words) > len(_compile_flags(found))):
            found = key
    return (found, copt[len(_compile_flags(found)):]) if found != None else (None, copt)

def flags_key(bolt, profile, thin_lto):
    """The key of FLAGS (tools_repository.bzl).

    Args:
      bolt: whether llvm-bolt is to work on the result.
      profile: whether a profile is used.
      thin_lto: whether it is a build with ThinLTO.
    Returns:
      a string.
    """
    return " ".join((["bolt"] if bolt else []) + (["profile"] if profile else []) + (["thin_lto"] if thin_lto else []))

def _pgo_transition_impl(settings, attr):
    # Older versions of Bazel give a value that is not a string.
    if str(settings[_MODE]) != "opt" or settings[_COVERAGE]:
        return {option: settings[option] for option in [_COPT, _FDO]}
    outer, copt = _split(settings[_COPT])
    outer = outer.split(" ") if outer != None and attr.is_library else []

    # The linker refuses to optimize modules of different profiles together.
    is_of_outer = attr.fdo_profile == None or str(attr.fdo_profile) == str(settings[_FDO])
    key = flags_key(
        bolt = attr.bolt or "bolt" in outer,
        profile = attr.fdo_profile != None,
        thin_lto = COMPILER == "clang" and (attr.thin_lto or ("thin_lto" in outer and is_of_outer)),
    )
    return {
        _COPT: _compile_flags(key) + copt,
        _FDO: str(attr.fdo_profile) if attr.fdo_profile else None,
    }

pgo_transition = transition(
    implementation = _pgo_transition_impl,
    inputs = [_MODE, _COVERAGE, _COPT, _FDO],
    outputs = [_COPT, _FDO],
)

# The attributes that the transition reads.
TRANSITION_ATTRIBUTES = {
    "bolt": attr.bool(doc = "Whether llvm-bolt is to work on the result."),
    "fdo_profile": attr.label(doc = "The profile for the compiler; none: profilable only."),
    "thin_lto": attr.bool(doc = "Whether to build with ThinLTO (clang)."),
    "is_library": attr.bool(doc = "Whether it is a part of what links it, and built with ThinLTO and for BOLT as that is."),
    # Bazel before 7 asks for it.
    "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
}

def is_optimized(ctx):
    """Whether the configuration of a target is one that the transition changes.

    Args:
      ctx: of a rule.
    Returns:
      a bool.
    """
    return ctx.var["COMPILATION_MODE"] == "opt" and not ctx.configuration.coverage_enabled
