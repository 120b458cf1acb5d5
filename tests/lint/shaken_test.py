#!/usr/bin/env python3
"""What shaken.py runs, changes and says, on a build tree of five scripts."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SHAKEN = pathlib.Path(__file__).resolve().parents[1] / "e2e/shaken.py"
SCRIPTS = {
    # name: labels, script
    "e2e_passes": ("e2e", 'cmp "$PGO" "$BUILD_DIR/bin/pgo"; cp "$BUILD_DIR/tests/data/writer" "$BUILD_DIR/tests/e2e/own"\n'
                          'echo "$SHAKEN_PERIOD_PERCENT $SHAKEN_SEED ${#SHAKEN_LENGTH} $BUILD_DIR" >> "$SEEN"'),
    "e2e_fails": ("e2e", "echo what went wrong; exit 1"),
    "e2e_skips": ("e2e", "exit 77"),
    "e2e_cmake_builds": ("e2e", "exit 1"),
    "e2e_long_one": ("e2e;long", "exit 1"),
}


class Shaken(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name).resolve()
        self.build = self.root / "build"
        for name in "bin", "lib", "tests/data", "tests/e2e":
            (self.build / name).mkdir(parents=True)
        (self.build / "bin/pgo").write_text("")
        (self.build / "tests/data/writer").write_text("")
        listed = ""
        for name, (labels, script) in SCRIPTS.items():
            (self.root / f"{name}.sh").write_text(f"set -e\n{script}\n")
            listed += (f'add_test({name} bash "{self.root}/{name}.sh")\n'
                       f'set_tests_properties({name} PROPERTIES LABELS "{labels}" SKIP_RETURN_CODE 77)\n')
        (self.build / "CTestTestfile.cmake").write_text(listed)

    def run_rounds(self, *arguments):
        """Exit code, the rows of the table without their minutes, all that was said, and what the tests saw."""
        seen = self.root / "seen"
        seen.unlink(missing_ok=True)
        run = subprocess.run([sys.executable, SHAKEN, self.build, *arguments], capture_output=True, text=True,
                             env=os.environ | {"SEEN": str(seen)})
        rows = [line.split()[:-1] for line in run.stdout.splitlines() if line.split()[:1] in (["1"], ["2"])]
        return run.returncode, rows, run.stdout + run.stderr, seen.read_text() if seen.exists() else ""

    def test_it_counts_and_names_what_failed(self):
        status, rows, said, _ = self.run_rounds("--rounds", "2", "--seed", "7")
        self.assertEqual(status, 1, said)
        self.assertTrue(said.startswith("tests: 3, rounds: 2\n"), said)
        self.assertEqual([row[-3:] for row in rows], [["1", "1", "1"]] * 2, said)
        self.assertIn("failed: e2e_fails\n", said)
        self.assertIn("again: make test-shaken ROUNDS=1 SEED=8\n", said)
        self.assertEqual((self.build / "shaken/7.log").read_text(), "=== e2e_fails\nwhat went wrong\n\n")
        self.assertEqual(len([path for path in (self.build / "shaken").iterdir() if path.is_dir()]), 2)

    def test_a_seed_gives_the_same_round_again(self):
        first = self.run_rounds("--rounds", "1", "--seed", "7")
        self.assertEqual(first[1:4:2], self.run_rounds("--rounds", "1", "--seed", "7")[1:4:2])
        other = self.run_rounds("--rounds", "1", "--seed", "8")
        for mine, others in zip(first[3].split(), other[3].split()):
            self.assertNotEqual(mine, others)

    def test_nothing_stays_of_a_clean_round(self):
        status, rows, said, _ = self.run_rounds("--rounds", "1", "--tests", "passes|skips")
        self.assertEqual(status, 0, said)
        self.assertEqual(rows[0][-3:], ["1", "0", "1"], said)
        self.assertEqual(list((self.build / "shaken").iterdir()), [])

    def test_no_test(self):
        self.assertEqual(self.run_rounds("--tests", "nothing")[:3:2], (2, "no such test\n"))


if __name__ == "__main__":
    unittest.main()
