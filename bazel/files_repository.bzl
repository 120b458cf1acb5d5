"""The repository with the files of a profile, each in a folder by who reads it.

`pgo pull --locked` takes them out of the blob cache, or fetches them; it compares their digests, and verifies the
signature that the lock file requires. If that fails, the build stops, and the next one tries again. No action of the
build needs a network.
"""

load("//:lock.bzl", "PROFILE_ATTRIBUTES", "lock_name", "pinned_files")
load("//:messages.bzl", "tell")
load("//:program.bzl", "COMPILER_VARIABLES", "find_compiler", "find_pgo", "run")

def _check_kind(rctx, pgo, files):
    """Stops when the compiler does not read the profile that is for it."""
    compiler = find_compiler(rctx)
    if compiler.error:
        return  # @prodpgo_tools says so
    chosen = run(rctx, [pgo, "flags", "--compiler", compiler.path, "--profilable", "--json"])
    if chosen.code != 0:
        tell("warning: pgo flags --compiler %s failed: %s. So it is not known whether it reads the profiles of %s" %
             (compiler.path, chosen.error, lock_name(rctx.attr.lock)))
        return
    file = files.get(json.decode(chosen.output)["compiler"]["family"])
    if not file:
        return
    path = rctx.path(file.path)
    checked = run(rctx, [pgo, "flags", "--compiler", compiler.path, "--profile", path, "--cflags"])
    if checked.code != 0:
        fail("ProdPGO: " + checked.error.replace(str(path), file.shown))

def _copy(rctx, source, path):
    rctx.file(path + ".part")  # makes the folder
    copied = rctx.execute(["cp", "--no-preserve=mode", source, str(rctx.path(path))])
    rctx.delete(path + ".part")
    if copied.return_code != 0:
        fail("ProdPGO: %s" % copied.stderr.strip())

def _bolt_report(file):
    """The evidence, where pgo bolt looks for it: in a report of pgo convert, beside the profile."""
    return json.encode({
        "branches": {},
        "outputs": [{
            "digest": file.digest,
            "evidence": file.figures["evidence"],
            "quality": file.figures.get("quality", ""),
        }],
        "samples": {},
    }) + "\n"

def _files_impl(rctx):
    found = find_pgo(rctx)
    if found.error:
        fail("ProdPGO: " + found.error)
    where = lock_name(rctx.attr.lock)
    pinned = pinned_files(rctx)
    pulled = run(rctx, [found.path, "pull", "--locked", "--lock", rctx.path(rctx.attr.lock), "--json", rctx.attr.entry])
    if pulled.code != 0:
        fail("ProdPGO: pgo pull --locked --lock %s %s failed: %s" % (where, rctx.attr.entry, pulled.error))
    sources = {file["digest"]: file["path"] for file in json.decode(pulled.output)["files"]}
    parts = [pinned.files] + pinned.libraries.values()
    files = [file for part in parts for file in part.values()]
    for file in files:
        _copy(rctx, sources[file.digest], file.path)
    _check_kind(rctx, found.path, pinned.files)
    names = [file.path for file in files]
    for part in parts:
        if "bolt" in part:
            report = part["bolt"].path + ".json"
            rctx.file(report, _bolt_report(part["bolt"]))
            names.append(report)
    rctx.file("BUILD.bazel", """\
# Made by @prodpgo//:files_repository.bzl, of %s.
package(default_visibility = ["//visibility:public"])

exports_files(%s)
""" % (where, json.encode(names)))

prodpgo_files = repository_rule(
    implementation = _files_impl,
    doc = "The files that one entry of a pgo.lock pins.",
    # Which program pgo is, and where its cache is, makes no difference: the lock file has the digests.
    environ = COMPILER_VARIABLES,
    attrs = dict(
        PROFILE_ATTRIBUTES,
        pgo = attr.label(doc = "The program pgo. Without it: $PRODPGO_PGO, else what PATH has.", allow_single_file = True),
    ),
)
