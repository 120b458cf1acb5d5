#!/usr/bin/env python3
"""No tracked file has the conflict markers of a merge. They stop a script or a document at any line, and a test that does not
run the file does not see them.

Usage: conflict_markers_test.py [ROOT], a checkout of git
"""
import pathlib
import re
import subprocess
import sys

MARKER = re.compile(rb"^(<{7}|>{7}|[|]{7})( |\r?$)", re.MULTILINE)


def main(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True)
    if listed.returncode != 0:
        print(f"skipped: {root} is no checkout of git: {listed.stderr.decode(errors='replace').strip()}")
        return 77
    faults = []
    for name in filter(None, listed.stdout.split(b"\0")):
        path = pathlib.Path(root) / name.decode(errors="surrogateescape")
        if not path.is_file():  # removed, or a submodule
            continue
        text = path.read_bytes()
        found = MARKER.search(text)
        if found:
            line = text.count(b"\n", 0, found.start()) + 1
            faults.append(f"{name.decode(errors='replace')}:{line}: is a conflict marker of a merge")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "."))
