#!/usr/bin/env python3
"""A kind of warnings that the libraries decide by is a named constant: contains("matched-by-name") would go on without a
word when the place that warns gets another name for it.

Reads the sources as text; no compiler. Usage: warning_kinds_test.py [ROOT]
"""

import pathlib
import re
import sys
import tempfile

FOLDERS = ("pgo", "converters", "bolt")
DECISION = re.compile(r'\b(?:entries\(\)|diagnostics|warnings)\s*\.\s*(?:contains|find|count|at)\(\s*"([^"]*)"')


def faults(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cc", ".h"):
                continue
            text = path.read_text(encoding="utf-8")
            for found in DECISION.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{path.relative_to(root)}:{line}: the kind \"{found[1]}\" decides: make it a named constant"


def check_itself():
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for folder in FOLDERS:
            (root / folder).mkdir()
        (root / "bolt/a.cc").write_text(
            'if (result.diagnostics.contains(\n        "odd")) f();\nd.warn("odd", "text");\n'
            'g(profile.diagnostics.entries().find("odd"), diagnostics.contains(kOdd), names.contains("x"));\n',
            encoding="utf-8")
        found = list(faults(root))
        if found != ['bolt/a.cc:1: the kind "odd" decides: make it a named constant',
                     'bolt/a.cc:4: the kind "odd" decides: make it a named constant']:
            sys.exit(f"the check itself is wrong: {found}")


def main():
    check_itself()
    found = list(faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
