#!/usr/bin/env python3
"""What paired_runs.py says of ratios that are known, and of programs that are quick, slow or broken."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
sys.path.insert(0, str(SAMPLES))
import paired_runs  # noqa: E402  (its place is known only now)


class Verdict(unittest.TestCase):
    def test_win(self):
        ratios = [0.90, 0.91, 0.89, 0.90, 0.92, 0.88, 0.90, 0.91, 0.89, 0.90, 0.90]
        self.assertEqual(paired_runs.verdict(ratios), (
            True, "10.0 % less CPU time: ratio 0.900, 95 % interval 0.890 to 0.910, 11 pairs"))

    def test_no_win_when_the_interval_contains_one(self):
        ratios = [0.90, 1.05, 0.97, 1.10, 0.99, 0.93, 1.02, 0.98, 1.07, 0.95, 1.01]
        won, text = paired_runs.verdict(ratios)
        self.assertFalse(won)
        self.assertRegex(text, r"^No win that could be shown: ratio 0\.990, 95 % interval 0\.9\d+ to "
                               r"1\.0\d+, 11 pairs$")

    def test_slower(self):
        self.assertEqual(paired_runs.verdict([1.25] * 5), (
            False, "SLOWER by 25.0 %: ratio 1.250, 95 % interval 1.250 to 1.250, 5 pairs"))

    def test_the_same_times_give_the_same_interval(self):
        ratios = [0.9, 1.1, 0.8, 0.95, 1.0, 0.97, 1.2]
        self.assertEqual(paired_runs.interval_of_median(ratios), paired_runs.interval_of_median(ratios))


class Programs(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def program(self, name, commands):
        path = pathlib.Path(self.directory.name, name)
        path.write_text("#!/bin/sh\n" + commands)
        path.chmod(0o755)
        return str(path)

    def busy(self, name, loops):
        return self.program(name, f"i=0; while [ $i -lt {loops} ]; do i=$((i + 1)); done; echo $1\n")

    def run_pairs(self, *arguments):
        run = subprocess.run([sys.executable, SAMPLES / "paired_runs.py", "--pairs", "5", *arguments],
                             capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    def test_a_quicker_program_wins(self):
        status, said, _ = self.run_pairs(self.busy("slow", 60000), self.busy("quick", 6000),
                                         "--", "one", "--", "two")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"(?s)^  one .* s -> .* s\n  two .* s\n\d\d\.\d % less CPU time: ")

    def test_a_slower_program_does_not(self):
        status, said, _ = self.run_pairs(self.busy("quick", 6000), self.busy("slow", 60000), "--", "one")
        self.assertEqual(status, 1)
        self.assertIn("SLOWER by", said)

    def test_programs_that_print_different_things_are_no_pair(self):
        a, b = self.program("a", "echo 1\n"), self.program("b", "echo 2\n")
        self.assertEqual(self.run_pairs(a, b, "--", "x", "y"), (
            2, "", f"paired_runs: {a} and {b} print different things for: x y\n"))

    def test_a_failing_program_stops_everything(self):
        a, b = self.program("a", "echo 1\n"), self.program("b", "exit 3\n")
        self.assertEqual(self.run_pairs(a, b, "--", "x"), (2, "", f"paired_runs: {b} x: exit status 3\n"))

    def test_a_program_of_the_current_directory_needs_no_slash(self):
        self.busy("plain", 6000)
        run = subprocess.run([sys.executable, SAMPLES / "paired_runs.py", "--pairs", "5", "plain", "plain",
                              "--", "x"], capture_output=True, text=True, cwd=self.directory.name)
        self.assertIn("ratio", run.stdout, run.stderr)

    def test_a_program_that_is_nowhere(self):
        self.assertEqual(self.run_pairs("not-there", "not-there", "--", "x"), (
            2, "", "paired_runs: not-there: neither in the current directory nor in PATH\n"))

    def test_short_runs_are_warned_of(self):
        quick = self.program("quick", "echo $1\n")
        _, _, complaint = self.run_pairs(quick, quick, "--", "one")
        self.assertRegex(complaint, r"^paired_runs: warning: one: a run takes \d+ ms, much of it to start "
                                    r"the program; give it work for 50 ms or more\n$")
        slow = self.busy("slow", 400000)
        self.assertNotIn("two: a run takes", self.run_pairs(slow, slow, "--", "two")[2])

    def test_wrong_usage(self):
        status, said, complaint = self.run_pairs("only-one", "--", "x")
        self.assertEqual((status, said), (2, ""))
        self.assertIn("paired_runs.py [--pairs N] BASELINE OPTIMISED", complaint)


if __name__ == "__main__":
    unittest.main()
