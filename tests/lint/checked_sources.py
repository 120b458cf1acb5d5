"""What checks that read the sources as text have in common: each finds the faults of an example first, and then those of
the sources. `*_test.py [ROOT]` of this folder call main().
"""

import pathlib
import sys
import tempfile


def check_example(faults, files, expected):
    """`files`: texts by path, of a tree in which faults(ROOT) must find exactly `expected`."""
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        found = list(faults(root))
        if found != expected:
            sys.exit(f"the check itself is wrong: {found}")


def main(faults, files, expected):
    check_example(faults, files, expected)
    found = list(faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found))
    sys.exit(1 if found else 0)
