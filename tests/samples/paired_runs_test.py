#!/usr/bin/env python3
"""What paired_runs.py says of ratios that are known, and of programs that are quick, slow or broken."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
sys.path.insert(0, str(SAMPLES))
import paired_runs  # noqa: E402  (its place is known only now)


class Compared(unittest.TestCase):
    def compare(self, ratios):
        return paired_runs.Comparison([2 * ratio for ratio in ratios], [2.0] * len(ratios))

    def test_win(self):
        found = self.compare([0.90, 0.91, 0.89, 0.90, 0.92, 0.88, 0.90, 0.91, 0.89, 0.90, 0.90])
        self.assertTrue(found.wins)
        self.assertEqual(found.figures(), "0.900 (0.890 to 0.910)")
        self.assertEqual(found.words(), "10.0 % less CPU time than")

    def test_no_win_when_the_interval_contains_one(self):
        found = self.compare([0.90, 1.05, 0.97, 1.10, 0.99, 0.93, 1.02, 0.98, 1.07, 0.95, 1.01])
        self.assertFalse(found.wins or found.loses)
        self.assertRegex(found.figures(), r"^0\.990 \(0\.9\d+ to 1\.0\d+\)$")
        self.assertEqual(found.words(), "no significant difference from")

    def test_slower(self):
        found = self.compare([1.25] * 5)
        self.assertTrue(found.loses)
        self.assertEqual(found.words(), "25.0 % MORE CPU time than")

    def test_the_same_times_give_the_same_interval(self):
        ratios = [0.9, 1.1, 0.8, 0.95, 1.0, 0.97, 1.2]
        self.assertEqual(paired_runs.interval_of_median(ratios), paired_runs.interval_of_median(ratios))


class Report(unittest.TestCase):
    def report(self, *times):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            all_well = paired_runs.report(["base", "pgo", "bolted"], times)
        return all_well, said.getvalue()

    def test_each_step_is_compared_with_the_baseline_and_the_previous_one(self):
        self.assertEqual(self.report([1.0] * 5, [0.8] * 5, [0.6] * 5), (True, """\
  BUILD   CPU TIME  VS. BASELINE (95 % INTERVAL)  VS. PREVIOUS
  base     1.000 s
  pgo      0.800 s  0.800 (0.800 to 0.800)        0.800 (0.800 to 0.800)
  bolted   0.600 s  0.600 (0.600 to 0.600)        0.750 (0.750 to 0.750)

pgo: 20.0 % less CPU time than base
bolted: 25.0 % less CPU time than pgo
bolted: 40.0 % less CPU time than base
"""))

    def test_a_step_that_loses_is_not_well_even_when_it_beats_the_first(self):
        all_well, said = self.report([1.0] * 5, [0.5] * 5, [0.6] * 5)
        self.assertFalse(all_well)
        self.assertIn("bolted: 20.0 % MORE CPU time than pgo\n", said)

    def test_times_that_vary_more_than_builds_differ_are_not_to_be_trusted(self):
        wide = [1.0, 0.8, 1.0, 0.8, 0.9]
        drifting = [1.0, 1.0, 1.0, 2.0, 2.0], [0.9, 0.9, 1.8, 1.8, 1.8]
        for base, pgo in (([1.0] * 5, wide), drifting):
            _, said = self.report(base, pgo, pgo)
            self.assertIn("\nThe machine was busy with other things: run more rounds (--rounds)", said)
        _, said = self.report([1.0] * 5, [0.8, 0.81, 0.8, 0.81, 0.8], [0.8] * 5)
        self.assertNotIn("busy", said)

    def test_a_step_that_changes_nothing_does_no_harm(self):
        all_well, said = self.report([1.0] * 5, [0.5] * 5, [0.5] * 5)
        self.assertTrue(all_well)
        self.assertIn("bolted: no significant difference from pgo\n", said)


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

    def run_rounds(self, *arguments):
        run = subprocess.run([sys.executable, SAMPLES / "paired_runs.py", "--rounds", "5", *arguments],
                             capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    def test_a_quicker_program_wins(self):
        status, said, _ = self.run_rounds(self.busy("slow", 60000), self.busy("quick", 6000),
                                         "--", "one", "--", "two")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"quick: \d\d\.\d % less CPU time than .*slow\n$")

    def test_a_slower_program_does_not(self):
        status, said, _ = self.run_rounds(self.busy("quick", 6000), self.busy("slow", 60000), "--", "one")
        self.assertEqual(status, 1)
        self.assertIn("MORE CPU time than", said)

    def test_programs_that_print_different_things_are_not_compared(self):
        a, b = self.program("a", "echo 1\n"), self.program("b", "echo 2\n")
        self.assertEqual(self.run_rounds(a, b, "--", "x", "y"), (
            2, "", f"paired_runs: {a} and {b} print different things for: x y\n"))
        self.assertEqual(self.run_rounds(a, a, b, "--", "x"), (
            2, "", f"paired_runs: {a} and {b} print different things for: x\n"))

    def test_a_failing_program_stops_everything(self):
        a, b = self.program("a", "echo 1\n"), self.program("b", "exit 3\n")
        self.assertEqual(self.run_rounds(a, b, "--", "x"), (2, "", f"paired_runs: {b} x: exit status 3\n"))

    def test_a_program_of_the_current_directory_needs_no_slash(self):
        self.busy("plain", 6000)
        run = subprocess.run([sys.executable, SAMPLES / "paired_runs.py", "--rounds", "5", "plain", "plain",
                              "--", "x"], capture_output=True, text=True, cwd=self.directory.name)
        self.assertIn("CPU TIME", run.stdout, run.stderr)

    def test_a_program_that_is_nowhere(self):
        self.assertEqual(self.run_rounds("not-there", "not-there", "--", "x"), (
            2, "", "paired_runs: not-there: neither in the current directory nor in PATH\n"))

    def test_short_runs_are_warned_of(self):
        quick = self.program("quick", "echo $1\n")
        _, _, complaint = self.run_rounds(quick, quick, "--", "one")
        self.assertRegex(complaint, r"^paired_runs: warning: one: a run takes \d+ ms, much of it to start "
                                    r"the program; give it work for 50 ms or more\n$")
        slow = self.busy("slow", 400000)
        self.assertNotIn("two: a run takes", self.run_rounds(slow, slow, "--", "two")[2])

    def test_programs_may_stand_behind_dashes(self):
        plain = self.busy("plain", 6000)
        _, said, complaint = self.run_rounds("--", plain, plain, "--", "x")
        self.assertIn("CPU TIME", said, complaint)
        run = subprocess.run([sys.executable, SAMPLES / "paired_runs.py", "--", plain, plain, "--", "x"],
                             capture_output=True, text=True)
        self.assertIn("CPU TIME", run.stdout, run.stderr)
        self.assertEqual(self.run_rounds("--", "--", plain, plain)[0], 2)

    def test_few_rounds(self):
        run = subprocess.run([sys.executable, SAMPLES / "paired_runs.py", "--rounds", "4", "true", "true",
                              "--", "x"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (2, "", "paired_runs: --rounds: at least 5\n"))

    def test_wrong_usage(self):
        status, said, complaint = self.run_rounds("only-one", "--", "x")
        self.assertEqual((status, said), (2, ""))
        self.assertIn("paired_runs.py [--rounds N] [--] BASELINE OPTIMIZED", complaint)


if __name__ == "__main__":
    unittest.main()
