#!/usr/bin/env python3
"""include_arrows_test.py finds each fault it is there for, in a small tree made on the spot."""

import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("include_arrows_test.py")
CMAKE = "add_library(pgo_core STATIC\n  pgo/base/a.cc\n)\nadd_library(pgo_llvm STATIC\n  bolt/b.cc\n)\n"
GOOD = {
    "pgo/base/a.h": "// What a is.\n#pragma once\n",
    "pgo/base/a.cc": '#include "pgo/base/a.h"\n#include <vector>\n',
    "bolt/b.h": "// What b is.\n",
    "bolt/b.cc": '// What b is.\n#include <llvm/MC/X.h>\n#include "pgo/base/a.h"\n',
    "pgo/cli/main.cc": '// What main is.\n#include "bolt/c.h"\n',
    "bolt/c.h": "// What c is.\n",
}
LONG = "// Long.\nint f(int a) {\n" + "  a++;\n" * 100 + "}\n"
FAULTS = [
    ({"pgo/base/a.cc": '#include "bolt/c.h"\n'}, "pgo/base/a.cc:1: pgo/base may not include bolt/c.h"),
    ({"pgo/base/a.cc": '#include "pgo/base/none.h"\n'}, "pgo/base/a.cc:1: pgo/base/none.h does not exist"),
    ({"converters/x/x.h": '// X.\n#include "converters/y/y.h"\n', "converters/y/y.h": "// Y.\n"},
     "converters/x/x.h:2: converters/x may not include converters/y/y.h"),
    ({"pgo/base/a.cc": '#include "llvm/MC/X.h"\n'}, "pgo/base/a.cc:1: llvm/MC/X.h outside of pgo_llvm"),
    ({"CMakeLists.txt": CMAKE.replace("bolt/b.cc", "bolt/b.cc\n  pgo/base/a.cc")},
     "CMakeLists.txt: pgo/base/a.cc is in both libraries"),
    ({"CMakeLists.txt": CMAKE.replace("a.cc", "gone.cc")},
     "CMakeLists.txt: pgo/base/gone.cc does not exist"),
    ({"pgo/base/string_util.h": "// U.\n"}, "pgo/base/string_util.h: a vague name; call it after its one noun"),
    ({"bolt/d.cc": '// D.\n#include "bolt/b.h"\n', "CMakeLists.txt": CMAKE.replace("a.cc", "a.cc bolt/d.cc")},
     "bolt/d.cc:2: pgo_core may not use bolt/b.h of pgo_llvm"),
    ({"pgo/new/x.h": "// N.\n"}, "pgo/new/x.h: its folder is not in the table of"),
    ({"bolt/c.h": "int x;\n"}, "bolt/c.h:1: no opening comment that says what this file is for"),
    ({"bolt/c.h": "// Long.\n" * 801}, "bolt/c.h: 801 lines; split it by noun (800 at most)"),
    ({"bolt/c.h": LONG}, "bolt/c.h:2: f has 102 lines (100 at most)"),
]


def check(files):
    """(exit status, what was said) for GOOD with `files` put over it."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in ({"CMakeLists.txt": CMAKE} | GOOD | files).items():
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
        status, said = check(files)
        if status != 1 or not said.startswith(message) or said.count("\n") != 1:
            failures.append(f"expected: {message}\n     got: {status} {said}")
    print("\n".join(failures) or f"{len(FAULTS)} faults found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
