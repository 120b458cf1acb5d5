#!/usr/bin/env python3
"""Which steps of the win table are made anew, what it builds, and what stops it."""

import concurrent.futures
import contextlib
import io
import pathlib
import tempfile
import unittest
import unittest.mock

import steps
import win_table


class Kept(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        self.input = self.file("input", "one")
        self.tool = self.file("tool", "#!/bin/sh\n[ $1 = --version ] && exit\n"
                                      "cat $1 > $2/output && echo made >> ${0%/*}/log\n")
        self.tool.chmod(0o755)
        (self.root / "tree").mkdir()

    def file(self, name, text):
        path = self.root / name
        path.write_text(text)
        return path

    def make(self, *options, kept=None, name="step"):
        kept = kept or steps.Steps(self.root / "kept")
        made = kept.make(name, [[self.tool, self.input, steps.OUT, *options]], [self.tool],
                         [self.input, self.root / "tree"])
        return kept, (made / "output").read_text()

    def times_made(self):
        return len((self.root / "log").read_text().splitlines())

    def expect_stale(self, reason):
        kept, _ = self.make()
        self.assertEqual(kept.made, {"step": [reason]})
        self.assertEqual(self.times_made(), 2)
        self.assertEqual(kept.summary(), f"0 steps as they were, 0 new, 1 stale\n  {reason}: step")

    def test_a_step_is_made_once(self):
        self.assertEqual(self.make()[0].summary(), "0 steps as they were, 1 new, 0 stale")
        kept, output = self.make()
        self.assertEqual(output, "one")
        self.assertEqual(kept.summary(), "1 steps as they were, 0 new, 0 stale")
        self.assertEqual(self.times_made(), 1)

    def test_an_input_of_the_same_size_that_changed(self):
        self.make()
        self.input = self.file("input", "two")
        self.expect_stale("input")
        self.assertEqual(self.make()[1], "two")

    def test_a_header_that_appeared(self):
        self.make()
        self.file("tree/new.h", "")
        self.expect_stale("tree")

    def test_a_tool_that_changed(self):
        self.make()
        self.tool.write_text(self.tool.read_text() + "# another release\n")
        steps.version.cache_clear()  # else it is looked at once in a process
        self.expect_stale("tool")

    def test_another_option(self):
        self.make("-O1")
        self.expect_stale("command")

    def test_what_was_there_by_another_hand_is_replaced(self):
        for place in (self.root / "kept", self.root / "kept" / "step"):
            place.mkdir()
        self.file("kept/step/output", "not made by a step")
        self.assertEqual(self.make()[1], "one")

    def test_a_command_that_fails_leaves_nothing_to_reuse(self):
        kept = steps.Steps(self.root / "kept")
        with self.assertRaisesRegex(RuntimeError, "exit status 1"):
            kept.make("step", [["sh", "-c", f"echo half > {steps.OUT}/output; exit 1"]], [], [])
        self.assertFalse((self.root / "kept" / "step").exists())
        self.assertEqual(self.make()[1], "one")
        self.assertEqual([path.name for path in (self.root / "kept").iterdir()], ["step"])

    def test_two_steps_cannot_share_a_name(self):
        kept, _ = self.make("-O1")
        with self.assertRaisesRegex(ValueError, "two steps are called step"):
            self.make("-O2", kept=kept)

    def test_workers_that_need_the_same_step_wait_for_it(self):
        kept = steps.Steps(self.root / "kept")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            outputs = list(pool.map(lambda _: self.make(kept=kept)[1], range(8)))
        self.assertEqual(outputs, ["one"] * 8)
        self.assertEqual(self.times_made(), 1)


class Table(unittest.TestCase):
    def test_builds_that_print_other_things_are_not_measured(self):
        win_table.compare_outputs({"base": b"1\n", "pgo": b"1\n"})
        with self.assertRaisesRegex(RuntimeError, "^another output than that of base, or none: pgo$"):
            win_table.compare_outputs({"base": b"1\n", "lines": b"1\n", "pgo": b"2\n"})
        with self.assertRaisesRegex(RuntimeError, "or none: base$"):
            win_table.compare_outputs({"base": b"", "pgo": b""})

    def test_a_timed_run_that_prints_another_thing_stops(self):
        with tempfile.TemporaryDirectory() as directory:
            program = win_table.programs(directory)["sqlite"]

            def build(name, printed):
                path = pathlib.Path(directory, name)
                path.write_text(f"#!/bin/sh\necho {printed}\n")
                path.chmod(0o755)
                return path

            base, same = build("base", "rows 7, 0.123s"), build("same", "rows 7, 0.456s")
            seconds = win_table.measure(program, {"base": base, "same": same}, 1)
            self.assertEqual([len(times) for times in seconds.values()], [1, 1])
            with self.assertRaisesRegex(RuntimeError, "print different things"):
                win_table.measure(program, {"base": base, "other": build("other", "rows 8, 0.123s")}, 1)

    def test_every_variant_has_a_step_of_its_own(self):
        names = [win_table.slug(name) for name in win_table.VARIANTS | win_table.EXPERIMENTS]
        names += [win_table.bolt_step("pgo_probes", options) for options in [[], *win_table.BOLT_EXPERIMENTS]]
        self.assertEqual(len(names), len(set(names)))

    def test_only_pick_is_left_out_where_pick_is(self):
        for mode, flags in (("lines", win_table.PROFILABLE), ("probes", win_table.PROBES)):
            without = win_table.EXPERIMENTS[f"{mode}, without pick"]
            self.assertEqual([flag for flag in flags if flag not in without.profiled],
                             ["-pick-merged-source-locations"])
            self.assertEqual(without.use, without.profiled + win_table.DEFAULT)


class MadeUpBuilds:
    """Builds that are only names; those named `broken` fail."""

    def __init__(self, *broken):
        self.broken = broken

    def build(self, name):
        if name in self.broken:
            raise RuntimeError(f"no {name}")
        return name

    def compile(self, name, flags):
        return self.build(name)

    def instrumented(self):
        return self.build("instrumented")

    def profiled(self, flags):
        return self.build("profiled")

    def variant(self, name):
        return self.build(name)

    def bolt(self, binary, options):
        return self.build(" ".join([binary, "bolted", *options]))


class LeftOut(unittest.TestCase):
    def build_all(self, *broken, wanted=("pgo",), bolts=None):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            made, left_out = win_table.build_all(MadeUpBuilds(*broken), wanted, bolts or {})
        self.assertEqual([name for name in made if name.startswith("profilable")],
                         ["profilable by lines", "profilable by probes"])
        return [name for name in made if not name.startswith("profilable")], left_out, said.getvalue()

    def test_nothing_is_measured_without_what_is_compared_with(self):
        for name in ("base", "instrumented"):
            with self.assertRaisesRegex(RuntimeError, f"^no {name}$"):
                self.build_all(name)

    def test_what_fails_is_left_out_and_said(self):
        self.assertEqual(self.build_all(), (["base", "instrumented", "pgo"], [], ""))
        self.assertEqual(self.build_all("pgo", bolts={"pgo": [[]]}),
                         (["base", "instrumented"], ["pgo"], "pgo: left out: no pgo\n"))
        bolts = {"base": [[]], "pgo": [[], ["-x"], ["-y"]]}
        self.assertEqual(self.build_all("pgo bolted -x", bolts=bolts),
                         (["base", "instrumented", "pgo", "pgo + BOLT", "pgo + BOLT -y", "base + BOLT"],
                          ["pgo + BOLT -x"], "pgo + BOLT -x: left out: no pgo bolted -x\n"))

    def test_what_is_known_to_fail_is_only_said(self):
        self.assertEqual(self.build_all("create_llvm_prof", wanted=["create_llvm_prof"]),
                         (["base", "instrumented"], [], "create_llvm_prof: left out: no create_llvm_prof\n"))
        self.assertLessEqual(win_table.KNOWN_TO_FAIL, set(win_table.VARIANTS))

    def test_what_is_asked_for(self):
        def chosen(*words):
            with unittest.mock.patch("sys.argv", ["win_table.py", "pgo", "directory", *words]):
                return win_table.chosen(win_table.parse_arguments())

        self.assertEqual(chosen(), (list(win_table.VARIANTS), {}))
        self.assertEqual(chosen("--only", "probes", "--bolt"),
                         (["pgo, probes"], {"base": [[]], "instrumented": [[]], "pgo, probes": [[]]}))
        self.assertEqual(chosen("--experiments", "--only", "by line"),
                         (["probes, by line", "probes, by line, built with lines"], {}))
        self.assertEqual(chosen("--bolt-experiments")[1]["pgo, probes"][:2], [[], ["-frame-opt=hot"]])


if __name__ == "__main__":
    unittest.main()
