#!/usr/bin/env python3
"""compare_builds.py on two programs that stand for builds of pgo."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD_ID = bytes(range(1, 21))

# Shows that its input ran a binary; writes what it is given, but `last` as the last line. Refuses
# inputs whose name contains `refused`.
PROGRAM = """#!/bin/sh
if [ "$1" = show ]; then
  echo '{{"files": [{{"build_id": "{build_id}", "path": "/opt/server"}}]}}'
  exit
fi
case $2 in *{refused}*) echo "pgo: error: refused" >&2; exit 2;; esac
for last; do :; done
{{ basename "$2"; basename "$4"; case $2 in *lines*) echo {last};; esac; }} >"${{last#*:}}"
"""


class Builds(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name)
        self.inputs = self.directory / "inputs"
        self.inputs.mkdir()
        (self.inputs / "server").write_bytes(b"\x7fELF" + (20).to_bytes(4, "little") + b"\x03\0\0\0GNU\0" + BUILD_ID
                                             + b"\0.symtab\0")

    def program(self, name, **words):
        path = self.directory / name
        path.write_text(PROGRAM.format(build_id=BUILD_ID.hex(), **words))
        os.chmod(path, 0o755)
        return path

    def recording(self, name, contents=None):
        (self.inputs / name).write_bytes(b"PERFILE2" + (contents or name).encode())

    def compare(self, old, new):
        """(exit status, the lines without paths)"""
        run = subprocess.run([sys.executable, HERE / "compare_builds.py", old, new, self.inputs, "--formats", "preagg",
                              "--keep", self.directory / "kept"], stdout=subprocess.PIPE, text=True, check=False)
        return run.returncode, run.stdout.replace(str(self.inputs.resolve()) + "/", "").splitlines()

    def test_equal_builds(self):
        self.recording("lines.data")
        self.recording("again.data", "lines.data")  # the same contents, which count once
        one = self.program("old", refused="none", last="end")
        status, lines = self.compare(one, self.program("new", refused="none", last="end"))
        self.assertEqual(status, 0)
        self.assertEqual(lines[0], "1 conversions give the same bytes, 0 differ, 0 fail in both")

    def test_differences(self):
        for name in ("equal.data", "lines.data", "older.data", "newer.data", "olderandnewer.data"):
            self.recording(name)
        status, lines = self.compare(self.program("old", refused="newer", last="end"),
                                     self.program("new", refused="older", last="ending"))
        self.assertEqual(status, 1)
        self.assertEqual(lines[:4], [
            "1. lines.data to preagg: other bytes: 22 and 25 bytes",
            "2. newer.data to preagg: only NEW converts it; OLD: pgo: error: refused",
            "3. older.data to preagg: only OLD converts it; NEW: pgo: error: refused",
            "1 conversions give the same bytes, 3 differ, 1 fail in both"])
        kept = self.directory / "kept" / "1"
        self.assertEqual((kept / "old" / "out").read_text(), "lines.data\nserver\nend\n")
        self.assertEqual((kept / "new" / "out").read_text(), "lines.data\nserver\nending\n")


if __name__ == "__main__":
    unittest.main()
