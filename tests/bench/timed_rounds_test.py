#!/usr/bin/env python3
"""What timed_rounds.py makes of ratios that are known, and of programs that are broken."""
import pathlib
import tempfile
import unittest

import timed_rounds


class Compared(unittest.TestCase):
    def test_median_and_interval_are_of_ratios_of_rounds(self):
        ratios = [0.90, 0.91, 0.89, 0.90, 0.92, 0.88, 0.90, 0.91, 0.89, 0.90, 0.90]
        found = timed_rounds.Comparison([2 * ratio for ratio in ratios], [2.0] * len(ratios))
        self.assertAlmostEqual(found.median, 0.90)
        self.assertAlmostEqual(found.low, 0.89)
        self.assertAlmostEqual(found.high, 0.91)

    def test_the_same_times_give_the_same_interval(self):
        ratios = [0.9, 1.1, 0.8, 0.95, 1.0, 0.97, 1.2]
        self.assertEqual(timed_rounds.interval_of_median(ratios), timed_rounds.interval_of_median(ratios))


class Measured(unittest.TestCase):
    def test_order_alternates_and_the_first_round_is_not_counted(self):
        ran = []

        def run(program, arguments):
            ran.append(program)
            return len(ran), arguments[0]

        self.assertEqual(timed_rounds.measure(["a", "b"], ["x"], 2, run), [[3, 6], [4, 5]])
        self.assertEqual(ran, ["b", "a", "a", "b", "b", "a"])

    def test_programs_that_print_different_things_are_not_compared(self):
        with self.assertRaisesRegex(RuntimeError, "^a and b print different things for: x y$"):
            timed_rounds.measure(["a", "b"], ["x", "y"], 1, lambda program, _: (1, program))

    def test_a_failing_program_stops_everything(self):
        with tempfile.TemporaryDirectory() as directory:
            broken = pathlib.Path(directory, "broken")
            broken.write_text("#!/bin/sh\nexit 3\n")
            broken.chmod(0o755)
            with self.assertRaisesRegex(RuntimeError, f"^{broken} x: exit status 3$"):
                timed_rounds.measure([str(broken)], ["x"], 1)

    def test_what_is_printed_and_used(self):
        seconds, output = timed_rounds.cpu_seconds("sh", ["-c", "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo $i"])
        self.assertEqual(output, b"50000\n")
        self.assertGreater(seconds, 0)


if __name__ == "__main__":
    unittest.main()
