"""bazel_repositories_test.py RULES: what the repository rules do in newer versions of Bazel only, and what they find wrong
with a lock file.

The Bazel of the tests (4.2.3) has none of these functions. Its language is a part of Python, so this runs the files as
Python, with stand-ins for what Bazel defines.
"""
import json
import pathlib
import random
import sys
from types import SimpleNamespace

rules = pathlib.Path(sys.argv[1])


class Failed(Exception):
    pass


def fail(text):
    raise Failed(text)


def functions(file):
    names = {
        "Label": lambda text: text,
        "attr": SimpleNamespace(label=lambda **_: None, string=lambda **_: None),
        "fail": fail,
        "load": lambda *_: None,
        "struct": SimpleNamespace,
    }
    exec((rules / file).read_text(), names)
    return names


def expect(what, expected, found):
    if expected != found:
        sys.exit(f"FAILED: {what}: expected {expected}, found {found}")


# Bazel 7.1 and later look again when a program comes, so the message does not ask for more.
class Context:
    attr = SimpleNamespace(pgo=None)
    os = SimpleNamespace(environ={"PATH": "/bin:relative:/usr/bin", "CC": "clang-22", "PRODPGO_PGO": "/opt/pgo"})

    def __init__(self):
        self.watched = []

    def watch(self, path):
        self.watched.append(path)

    def path(self, _):
        return SimpleNamespace(exists=False)


program = functions("program.bzl")
context = Context()
program["watch_programs"](context)
names = ["clang-22", "gcc", "llvm-bolt", "llvm-bolt-22", "perf2bolt", "perf2bolt-22", "pgo"]
expected = [f"{folder}/{name}" for folder in ("/bin", "/usr/bin") for name in names] + ["/opt/pgo"]
expect("watched programs", sorted(expected), sorted(context.watched))
expect(
    "message",
    "PRODPGO_PGO is /opt/pgo, which does not exist. Put it into PATH, or name it: --repo_env=PRODPGO_PGO=/path/to/pgo",
    program["find_pgo"](context).error,
)

# From Bazel 6 or so on, a missing lock file is an error of ours.
check_exists = functions("lock.bzl")["_check_exists"]
found = []


def missing(path):
    found.append(path)
    return SimpleNamespace(exists=False)


def locked(workspace):
    return SimpleNamespace(workspace_root="/src", path=missing,
                           attr=SimpleNamespace(lock=SimpleNamespace(workspace_root=workspace)))


try:
    check_exists(locked(""), "app/pgo.lock")
    sys.exit("FAILED: there is no lock file")
except Failed as failed:
    expect("error", "ProdPGO: there is no app/pgo.lock. Where nothing is pinned yet, make an empty one: "
           "echo '{\"profiles\": {}, \"version\": 1}' > app/pgo.lock", str(failed))
expect("place", ["/src/app/pgo.lock"], found)
check_exists(locked("external/engine"), "pgo.lock")

# Without tools(), loading fails in words of Bazel's that do not name it.
repositories = functions("repositories.bzl")
repositories["native"] = SimpleNamespace(existing_rule=lambda _: None)
try:
    repositories["prodpgo"].profile(name="server", lock="//:pgo.lock")
    sys.exit("FAILED: prodpgo.tools() is missing")
except Failed as failed:
    expect("error", 'ProdPGO: call prodpgo.tools() before prodpgo.profile(name = "server")', str(failed))

# What is not JSON: all that json.decode() does not read, but for numbers and escapes.
json_fault = functions("json_fault.bzl")["json_fault"]
lock = '{\n  "profiles": {"ab": {"files": [{"x": 15, "y": [true, false, null, [], {}]}], "s": ""}},\n  "version": 1\n}\n'
expect("fault", "", json_fault(lock))
expect("fault", "", json_fault('[-1.5e3, "a\\"b"]'))
for text, fault in (
    ("", "it ends too early: a value is missing"),
    ('{"a": [1, 2', "it ends too early: a comma or ] is missing"),
    ('{\n"a": 1\n"b": 2}', "line 3: a comma or } is missing"),
    ('{"a": 1,\n}', "line 2: a key is missing"),
    ('{"a" 1}', "line 1: a colon is missing"),
    ('{"a": yes}', "line 1: a value is missing"),
    ('{"a": "b\n"}', "line 1: a value is missing"),
    ("{}\n}", "line 2: the end is missing"),
):
    expect(f"fault of {text!r}", fault, json_fault(text))
chance = random.Random(1)
missed = 0
for _ in range(20000):
    at = chance.randrange(len(lock))
    text = lock[:at] + chance.choice(["", *'{}[],:"x ']) + lock[at + chance.choice([0, 1]):]
    try:
        json.loads(text)
        expect(f"fault of {text!r}", "", json_fault(text))
    except ValueError:
        missed += not json_fault(text)
expect("faults that are missed", 0, missed)

# Two files for one binary, of which a build could not choose.
lock_rules = functions("lock.bzl")
lock_rules.update(json=SimpleNamespace(decode=json.loads), json_fault=json_fault,
                  type=lambda value: {"str": "string"}.get(type(value).__name__, type(value).__name__))


def files_of(*files):
    text = json.dumps({"version": 1, "profiles": {"q": {"reference": "r", "files": [
        {"digest": "d", "path": "q", **file} for file in files]}}})
    lock = SimpleNamespace(package="", name="pgo.lock", workspace_root="")
    return lock_rules["pinned_files"](SimpleNamespace(
        read=lambda _: text, path=lambda label: label,
        attr=SimpleNamespace(lock=lock, entry="q", configuration="", target="q")))


found = files_of({"kind": "prebolt"}, {"kind": "prebolt", "library": "libq.so"}, {"kind": "bolt", "configuration": "lto"},
                 {"kind": "bolt"})
expect("files of the program", ["bolt", "prebolt"], sorted(found.files))
expect("files of libraries", {"libq.so": ["prebolt"]}, {name: list(files) for name, files in found.libraries.items()})
for kind, library, words in (("prebolt", "", "the program"), ("bolt", "", "the program"), ("prebolt", "libq.so", "libq.so")):
    try:
        files_of(*2 * [{"kind": kind, "library": library}])
        sys.exit(f"FAILED: two files of kind {kind} of {words}")
    except Failed as failed:
        expect("error", f"ProdPGO: pgo.lock: profile q has two files of kind {kind} of {words}: push one of them, or name the "
               "configuration of each: pgo push --configuration", str(failed))
