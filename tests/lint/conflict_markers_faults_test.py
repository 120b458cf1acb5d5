#!/usr/bin/env python3
"""conflict_markers_test.py finds the markers, and nothing else."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("conflict_markers_test.py")
LEFT, RIGHT, BASE = "<" * 7, ">" * 7, "|" * 7
CASES = [
    ("a\n=======\nb\n", ""),
    (f"cat {LEFT} x\n {LEFT} HEAD\n{LEFT}< x\n", ""),
    (f"a\n{LEFT} HEAD\nb\n", "a.sh:2: is a conflict marker of a merge"),
    (f"{RIGHT} theirs\n", "a.sh:1: is a conflict marker of a merge"),
    (f"a\n\n{BASE}\n", "a.sh:3: is a conflict marker of a merge"),
]


def git(directory, *arguments):
    subprocess.run(["git", "-C", directory, *arguments], check=True, capture_output=True)


with tempfile.TemporaryDirectory() as directory:
    git(directory, "init", "-q")
    file = pathlib.Path(directory) / "a.sh"
    for text, expected in CASES:
        file.write_text(text)
        git(directory, "add", "a.sh")
        done = subprocess.run([sys.executable, CHECK, directory], capture_output=True, text=True)
        if (done.stdout.strip(), done.returncode) != (expected, 1 if expected else 0):
            sys.exit(f"FAILED: {text!r}: {done.returncode}, {done.stdout!r} {done.stderr!r}")
    (pathlib.Path(directory) / "untracked").write_text(f"{LEFT} HEAD\n")
    file.write_text("")
    subprocess.run([sys.executable, CHECK, directory], check=True)
