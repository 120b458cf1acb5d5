#!/usr/bin/env python3
"""How run.py adds up the sittings of fuzz targets, on stand-ins for targets."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).resolve().parents[1] / "fuzz/run.py"
TARGET = """#!/bin/sh
for argument; do
  case $argument in
    -artifact_prefix=*) crashes=${argument#*=} ;;
  esac
  corpus=$argument
done
echo new > "$corpus/new"
echo '#2	INITED cov: 7 ft: 9 corp: 1/1b exec/s: 0 rss: 30Mb' >&2
echo '#64	pulse  cov: 12 ft: 34 corp: 5/67b lim: 4 exec/s: 2048 rss: 30Mb' >&2
"""
# Ends when it is asked to, as libFuzzer does, and says so.
ENDLESS = TARGET + """trap 'echo asked >> "$0.ended"; exit 0' USR1
while :; do :; done
"""
HANGS = TARGET + "exec sleep 60\n"
GOOD = TARGET + "echo 'stat::number_of_executed_units: 100' >&2\n"
CRASHES = TARGET + "echo 'what it died of' >&2; echo bad > \"${crashes}crash-1\"; exit 77\n"


class Run(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def target(self, name, script):
        path = self.directory / name
        path.write_text(script)
        path.chmod(0o755)

    def run_targets(self, *arguments):
        return subprocess.run([sys.executable, RUN, self.directory, *arguments], capture_output=True, text=True)

    def progress(self, name):
        return json.loads((self.directory / f"{name}.progress").read_text())

    def row(self, finished, name):
        return next(line.split() for line in finished.stdout.splitlines() if line.startswith(name))

    def test_sittings_add_up(self):
        self.target("a_fuzz", GOOD)
        self.assertEqual(self.run_targets("--seconds", "50").returncode, 0)
        progress = self.progress("a_fuzz")
        self.assertEqual((progress["executions"], progress["coverage"], progress["sittings"]), (100, 12, 1))
        finished = self.run_targets("--seconds", "50")
        self.assertEqual(self.row(finished, "a_fuzz")[2:], ["200", "12", "1", "0"])

    def test_a_target_ends_when_its_processor_time_is_used_up(self):
        self.target("a_fuzz", ENDLESS)
        (self.directory / "a_fuzz.progress").write_text(
            json.dumps({"seconds": 49.5, "executions": 7, "coverage": 3, "sittings": 1}))
        self.assertEqual(self.run_targets("--seconds", "50").returncode, 0)
        self.assertEqual((self.directory / "a_fuzz.ended").read_text(), "asked\n")
        progress = self.progress("a_fuzz")
        self.assertGreaterEqual(progress["seconds"], 50)
        self.assertLess(progress["seconds"], 60)
        self.assertEqual((progress["executions"], progress["sittings"]), (7 + 64, 2))

    def test_a_target_that_hangs_is_ended(self):
        self.target("a_fuzz", HANGS)
        finished = self.run_targets("--seconds", "50", "--stalled", "1")
        self.assertEqual(finished.returncode, 1)
        self.assertEqual(self.row(finished, "a_fuzz")[6:], ["hangs,", "and", "no", "input", "is", "kept"])

    def test_what_has_run_long_enough_does_not_run(self):
        self.target("a_fuzz", ENDLESS)
        (self.directory / "a_fuzz.progress").write_text(json.dumps({"seconds": 50, "executions": 7, "coverage": 3}))
        finished = self.run_targets("--seconds", "50")
        self.assertEqual(finished.returncode, 0)
        self.assertEqual(self.row(finished, "a_fuzz"), ["a_fuzz", "50", "7", "3", "0", "0"])

    def test_a_crash_is_kept_and_fails_until_it_is_removed(self):
        self.target("a_fuzz", CRASHES)
        self.target("b_fuzz", GOOD)
        finished = self.run_targets("--seconds", "50")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("what it died of", finished.stderr)
        self.assertEqual(self.row(finished, "a_fuzz")[2:], ["64", "12", "1", "1", "exit", "status", "77"])
        self.assertEqual(self.row(finished, "b_fuzz")[2], "100")  # the others run all the same
        self.target("a_fuzz", GOOD)
        self.assertEqual(self.run_targets("--seconds", "50").returncode, 1)
        (self.directory / "crashes/a_fuzz/crash-1").unlink()
        self.assertEqual(self.run_targets("--seconds", "50").returncode, 0)

    def test_targets_can_be_chosen(self):
        self.target("a_fuzz", GOOD)
        self.target("b_fuzz", GOOD)
        self.assertEqual(self.run_targets("--targets", "b_fuzz").returncode, 0)
        self.assertFalse((self.directory / "a_fuzz.progress").exists())
        self.assertTrue((self.directory / "b_fuzz.progress").exists())
        self.assertNotEqual(self.run_targets("--targets", "c_fuzz").returncode, 0)


if __name__ == "__main__":
    unittest.main()
