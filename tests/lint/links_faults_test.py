#!/usr/bin/env python3
"""links_test.py finds each fault it is there for, in a small tree made on the spot."""

import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("links_test.py")
GOOD = {
    "README.md": "# A\n[a guide](docs/guide/a.md), [there](docs/guide/a.md#why-it-is-so),\n"
                 "![picture](docs/pictures/a.svg) and [elsewhere](https://example.org/none.md#x), [here](#a).\n"
                 "\n    [code](none.md)\n\n`[code](none.md)`\n\n```\n[code](none.md)\n```\n\n"
                 "[![picture](docs/pictures/a.svg)](docs/guide/b.md)\n",
    "docs/guide/a.md": "# The guide\n\n## Why `it` is so?\n\n## Twice\n\n## Twice\n",
    "docs/guide/b.md": "[second](a.md#twice-1) [folder](../pictures) [root](../../README.md)\n",
    "docs/pictures/a.svg": "<svg/>\n",
    "samples/x/README.md": '<img src="../../docs/pictures/a.svg">\n',
    "pgo/a.cc": '"see docs/guide/a.md"\n',
}
FAULTS = [
    ({"docs/guide/b.md": "\n[gone](gone.md)\n"}, "docs/guide/b.md:2: gone.md: there is no docs/guide/gone.md"),
    ({"docs/guide/b.md": "[x](a.md#how)\n"}, "docs/guide/b.md:1: a.md#how: docs/guide/a.md has no such heading"),
    ({"docs/guide/b.md": "[x](a.md#twice-2)\n"},
     "docs/guide/b.md:1: a.md#twice-2: docs/guide/a.md has no such heading"),
    ({"docs/guide/b.md": "\n[a name of\ntwo lines](gone.md)\n"},
     "docs/guide/b.md:2: gone.md: there is no docs/guide/gone.md"),
    ({"docs/guide/b.md": "[x](#no)\n"}, "docs/guide/b.md:1: #no: docs/guide/b.md has no such heading"),
    ({"docs/guide/b.md": "[x](../../../a.md)\n"}, "docs/guide/b.md:1: ../../../a.md: there is no ../a.md"),
    ({"docs/guide/b.md": "- item\n    [x](gone.md)\n"},
     "docs/guide/b.md:2: gone.md: there is no docs/guide/gone.md"),
    ({"samples/x/README.md": '<img src="a.svg">\n'}, "samples/x/README.md:1: a.svg: there is no samples/x/a.svg"),
    ({"docs/guide/c.md": "# Nobody links here\n"}, "docs/guide/c.md: README.md does not lead to it"),
    ({"pgo/a.cc": '\n"see docs/a.md"\n'}, "pgo/a.cc:2: there is no docs/a.md"),
]


def check(files):
    """(exit status, what was printed) for GOOD with `files` put over it."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in (GOOD | files).items():
            path = pathlib.Path(directory, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, CHECK, directory], capture_output=True, text=True)
        return run.returncode, run.stderr


def main():
    failures = []
    if check({}) != (0, ""):
        failures.append(f"a good tree: {check({})}")
    for files, message in FAULTS:
        if check(files) != (1, message + "\n"):
            failures.append(f"expected: {message}\n     got: {check(files)}")
    print("\n".join(failures) or f"{len(FAULTS)} faults found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
