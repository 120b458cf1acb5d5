"""PgoProfileInfo: the files of a profile, by who reads them, and what is known of them."""

load("@prodpgo_tools//:flags.bzl", "COMPILER")

PgoProfileInfo = provider(
    "A profile out of a lock file.",
    fields = {
        "name": "the name of the profile in the lock file",
        "files": "a dict from clang, gcc, bolt, prebolt to the File; empty in builds that get no profile (transition.bzl)",
        "digests": "their digests, sha256:...",
        "figures": "what the lock says of each: evidence, quality, density, split_half_overlap",
        "shown": "their names for messages",
        "input": "the profile as commands of pgo take it: pgo.lock#server",
        "bolt_report": "a File with the evidence of the BOLT profile, which lies beside it; or None",
        "libraries": "a dict from the names of shared libraries to their PgoProfileInfo, which has files for BOLT",
        "missing": "why there is no file for a compiler",
        "missing_bolt": "why there is no BOLT profile",
        "is_bolt_pinned": "whether the lock file pins a BOLT profile, for whichever configuration, so that it must be there",
    },
)

def _pgo_profile_impl(ctx):
    files = {}
    for folder in ["clang", "gcc", "bolt", "prebolt"]:
        file = getattr(ctx.file, folder)
        if file:
            files[folder] = file
    return [
        DefaultInfo(files = depset(files.values())),
        PgoProfileInfo(
            name = ctx.attr.entry,
            files = files,
            digests = ctx.attr.digests,
            figures = {folder: json.decode(text) for folder, text in ctx.attr.figures.items()},
            shown = ctx.attr.shown,
            input = ctx.attr.input,
            bolt_report = ctx.file.bolt_report,
            libraries = {name: target[PgoProfileInfo] for target, name in ctx.attr.libraries.items()},
            missing = ctx.attr.missing,
            missing_bolt = ctx.attr.missing_bolt,
            is_bolt_pinned = ctx.attr.is_bolt_pinned,
        ),
    ]

pgo_profile = rule(
    implementation = _pgo_profile_impl,
    doc = "The files of a profile. profile_repository.bzl writes the targets of this rule.",
    attrs = {
        "entry": attr.string(doc = "The name of the profile in the lock file."),
        "clang": attr.label(doc = "The LLVM sample profile.", allow_single_file = True),
        "gcc": attr.label(doc = "The profile for GCC's -fauto-profile.", allow_single_file = True),
        "bolt": attr.label(doc = "The BOLT profile.", allow_single_file = True),
        "prebolt": attr.label(doc = "The build that the BOLT profile was recorded on.", allow_single_file = True),
        "bolt_report": attr.label(doc = "The evidence of the BOLT profile.", allow_single_file = True),
        "libraries": attr.label_keyed_string_dict(doc = "Of each shared library, what is for BOLT.", providers = [PgoProfileInfo]),
        "digests": attr.string_dict(doc = "The digest of each file."),
        "figures": attr.string_dict(doc = "What the lock file says of each file, as JSON."),
        "shown": attr.string_dict(doc = "The name of each file for messages."),
        "input": attr.string(doc = "The profile as commands of pgo take it."),
        "missing": attr.string(doc = "Why there is no file for a compiler."),
        "missing_bolt": attr.string(doc = "Why there is no BOLT profile."),
        "is_bolt_pinned": attr.bool(doc = "Whether the lock file pins a BOLT profile, for whichever configuration."),
    },
)

PgoProgramInfo = provider(
    "What a cc_pgo_binary makes.",
    fields = {
        "bolt": "whether llvm-bolt can work on it",
        "checks": "Files of checks that must succeed before anything uses the program",
        "is_profiled": "whether the compiler was given a profile",
        "profile": "the name of its profile in messages, such as pgo.lock#server; or None",
        "program": "the File that was linked; the target's own file is a symbolic link to it",
    },
)

def beside(profile, name):
    """The label of another target of a profile's repository.

    Args:
      profile: "@server", "@server//:server", or a Label.
      name: the name of the target.
    Returns:
      a string.
    """
    repository = str(profile).split("//")[0]
    if not repository.strip("@") or not repository.startswith("@"):
        fail("ProdPGO: profile must be the repository that prodpgo.profile() declares, such as \"@server\", not \"%s\"" % profile)
    return "%s//:%s" % (repository, name)

def _conditions(profile):
    """A dict from conditions to labels or None."""
    if type(profile) == "select":
        fail("ProdPGO: profile is a select(). Give its dict instead: profile = {\"//:condition\": \"@server\", ...}")
    return profile if type(profile) == "dict" else {"//conditions:default": profile}

def chosen_profile(profile):
    """The value of an attribute `profile`.

    Args:
      profile: its label; or a dict from conditions to labels or None, as select() takes it; or None.
    Returns:
      a select(), or None.
    """
    return select(_conditions(profile)) if profile and COMPILER else None

def has_profile(name, profile, **common):
    """Whether the profile has a file for the compiler, and the build is optimized.

    Args:
      name: the name of a target that makes one condition of all.
      profile: as of chosen_profile().
      **common: attributes of that target.
    Returns:
      a select() of bools, or False.
    """
    if not profile or not COMPILER:
        return False
    native.alias(
        name = name,
        actual = select({
            condition: beside(label, "has_" + COMPILER) if label else str(Label("//:never"))
            for condition, label in _conditions(profile).items()
        }),
        **common
    )
    return select({":" + name: True, "//conditions:default": False})
