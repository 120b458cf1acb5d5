#!/usr/bin/env python3
"""What is made of callgrind's counts, of perf's stacks and of times, by hand-written examples."""

import collections
import gzip
import pathlib
import tempfile
import unittest
import unittest.mock

import callgrind_counts
import clock_stacks
import pc_samples
import programs

CALLGRIND = """\
ob=/lib/libc.so.6
fn=qsort
0x9000 5
cob=/tmp/program_without_debug
cfn=compare
calls=4 0x1100
0x9010 80
0x9020 4
ob=/tmp/program_without_debug
fn=main
0x1000 10
0x1002 10
jcnd=7/10 0x1008
0x1004
0x1004 10
0x1006 3
cfn=compare
calls=3 0x1100
0x1008 60
0x1008 10
cob=/lib/libc.so.6
cfn=puts
calls=1 0x4000
0x100a 100
0x100a 10
fn=compare
0x1100 7
jump=2 0x1100
0x1101
0x1101 7
"""


class Exact(unittest.TestCase):
    def setUp(self):
        self.counts = callgrind_counts.Counts().read(CALLGRIND.splitlines(keepends=True))

    def test_only_what_runs_in_the_program_counts(self):
        self.assertEqual(self.counts.ran, {0x1000: 10, 0x1002: 10, 0x1004: 10, 0x1006: 3, 0x1008: 10, 0x100a: 10,
                                           0x1100: 7, 0x1101: 7})

    def test_branches_that_lead_into_the_program(self):
        self.assertEqual(self.counts.branches, {(0, 0x1100): 4, (0x1004, 0x1008): 7, (0x1008, 0x1100): 3,
                                                (0x1101, 0x1100): 2})

    def test_straight_line_code(self):
        code = [(0x1000, False), (0x1002, False), (0x1004, True), (0x1006, False), (0x1008, True),
                (0x100a, True), (0x100c, False), (0x1100, False), (0x1101, True)]
        self.assertEqual(list(self.counts.runs(code)),
                         [(0x1000, 0x1004, 10), (0x1006, 0x1006, 3), (0x1008, 0x1008, 10), (0x100a, 0x100a, 10),
                          (0x1100, 0x1101, 7)])


SCRIPT = """\
program  PERF_RECORD_MMAP2 7/7: [0x5000(0x3000) @ 0x1000 <aa>]: r-xp /opt/program
program  PERF_RECORD_MMAP2 7/7: [0x9000(0x1000) @ 0 <bb>]: r-xp /lib/libc.so.6
taskset 
\t            1010 (/opt/program)

program 
\t            1010 (/opt/program)
\t            1fff (/opt/program)
\tffffffffffffffff ([unknown])

program 
\t             020 (/lib/libc.so.6)
\t            9999 (/lib/libc.so.6)

program 
\t             10 ([vdso])

program  PERF_RECORD_LOST lost 3
"""


class ClockStacks(unittest.TestCase):
    def read(self):
        stacks = clock_stacks.Stacks()
        with unittest.mock.patch("subprocess.Popen") as script:
            script.return_value.stdout = SCRIPT.splitlines(keepends=True)
            script.return_value.wait.return_value = 0
            stacks.add_run("perf.data", "/opt/program")
        return stacks

    def test_stacks_are_of_the_process_with_return_addresses(self):
        stacks = self.read()
        self.assertEqual(stacks.counts, {(0x5010, 0x6000): 1, (0x9020,): 1})
        self.assertEqual((stacks.elsewhere, stacks.lost), (2, 3))

    def test_text_is_read_as_it_was_written(self):
        stacks = self.read()
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "stacks")
            stacks.write(path)
            again = clock_stacks.Stacks.read(path)
        self.assertEqual((again.counts, again.mappings), (stacks.counts, stacks.mappings))

    def test_draws(self):
        counts = collections.Counter({(1, 2): 10_000, (3,): 1})
        self.assertEqual(clock_stacks.drawn(counts, "1", 1), counts)
        tenth = clock_stacks.drawn(counts, ".1", 1)
        self.assertTrue(900 < tenth[1, 2] < 1100)
        self.assertEqual(tenth, clock_stacks.drawn(counts, ".1", 1))
        self.assertNotEqual(tenth, clock_stacks.drawn(counts, ".1", 2))
        self.assertTrue(9700 < clock_stacks.drawn(counts, "again", 1)[1, 2] < 10_300)
        self.assertEqual(clock_stacks.leaves(counts), {(1,): 10_000, (3,): 1})

    def test_a_profile_is_one_of_its_samples(self):
        stacks = self.read()
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "samples.pb.gz")
            clock_stacks.write_pprof(path, stacks, stacks.counts)
            message = gzip.decompress(path.read_bytes())
        for text in (b"/opt/program", b"nanoseconds", b"aa", b"bb"):
            self.assertIn(text, message)
        self.assertIn(b"\x0a\x02\x01\x02\x12\x04\x01" + clock_stacks.packed(2, [clock_stacks.PERIOD])[2:], message)


class Hardened(unittest.TestCase):
    def test_flags_come_before_the_sources(self):
        program = programs.hardened(programs.Program("cc", ["a.c"], pathlib.Path(), [], [], [], []))
        self.assertEqual(program.sources, [*programs.HARDENING, "a.c"])

    def test_goals_are_overlap_of_the_plain_build_and_no_flow_into_dead_ends(self):
        plain = {"1": (.800, 0, .06, 0), ".1": (.800, 0, .06, 0), ".01": (.800, 0, .06, 0)}
        hard = {"1": (.785, 0, .05, .0005), ".1": (.775, 0, .05, .0005), ".01": (.785, 0, .05, .0015)}
        self.assertEqual(list(pc_samples.hardened_lines(plain, hard)), [
            "      1    0.800    0.785     0.060     0.050   0.0005  goal reached",
            "     .1    0.800    0.775     0.060     0.050   0.0005  goal MISSED",
            "    .01    0.800    0.785     0.060     0.050   0.0015  goal MISSED"])


class TimesAndWins(unittest.TestCase):
    def times(self, text):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        path = pathlib.Path(directory.name, "times")
        path.write_text(text)
        return pc_samples.Times(path, ["9"])

    def test_rounds_that_have_all_builds_of_the_same_work_are_kept(self):
        times = self.times('{"arguments": ["9"], "seconds": {"a": 1, "b": 2}}\n'
                           '{"arguments": ["9"], "seconds": {"a": 3}}\n'
                           '{"arguments": ["8"], "seconds": {"a": 5, "b": 5}}\n'
                           '{"arguments": ["9"], "seco')
        self.assertEqual(times.of(["a", "b"]), {"a": [1], "b": [2]})
        self.assertEqual(times.of(["a"]), {"a": [1, 3]})

    def test_a_round_is_kept_but_for_the_first(self):
        times = self.times("")
        times.arguments = ["-c", "echo took 5"]
        times.run_round({"a": "/bin/sh"}, b"", keep=False)
        times.run_round({"a": "/bin/sh"}, b"", keep=True)
        self.assertEqual(len(pc_samples.Times(times.path, times.arguments).of(["a"])["a"]), 1)

    def test_a_build_that_prints_another_thing_stops(self):
        times = self.times("")
        times.arguments = ["5"]
        with self.assertRaisesRegex(RuntimeError, "^builds print different things$"):
            times.run_round({"a": "/bin/echo", "b": "/usr/bin/seq"}, b"(?!)", keep=True)

    def test_it_goes_on_until_each_win_is_known_well_enough(self):
        def are_close(times):
            wins = pc_samples.Wins("base", {"base": [1] * len(times), "ours": times})
            with unittest.mock.patch("pc_samples.digest", str):
                return pc_samples.are_close(wins, [pc_samples.Row("ours", "1", [], [], ["ours"])])

        self.assertTrue(are_close([.900, .902, .901, .909, .903]))
        self.assertFalse(are_close([.900, .902, .912, .913, .914]))

    def test_shares_of_a_win(self):
        wins = pc_samples.Wins("base", {"base": [1, 2, 1], "records": [.8, 1.6, .8], "ours": [.9, 1.8, .9],
                                           "other": [.8, 1.6, .8], "slow": [1.1, 2, 1]})
        self.assertEqual([round(value, 6) for value in wins.ratio(["ours", "other"])], [.85] * 3)
        self.assertEqual([round(value, 6) for value in wins.share(["ours", "other"], "records")], [.75] * 3)
        self.assertIsNone(wins.share(["ours"], "slow"))


if __name__ == "__main__":
    unittest.main()
