"""The repository of a profile: targets for what an entry of pgo.lock pins. It reads only the lock file, so it needs
neither pgo nor a network; the files are in a repository of their own (files_repository.bzl), which Bazel fetches when an
action or a target of an optimized build needs them.

    @server//:server          PgoProfileInfo: the files, their digests, and what the profile is worth
    @server//:clang_profile   for Bazel's --fdo_profile: the profile for clang; gcc_profile for GCC. Where the lock file
                              pins none, it is an empty one, with a warning
    @server//:server.libq.so  PgoProfileInfo of a shared library: its files for BOLT
    @server//:has_clang       a condition: an optimized build, and the lock file pins a profile for clang; has_gcc
"""

load("//:lock.bzl", "PROFILE_ATTRIBUTES", "lock_name", "pinned_files")

# An attribute with a file, which Bazel fetches only where it is wanted.
_WANTED = """\
    %s = select({
        "@prodpgo//:profile_is_wanted": "@%s//:%s",
        "//conditions:default": None,
    }),
"""

def _missing(where, entry, pinned):
    """Why there is no file for a compiler."""
    if not pinned.has_entry:
        others = [other for other in pinned.entries if other != entry]
        return "%s has no profile %s%s (pgo pin %s REFERENCE --lock %s pins one)" % (
            where,
            entry,
            ", only " + ", ".join(others) if others else "",
            entry,
            where,
        )
    others = [other for other in ["clang", "gcc"] if other in pinned.files]
    if not others:
        return "%s pins none" % where
    return ("%s has one for %s only (pgo convert -o FILE%s makes one of the same recordings; push both)") % (
        where,
        others[0],
        ".afdo" if others[0] == "clang" else ".prof",
    )

def _missing_bolt(where, entry, pinned, configuration):
    """Why there is no BOLT profile of this configuration."""
    if not pinned.has_entry:
        return _missing(where, entry, pinned)
    if not pinned.configurations:
        return ("%s pins %s, which has none. Record the build with this profile, and push a BOLT profile with the next version; " +
                "until then, allow_missing = True lets required builds do without") % (where, pinned.reference)
    return "%s has BOLT profiles for configuration %s, and none for %s" % (
        where,
        ", ".join([other or "(none)" for other in pinned.configurations]),
        configuration or "(none)",
    )

def _profile_text(rctx, pinned, missing, name, files):
    """A target of pgo_profile with these files, without the end."""
    entry = rctx.attr.entry
    where = lock_name(rctx.attr.lock)
    text = """
pgo_profile(
    name = "%s",
    entry = "%s",
    missing = %s,
    missing_bolt = %s,
    is_bolt_pinned = %s,
    input = %s,
    shown = %s,
    digests = %s,
    figures = %s,
""" % (
        name,
        entry,
        json.encode(missing),
        json.encode(_missing_bolt(where, entry, pinned, rctx.attr.configuration)),
        len(pinned.configurations) > 0,
        json.encode("%s#%s" % (where, entry)),
        json.encode({reader: file.shown for reader, file in files.items()}),
        json.encode({reader: file.digest for reader, file in files.items()}),
        json.encode({reader: json.encode(file.figures) for reader, file in files.items()}),
    )
    for reader, file in files.items():
        text += _WANTED % (reader, rctx.attr.files, file.path)
    if "bolt" in files:
        text += _WANTED % ("bolt_report", rctx.attr.files, files["bolt"].path + ".json")
    return text

def _profile_impl(rctx):
    entry = rctx.attr.entry
    where = lock_name(rctx.attr.lock)
    pinned = pinned_files(rctx)
    missing = _missing(where, entry, pinned)
    text = """\
# Made by @prodpgo//:profile_repository.bzl, of %s.
load("@prodpgo//:fdo_profile.bzl", "fdo_profile")
load("@prodpgo//:profile.bzl", "pgo_profile")

package(default_visibility = ["//visibility:public"])
""" % where
    libraries = {}
    for library, files in sorted(pinned.libraries.items()):
        name = rctx.attr.target + "." + library
        libraries[":" + name] = library
        text += _profile_text(rctx, pinned, missing, name, files) + ")\n"
    text += _profile_text(rctx, pinned, missing, rctx.attr.target, pinned.files)
    text += "    libraries = %s,\n)\n" % json.encode(libraries)
    for compiler in ["clang", "gcc"]:
        file = pinned.files.get(compiler)
        text += """
alias(
    name = "has_%s",
    actual = "@prodpgo//:%s",
)

fdo_profile(
    name = "%s_profile",%s
    profile = "%s",
)
""" % (
            compiler,
            "optimized" if file else "never",
            compiler,
            "" if file else "\n    deprecation = %s," % json.encode("ProdPGO: warning: %s. Until then, this profile is empty" % missing),
            "@%s//:%s" % (rctx.attr.files, file.path) if file else "@prodpgo//:empty/%s.afdo" % compiler,
        )
    rctx.file("BUILD.bazel", text)

prodpgo_profile = repository_rule(
    implementation = _profile_impl,
    doc = "Targets for the files that one entry of a pgo.lock pins.",
    attrs = dict(
        PROFILE_ATTRIBUTES,
        files = attr.string(doc = "The name of the repository with the files.", mandatory = True),
    ),
)
