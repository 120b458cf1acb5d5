"""pgo.lock, as repository rules read it: the files that one entry pins, by who reads them."""

load("//:json_fault.bzl", "json_fault")

# The kinds of a lock file, and who reads a file of it: the name of its folder in the repository.
_READERS = {"llvm": "clang", "gcc": "gcc", "bolt": "bolt", "prebolt": "prebolt"}

# Bazel's --fdo_profile gives -fauto-profile only for files of this name. clang knows that spelling, too.
_EXTENSIONS = {"clang": ".afdo", "gcc": ".afdo", "bolt": ".fdata", "prebolt": ""}

# What repository rules of a profile have.
PROFILE_ATTRIBUTES = {
    "configuration": attr.string(doc = "The word that the BOLT profile was pushed with (pgo push --configuration)."),
    "entry": attr.string(doc = "The name of the profile in the lock file.", mandatory = True),
    "lock": attr.label(doc = "The lock file.", mandatory = True, allow_single_file = True),
    "target": attr.string(doc = "The name of the profile's target and files.", mandatory = True),
}

def lock_name(label):
    """The path of a lock file for messages.

    Args:
      label: of the lock file.
    Returns:
      a string: its path in the workspace.
    """
    return "/".join([part for part in [label.package, label.name] if part])

def _check_exists(rctx, where):
    """Stops when there is no lock file. (Bazel 4 does so in its own words.)"""
    if hasattr(rctx, "workspace_root") and not rctx.attr.lock.workspace_root:
        if not rctx.path("%s/%s" % (rctx.workspace_root, where)).exists:
            fail(("ProdPGO: there is no %s. Where nothing is pinned yet, make an empty one: " +
                  "echo '{\"profiles\": {}, \"version\": 1}' > %s") % (where, where))

def _read_lock(rctx, where):
    _check_exists(rctx, where)
    text = rctx.read(rctx.path(rctx.attr.lock))
    for line in text.split("\n"):
        if line.startswith("<<<<<<< ") or line.startswith(">>>>>>> "):
            fail("ProdPGO: %s has conflict markers of a merge: keep one side of each entry, or pin it again" % where)

    # pgo pin writes each entry in a line of its own, with this indentation.
    if text.count("\n    \"%s\":" % rctx.attr.entry) > 1:
        fail("ProdPGO: %s has profile %s twice: keep one of them, a merge may have left both" % (where, rctx.attr.entry))
    fault = json_fault(text)
    if fault:
        fail("ProdPGO: %s is not a lock file: it is not JSON (%s). Restore it, or pin the profiles again" % (where, fault))
    lock = json.decode(text)
    if type(lock) != "dict" or type(lock.get("profiles")) != "dict" or "version" not in lock:
        fail("ProdPGO: %s is not a lock file: it has no \"version\" and \"profiles\"; pgo pin writes it" % where)
    if lock["version"] != 1:
        fail("ProdPGO: %s has version %s, and this package reads version 1: update ProdPGO" % (where, lock["version"]))
    return lock

# The types of what an entry has.
_ENTRY_TYPES = {"files": "list", "reference": "string"}
_FILE_TYPES = {"digest": "string", "kind": "string", "path": "string"}

def _check_types(value, types, what):
    for name, expected in types.items():
        if type(value) != "dict" or type(value.get(name)) != expected:
            fail("ProdPGO: %s has no \"%s\", or it is no %s. Pin the profile again" % (what, name, expected))

def _check_entry(entry, where, name):
    """Stops when an entry is not what pgo pin writes."""
    _check_types(entry, _ENTRY_TYPES, "%s: profile %s" % (where, name))
    for file in entry["files"]:
        _check_types(file, _FILE_TYPES, "%s: a file of profile %s" % (where, name))

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
    """What the lock file says of a file, as the ELF note has it."""
    figures = {"evidence": file.get("evidence", "unknown")}
    if file.get("quality"):
        figures["quality"] = file["quality"]
    for name, decimals in [("density", 1), ("split_half_overlap", 3)]:
        if file.get(name):
            figures[name] = _rounded(file[name], decimals)
    return figures

def pinned_files(rctx):
    """Reads what a lock file pins.

    Args:
      rctx: of a repository rule with PROFILE_ATTRIBUTES.
    Returns:
      struct(has_entry, reference, entries, files, libraries, configurations): whether the entry pins anything, and which
      version; the names of all entries; a dict from clang, gcc, bolt and prebolt to struct(path, digest, figures, shown);
      a dict from the names of shared libraries to the same of bolt and prebolt; the configurations that the entry has
      BOLT profiles for.
    """
    where = lock_name(rctx.attr.lock)
    profiles = _read_lock(rctx, where)["profiles"]
    pinned = profiles.get(rctx.attr.entry)
    if pinned != None:
        _check_entry(pinned, where, rctx.attr.entry)
    files = {}
    libraries = {}
    configurations = {}
    for file in (pinned or {}).get("files", []):
        reader = _READERS.get(file["kind"])
        configuration = file.get("configuration", "")
        if file["kind"] == "bolt":
            configurations[configuration] = None
        if reader in ["clang", "gcc"] and reader in files:
            fail(("ProdPGO: %s: two files of profile %s are for %s: pin them as two profiles, or merge them: " +
                  "pgo convert takes any number of recordings") % (where, rctx.attr.entry, reader))
        if reader and (reader in ["clang", "gcc"] or configuration == rctx.attr.configuration):
            library = file.get("library", "")
            place = libraries.setdefault(library, {}) if library else files
            if reader in place:
                fail(("ProdPGO: %s: profile %s has two files of kind %s of %s: push one of them, or name the configuration of " +
                      "each: pgo push --configuration") % (where, rctx.attr.entry, file["kind"], library or "the program"))
            place[reader] = struct(
                digest = file["digest"],
                figures = _figures(file),
                path = "%s/%s%s%s" % (reader, rctx.attr.target, "." + library if library else "", _EXTENSIONS[reader]),
                shown = "%s of %s" % (file["path"].split("/")[-1], where),
            )
    return struct(
        configurations = sorted(configurations.keys()),
        entries = sorted(profiles.keys()),
        files = files,
        has_entry = bool(pinned and pinned.get("files")),
        libraries = libraries,
        reference = (pinned or {}).get("reference", "a version"),
    )
