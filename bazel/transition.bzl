"""The transition that builds a program, and all that is linked into it, profilable or with a profile.

The flags come before those of --copt and --linkopt, and before those of a target, which therefore override them. All
that is built in this configuration is linked with them, too, so that ThinLTO also works for shared libraries and for
programs among the `data` of a library. Builds that are not optimized (-c opt) and builds for coverage stay as they are.

A program may be inside of another one: a shared library of it, or data of a library. Then the flags of the outer one are
taken out. A name among --features, which no toolchain knows, tells which these are. (A build setting would also reach
the tools that run during the build, and Bazel before 10 would compile these once more for each program.)
"""

load("@prodpgo_tools//:flags.bzl", "COMPILER", "FLAGS")

_OPTION = "//command_line_option:"
_MODE = _OPTION + "compilation_mode"
_COVERAGE = _OPTION + "collect_code_coverage"
_COPT = _OPTION + "copt"
_LINKOPT = _OPTION + "linkopt"
_FEATURES = _OPTION + "features"
_FDO = _OPTION + "fdo_profile"
_CHANGED = [_COPT, _LINKOPT, _FEATURES, _FDO]
_MARK = "prodpgo_flags."

# What says when a build fails, and has no part in what is built: only the rules of the programs that are asked for read it.
# With a constant value, a program is the same one, in the same directory, whatever is required.
_POLICY = {str(Label("//:required")): False, str(Label("//:min_match")): ""}

def _compile_flags(key):
    # Bazel gives the profile itself (--fdo_profile), with an option for GCC that clang warns of.
    words = [word for word in FLAGS[key]["compile"] if "{profile}" not in word]
    if "profile" in key.split(" ") and COMPILER == "clang":
        words.append("-Wno-ignored-optimization-argument")
    return words

def _link_flags(key, linker):
    # Bazel's own detection chooses gold, which crashes on --emit-relocs and has no ThinLTO of clang 22.
    linker = linker or ("lld" if COMPILER == "clang" else "bfd")

    # The profile is an input that link.bzl adds.
    return ([] if linker == "toolchain" else ["-fuse-ld=" + linker]) + [
        word
        for word in FLAGS[key]["link"]
        if "{profile}" not in word
    ]

def _mark(key, linker):
    return _MARK + "%s,%s" % (key.replace(" ", "+"), linker)

def _read_mark(mark):
    key, linker = mark[len(_MARK):].split(",")
    return key.replace("+", " "), linker

def flags_key(bolt, profile, thin_lto):
    """The key of FLAGS (tools_repository.bzl).

    Args:
      bolt: whether llvm-bolt is to work on the result.
      profile: whether a profile is used.
      thin_lto: whether it is a build with ThinLTO.
    Returns:
      a string.
    """
    thin_lto = thin_lto and COMPILER == "clang"
    return " ".join((["bolt"] if bolt else []) + (["profile"] if profile else []) + (["thin_lto"] if thin_lto else []))

def _pgo_transition_impl(settings, attr):
    # Older versions of Bazel give a value that is not a string.
    if not COMPILER or str(settings[_MODE]) != "opt" or settings[_COVERAGE]:
        return {option: settings[option] for option in _CHANGED + _POLICY.keys()}
    copt, linkopt, features = settings[_COPT], settings[_LINKOPT], settings[_FEATURES]
    for mark in features:
        if mark.startswith(_MARK):
            outer, linker = _read_mark(mark)
            copt = copt[len(_compile_flags(outer)):]
            linkopt = linkopt[len(_link_flags(outer, linker)):]
    key = flags_key(attr.bolt, attr.fdo_profile != None, attr.thin_lto)
    features = [feature for feature in features if not feature.startswith(_MARK)] + [_mark(key, attr.linker)]
    if COMPILER == "gcc" and "-supports_start_end_lib" not in features:
        features = features + ["-supports_start_end_lib"]  # of gold and lld only
    return dict(_POLICY, **{
        _COPT: _compile_flags(key) + copt,
        _FDO: str(attr.fdo_profile) if attr.fdo_profile else None,
        _FEATURES: features,
        _LINKOPT: _link_flags(key, attr.linker) + linkopt,
    })

pgo_transition = transition(
    implementation = _pgo_transition_impl,
    inputs = [_MODE, _COVERAGE] + _CHANGED + _POLICY.keys(),
    outputs = _CHANGED + _POLICY.keys(),
)

# The attributes that the transition reads.
TRANSITION_ATTRIBUTES = {
    "bolt": attr.bool(doc = "Whether llvm-bolt is to work on the result."),
    "fdo_profile": attr.label(doc = "The profile for the compiler; none: profilable only."),
    "linker": attr.string(doc = "What -fuse-ld gets; toolchain: no such option; empty: lld for clang, bfd for GCC."),
    "thin_lto": attr.bool(doc = "Whether to build with ThinLTO (clang)."),
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
