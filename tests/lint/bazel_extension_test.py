"""bazel_extension_test.py RULES: what the module extension for MODULE.bazel declares.

The Bazel of the tests (4.2.3) cannot load it. Its language is a part of Python, so this runs the file as Python, with
stand-ins for what Bazel defines.
"""
import pathlib
import sys
from types import SimpleNamespace

source = (pathlib.Path(sys.argv[1]) / "extension.bzl").read_text()


class Failed(Exception):
    pass


def fail(text):
    raise Failed(text)


def declared(*modules):
    """The profiles and the tools that these modules get."""
    profiles, tools = {}, []
    names = {
        "attr": SimpleNamespace(label=lambda **_: None, string=lambda **_: None),
        "declare_profile": lambda name, **rest: profiles.update({name: rest}),
        "fail": fail,
        "load": lambda *_: None,
        "module_extension": lambda implementation, **_: implementation,
        "prodpgo_tools": lambda **rest: tools.append(rest),
        "tag_class": lambda **_: None,
    }
    exec(source, names)
    names["prodpgo"](SimpleNamespace(modules=modules))
    return profiles, tools


def module(name, is_root, profiles, pgo=None):
    tags = [SimpleNamespace(name=profile, lock="//:pgo.lock", entry="", configuration="") for profile in profiles]
    tools = [SimpleNamespace(pgo=pgo)] if pgo else []
    return SimpleNamespace(name=name, is_root=is_root, tags=SimpleNamespace(profile=tags, tools=tools))


def expect(what, expected, found):
    if expected != found:
        sys.exit(f"FAILED: {what}: expected {expected}, found {found}")


pinned = {"configuration": "", "entry": "", "lock": "//:pgo.lock", "pgo": None}
profiles, tools = declared(module("app", True, ["server"]), module("engine", False, ["engine"], pgo="//:its_pgo"))
expect("profiles of all modules", {"server": pinned, "engine": pinned}, profiles)
expect("only the root module names programs", [{"name": "prodpgo_tools", "pgo": None}], tools)
profiles, tools = declared(module("app", True, ["server"], pgo="//:pgo"), module("prodpgo", False, []))
expect("the program of the root module", {"server": dict(pinned, pgo="//:pgo")}, profiles)
expect("the program of the root module", [{"name": "prodpgo_tools", "pgo": "//:pgo"}], tools)
for name, shown in ("app", "app"), ("", "(root)"):  # the root module needs no name
    try:
        declared(module(name, True, ["server"]), module("engine", False, ["server"]))
        sys.exit("FAILED: two profiles have one name")
    except Failed as failed:
        expect("error", f"ProdPGO: modules {shown} and engine both declare a profile server: rename one of them", str(failed))
