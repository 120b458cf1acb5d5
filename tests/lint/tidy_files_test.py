#!/usr/bin/env python3
"""tidy_files.py checks what changed, and nothing else: in a small tree, with a stand-in for clang-tidy."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("tidy_files.py")
TREE = {
    ".clang-tidy": "Checks: a\n",
    "pgo/a.h": "int a;\n",
    "pgo/b.h": '#include "pgo/a.h"\n',
    "pgo/uses_b.cc": '#include "pgo/b.h"\n',
    "pgo/uses_none.cc": "#include <vector>\n",
    "bolt/uses_neighbour.cc": '  #  include "neighbour.h"\n',
    "bolt/neighbour.h": "int n;\n",
    "tests/test.cc": "int t;\n",
}
ALL = ["bolt/uses_neighbour.cc", "pgo/uses_b.cc", "pgo/uses_none.cc"]
# Notes which files it gets, and finds a fault in those that contain BAD. SLOW changes meanwhile.
STAND_IN = """#!/bin/bash
if [ "$1" = --version ]; then echo 22; exit; fi
echo "${!#}" >> "$CHECKED"
if grep -q SLOW "${!#}"; then echo "// edited" >> "${!#}"; fi
if grep -q BAD "${!#}"; then echo "${!#}:1:1: error: bad"; exit 1; fi
"""


class Tree:
    def __init__(self, directory):
        self.root = pathlib.Path(directory, "tree")
        self.checked = pathlib.Path(directory, "checked")
        tool = pathlib.Path(directory, "clang-tidy-22")
        tool.write_text(STAND_IN)
        tool.chmod(0o755)
        self.environment = os.environ | {"PATH": f"{directory}:{os.environ['PATH']}", "CHECKED": str(self.checked)}
        for name, text in TREE.items():
            self.write(name, text)
        self.compile_with("")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def compile_with(self, option):
        entries = [{"file": str(self.root / name), "command": f"c++ {option} {self.root / name}"} for name in ALL]
        self.write("build/compile_commands.json", json.dumps(entries))

    def check(self):
        """(exit status, the files that were checked, what was printed)"""
        self.checked.write_text("")
        run = subprocess.run([sys.executable, CHECK, self.root, self.root / "build"], env=self.environment,
                             capture_output=True, text=True)
        names = sorted(str(pathlib.Path(line).relative_to(self.root)) for line in self.checked.read_text().split())
        return run.returncode, names, run.stdout + run.stderr


def main():
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        tree = Tree(directory)

        def expect(what, status, names, printed=""):
            got = tree.check()
            if got[:2] != (status, names) or printed not in got[2]:
                failures.append(f"{what}: expected {status} {names} {printed!r}, got {got}")

        expect("the first run", 0, ALL, "3 files, 0 of them passed before\n")
        expect("nothing changed", 0, [], "3 files, 3 of them passed before\n")
        tree.write("pgo/a.h", "int a, b;\n")
        expect("a header of a header", 0, ["pgo/uses_b.cc"])
        tree.write("bolt/neighbour.h", "int m;\n")
        expect("a header beside the file", 0, ["bolt/uses_neighbour.cc"])
        tree.write("pgo/uses_none.cc", "BAD\n")
        expect("a finding", 1, ["pgo/uses_none.cc"], "clang-tidy has findings in:\n  pgo/uses_none.cc\n")
        expect("a finding that stays", 1, ["pgo/uses_none.cc"], "pgo/uses_none.cc:1:1: error: bad\n")
        tree.write("pgo/uses_none.cc", TREE["pgo/uses_none.cc"])
        expect("as it was before", 0, [])
        tree.write("pgo/uses_none.cc", "// SLOW\n")
        expect("edited during the check", 0, ["pgo/uses_none.cc"])
        tree.write("pgo/uses_none.cc", "// SLOW\n")
        expect("checked while it was edited", 0, ["pgo/uses_none.cc"])
        tree.write("pgo/uses_none.cc", TREE["pgo/uses_none.cc"])
        tree.write(".clang-tidy", "Checks: b\n")
        expect("other checks", 0, ALL)
        tree.compile_with("-DX")
        expect("another command", 0, ALL)
    print("\n".join(failures) or "checks what changed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
