"""The repository of one profile: the files that an entry of pgo.lock pins, each in a folder by who reads it.

`pgo pull --locked` takes them out of the blob cache, or fetches them; it compares their digests, and verifies the
signature that the lock file requires. No action of the build needs a network.

    @server//:server          PgoProfileInfo: the files, their digests, and what the profile is worth
    @server//:clang_profile   for Bazel's --fdo_profile, where the entry has a profile for clang; gcc_profile for GCC
    @server//:has_clang       is true then; has_gcc
"""

load("//:program.bzl", "ENVIRONMENT", "find_compiler", "find_pgo", "run")

# The kinds of a lock file, and the folder that the file is in: who reads it.
_FOLDERS = {"llvm": "clang", "gcc": "gcc", "bolt": "bolt", "prebolt": "prebolt"}

def _read_lock(text, where):
    for line in text.split("\n"):
        if line.startswith("<<<<<<< ") or line.startswith(">>>>>>> "):
            fail("ProdPGO: %s has conflict markers of a merge: keep one side of each entry, or pin it again" % where)
    lock = json.decode(text)
    if type(lock) != "dict" or type(lock.get("profiles")) != "dict" or "version" not in lock:
        fail("ProdPGO: %s is no pgo.lock: it has no \"version\" and \"profiles\"; pgo pin writes it" % where)
    if lock["version"] != 1:
        fail("ProdPGO: %s has version %s, and this package reads version 1: update ProdPGO" % (where, lock["version"]))
    return lock

def _rounded(number, decimals):
    """267.25, 1 -> "267.3"."""
    power = 1
    for _ in range(decimals):
        power *= 10
    digits = str(int(number * power + 0.5))
    digits = "0" * (decimals + 1 - len(digits)) + digits
    text = digits[:-decimals] + "." + digits[-decimals:]
    return text.rstrip("0").rstrip(".")

def _figures(file):
    """What the lock says of a file, as the ELF note has it."""
    figures = {"evidence": file.get("evidence", "unknown")}
    if file.get("quality"):
        figures["quality"] = file["quality"]
    for name, decimals in [("density", 1), ("split_half_overlap", 3)]:
        if file.get(name):
            figures[name] = _rounded(file[name], decimals)
    return figures

def _pull(rctx, pgo, lock, where, entry):
    """The files of the entry; why there are none; and whether the lock file has the entry nevertheless."""
    profile = _read_lock(rctx.read(lock), where)["profiles"].get(entry)
    if not profile or not profile.get("files"):
        return [], "%s has no profile %s (pgo pin %s REFERENCE --lock %s pins one)" % (where, entry, entry, where), False
    pulled = run(rctx, [pgo, "pull", "--locked", "--lock", lock, "--json", entry])
    if pulled.code == 0:
        return json.decode(pulled.output)["files"], "", False
    if profile.get("signed_by"):
        fail("ProdPGO: %s requires a signature of profile %s (signed_by), and pgo pull --locked failed: %s" %
             (where, entry, pulled.error))
    return [], "pgo pull --locked --lock %s %s failed: %s" % (where, entry, pulled.error), True

def _check_kind(rctx, pgo, path, shown):
    """Stops when the compiler does not read the profile at `path`, which messages call `shown`."""
    checked = run(rctx, [pgo, "flags", "--compiler", find_compiler(rctx), "--profile", path, "--cflags"])
    if checked.code != 0:
        fail("ProdPGO: " + checked.error.replace(str(path), shown))

def _missing_bolt(files, rctx, where, entry):
    """Why there is no BOLT profile of this configuration, and whether one is pinned for another."""
    others = sorted({file.get("configuration") or "(none)": None for file in files if file["kind"] == "bolt"}.keys())
    if not others:
        return "%s pins none (pgo pin %s REFERENCE --lock %s pins one)" % (where, entry, where), False
    return "%s has BOLT profiles for configuration %s, and none for %s" % (
        where,
        ", ".join(others),
        rctx.attr.configuration or "(none)",
    ), True

def _profile_impl(rctx):
    pgo = find_pgo(rctx)
    name = rctx.attr.target or rctx.name
    entry = rctx.attr.entry or name
    lock = rctx.path(rctx.attr.lock)
    where = "/".join([part for part in [rctx.attr.lock.package, rctx.attr.lock.name] if part])
    files, missing, is_pinned = _pull(rctx, pgo, lock, where, entry)

    found = {}
    for file in files:
        folder = _FOLDERS.get(file["kind"])
        if not folder or (file["kind"] in ["bolt", "prebolt"] and file.get("configuration", "") != rctx.attr.configuration):
            continue

        # Bazel's --fdo_profile gives -fauto-profile only for files of this name. clang knows that spelling too.
        path = "%s/%s%s" % (folder, name, {"bolt": ".fdata", "prebolt": ""}.get(folder, ".afdo"))
        rctx.file(path + ".part")  # makes the folder
        copied = rctx.execute(["cp", "--no-preserve=mode", file["path"], str(rctx.path(path))])
        rctx.delete(path + ".part")
        if copied.return_code != 0:
            fail("ProdPGO: %s" % copied.stderr.strip())
        found[folder] = struct(path = path, digest = file["digest"], figures = _figures(file), shown = file["name"])

    family = json.decode(run(rctx, [pgo, "flags", "--compiler", find_compiler(rctx), "--profilable", "--json"]).output)["compiler"]["family"]
    if family in found:
        _check_kind(rctx, pgo, rctx.path(found[family].path), "%s of %s" % (found[family].shown, where))
    if "bolt" in found:
        # pgo bolt looks for the evidence where a report of pgo convert would be.
        bolt = found["bolt"]
        rctx.file(bolt.path + ".json", json.encode({
            "branches": {},
            "evidence": bolt.figures["evidence"],
            "outputs": [{"digest": bolt.digest, "quality": bolt.figures.get("quality", "")}],
            "samples": {},
        }) + "\n")
    missing_bolt, is_bolt_pinned = (missing, is_pinned) if missing else _missing_bolt(files, rctx, where, entry)
    if not missing:
        others = [other for other in ["clang", "gcc"] if other in found]
        missing = "%s has one for %s only" % (where, others[0]) if others else "%s pins none" % where
    rctx.file("BUILD.bazel", _build_file(name, where, entry, found, missing, missing_bolt, is_bolt_pinned))

def _build_file(name, where, entry, found, missing, missing_bolt, is_bolt_pinned):
    text = """\
# Made by @prodpgo//:profile_repository.bzl, of %s.
load("@prodpgo//:fdo_profile.bzl", "fdo_profile")
load("@prodpgo//:profile.bzl", "pgo_profile")
load("@prodpgo//:settings.bzl", "bool_setting")

package(default_visibility = ["//visibility:public"])

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
        where,
        name,
        entry,
        json.encode(missing),
        json.encode(missing_bolt),
        is_bolt_pinned,
        json.encode("%s#%s" % (where, entry)),
        json.encode({folder: "%s of %s" % (file.shown, where) for folder, file in found.items()}),
        json.encode({folder: file.digest for folder, file in found.items()}),
        json.encode({folder: json.encode(file.figures) for folder, file in found.items()}),
    )
    for folder, file in found.items():
        text += "    %s = \"%s\",\n" % (folder, file.path)
    if "bolt" in found:
        text += "    bolt_report = \"%s.json\",\n" % found["bolt"].path
    text += ")\n"
    for family in ["clang", "gcc"]:
        text += """
bool_setting(
    name = "%s_setting",
    build_setting_default = %s,
)

config_setting(
    name = "has_%s",
    flag_values = {":%s_setting": "True"},
)
""" % (family, family in found, family, family)
        if family in found:
            text += """
fdo_profile(
    name = "%s_profile",
    profile = "%s",
)
""" % (family, found[family].path)
    return text

prodpgo_profile = repository_rule(
    implementation = _profile_impl,
    doc = "The files that one entry of a pgo.lock pins, as a target with the name of the repository.",
    environ = ENVIRONMENT,
    attrs = {
        "lock": attr.label(doc = "The lock file.", mandatory = True, allow_single_file = True),
        "entry": attr.string(doc = "The name of the profile in the lock file; default: the name of the repository."),
        "configuration": attr.string(doc = "The word that the BOLT profile was pushed with (pgo push --configuration)."),
        "pgo": attr.label(doc = "The program pgo. Without it: $PRODPGO_PGO, else what PATH has.", allow_single_file = True),
        "target": attr.string(doc = "The name of the target, where the repository has a longer one (module extension)."),
    },
)
