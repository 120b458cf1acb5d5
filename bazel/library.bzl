"""cc_pgo_library: a static library with a profile of its own, whatever program links it."""

load("@rules_cc//cc:defs.bzl", "CcInfo", "cc_library")
load("//:binary.bzl", "applied_profile", "fdo_profile_of")
load("//:compiler.bzl", "COMPILER_ATTRIBUTES", "COMPILER_TOOLCHAINS")
load("//:messages.bzl", "REQUIRED_ATTRIBUTE")
load("//:profile.bzl", "PgoProfileInfo")
load("//:transition.bzl", "TRANSITION_ATTRIBUTES", "pgo_transition")

def _pgo_library_impl(ctx):
    applied_profile(ctx)
    library = ctx.attr.library[0]
    return [library[CcInfo], library[DefaultInfo]]

_pgo_library = rule(
    implementation = _pgo_library_impl,
    doc = "The library of a cc_pgo_library: what its cc_library makes after the transition.",
    attrs = dict(
        library = attr.label(doc = "The cc_library.", cfg = pgo_transition, mandatory = True, providers = [CcInfo]),
        profile = attr.label(doc = "The profile.", providers = [PgoProfileInfo]),
        **dict(TRANSITION_ATTRIBUTES, **dict(COMPILER_ATTRIBUTES, **REQUIRED_ATTRIBUTE))
    ),
    toolchains = COMPILER_TOOLCHAINS,
)

def cc_pgo_library(name, profile = None, visibility = None, tags = None, testonly = False, **kwargs):
    """A static library, and what it depends on, built with a profile of its own.

    A library that a cc_pgo_binary links has the profile of that program, and needs no rule of its own. This rule is for
    a library with another profile, or in programs without one. Within a cc_pgo_binary it is built for BOLT as the
    program is, and with ThinLTO if it has no profile, or that of the program: linkers refuse to optimize modules of
    different profiles together.

    Args:
      name: the name of the library.
      profile: the label of a profile, such as "@engine"; none: profilable only.
      visibility: as of all rules.
      tags: as of all rules.
      testonly: as of all rules.
      **kwargs: as of cc_library.
    """
    inner = name + "_prodpgo"
    cc_library(
        name = inner,
        tags = ["manual"],
        testonly = testonly,
        visibility = ["//visibility:private"],
        **kwargs
    )
    _pgo_library(
        name = name,
        fdo_profile = fdo_profile_of(profile),
        is_library = True,
        library = inner,
        profile = profile,
        tags = tags,
        testonly = testonly,
        visibility = visibility,
    )
