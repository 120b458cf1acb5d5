"""PgoProfileInfo: the files of a profile, by who reads them, and what is known of them."""

load("@prodpgo_tools//:flags.bzl", "COMPILER")

PgoProfileInfo = provider(
    "A profile out of a lock file.",
    fields = {
        "name": "the name of the profile in the lock file",
        "files": "a dict from clang, gcc, bolt, prebolt to the File, as far as they are pinned",
        "digests": "their digests, sha256:...",
        "figures": "what the lock says of each: evidence, quality, density, split_half_overlap",
        "shown": "their names for messages",
        "input": "the profile as commands of pgo take it: pgo.lock#server",
        "bolt_report": "a File with the evidence of the BOLT profile, which lies beside it; or None",
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
        "program": "the File that was linked; the target's own file is a symbolic link to it",
    },
)

_DEFAULT = "//conditions:default"

def _beside(profile, name):
    """The label of another target of a profile's repository, which is "@server", "@server//:server" or a Label."""
    repository = str(profile).split("//")[0]
    if not repository.startswith("@") or repository == "@":
        fail("ProdPGO: profile must be the repository that prodpgo.profile() declares, such as \"@server\", not \"%s\"" % profile)
    return "%s//:%s" % (repository, name)

def _for_optimized(profile):
    """Only optimized builds use the profile, so that others do not fetch it."""
    return select({str(Label("//:optimized")): profile, _DEFAULT: None})

def profile_attributes(name, profile, testonly = False):
    """The attributes that say which profile a program has.

    Args:
      name: the beginning of the names of targets that conditions need.
      profile: its label; or a dict from conditions to labels, as select() takes it; or None.
      testonly: as of all rules.
    Returns:
      a dict with `profile` and `fdo_profile`.
    """
    if not profile or not COMPILER:
        return {"fdo_profile": None, "profile": None}
    if type(profile) == "select":
        fail("ProdPGO: profile is a select(). Give its dict instead: profile = {\"//:condition\": \"@server\", ...}")
    if type(profile) != "dict":
        return {
            "fdo_profile": select({_beside(profile, "has_" + COMPILER): _beside(profile, COMPILER + "_profile"), _DEFAULT: None}),
            "profile": _for_optimized(profile),
        }

    # For each condition a setting that is true where the condition chooses, and the profile has a file for the compiler.
    hidden = dict(tags = ["manual"], testonly = testonly, visibility = ["//visibility:private"])
    never = str(Label("//:never"))
    chosen = {_DEFAULT: None}
    for number, (condition, label) in enumerate(profile.items()):
        setting = "%s_profile_%s" % (name, number)
        values = {other: never for other in profile}
        values.setdefault(_DEFAULT, never)
        values[condition] = _beside(label, "has_" + COMPILER)
        native.alias(name = setting, actual = select(values), **hidden)
        chosen[":" + setting] = _beside(label, COMPILER + "_profile")
    native.alias(name = name + "_profile", actual = select(profile), **hidden)
    return {"fdo_profile": select(chosen), "profile": _for_optimized(":%s_profile" % name)}
