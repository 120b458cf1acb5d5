#!/usr/bin/env python3
"""Measures what last week's BOLT profile is worth for this week's build.

    week_two.py PGO DIR [--program NAME]... [--form probes|lines]... [--change NAME]...
                [--compile-profile kept|new]...

DIR has the sources that bench.sh and fetch_releases.sh fetch, and keeps what is built (steps.py). Build 1 is made
with a compile profile, BOLTed, and recorded as it runs in production: BOLTed. Build 2 has other sources:
changes/PROGRAM_NAME.patch, or another release (releases.py), which must not change what the program prints; the
change `none` is no change. Build 2 is compiled with the compile profile of build 1 (`kept`), or with the one that the
recording of build 1 gives (`new`).

The recording becomes a BOLT profile in two ways: `table`, where perf2bolt reads the address translation table of
the BOLTed program, and `translated`, where pgo translates it to llvm-bolt's input. The profile is applied to
build 2 as it is, or by llvm-bolt's matching of blocks (`matched`, what BOLT_STALE does): by their contents, by pseudo
probes too, or of functions found by their calls or their hash. `fresh` is a recording of build 2 itself before BOLT:
what nobody wants to do, and the most that the others can be worth. The rest tells where the others lose: `build 1
before BOLT` is a recording of build 1 without BOLT, which needs no translation; `fresh, one in N` is the recording of
build 2 with other samples of the same run.

Counted, not timed: branches taken and instructions under emulation, on other inputs than those recorded.
`kept` is the share of what `fresh` saves of build 2's taken branches. The settings are those of the CMake package
and of `pgo bolt`; none was chosen by these figures.
"""
import argparse
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys

import win_table
from programs import programs
from releases import RELEASES, released_program
from steps import OUT, Steps
from win_table import DEFAULT, LLVM, PROBES, PROFILABLE, event_counter, slug

CHANGES = pathlib.Path(__file__).resolve().parent / "changes"
FORMS = {"probes": PROBES, "lines": PROFILABLE}
BOLT = ("-reorder-blocks=ext-tsp -reorder-functions=cdsort -split-functions -split-all-cold -split-eh -icf=safe "
        "-no-huge-pages -enable-bat -bolt-info=0").split()
MATCHING = ["-infer-stale-profile"]
BY_PROBES = ["-stale-matching-with-pseudo-probes"]
# What else llvm-bolt matches by.
FURTHER = {"by calls": ["-match-with-call-graph"], "by hashes": ["-match-profile-with-function-hash"]}
PERIOD = 1009  # as dense as the recordings of a fleet
OTHER_PERIODS = [1013, 1021]


def changes_of(name):
    if name in RELEASES:
        return list(RELEASES[name])
    return ["none", *sorted(path.stem.removeprefix(f"{name}_") for path in CHANGES.glob(f"{name}_*.patch"))]


def patched(program, name, change, directory):
    """The program with its sources as of build 2, in a copy of its tree."""
    copy = directory / f"{name}_{change}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(program.tree, copy)
    subprocess.run(["patch", "-s", "-p1", "-d", copy, "-i", CHANGES / f"{name}_{change}.patch"], check=True)
    return dataclasses.replace(program, tree=copy,
                               sources=[word.replace(str(program.tree), str(copy)) for word in program.sources])


def program_of(directory, name, change):
    if name in RELEASES:
        return released_program(directory, name, change)
    program = programs(directory)[name]
    return program if change == "none" else patched(program, name, change, directory)


class Weeks:
    """Both builds of one program in one form."""

    def __init__(self, pgo, directory, name, form, change):
        self.pgo, self.form, self.change = pgo, form, change
        # The steps of build 1 are those of all changes.
        self.steps = {build: Steps(directory / "weeks" / f"{name}_{form}" / build) for build in ("build1", change)}
        plugin = event_counter(pgo)
        self.first = win_table.Builds(pgo, plugin, program_of(directory, name, "none"), self.steps["build1"])
        self.second = win_table.Builds(pgo, plugin, program_of(directory, name, change), self.steps[change])
        base = self.compile(self.first, "base")
        self.old_profile = self.first.convert("pgo", base)
        self.build1 = self.compile(self.first, "build1", self.old_profile)
        self.bolted1 = self.first.bolt(self.build1, [])
        self.recording = self.first.record(self.bolted1, period=PERIOD)

    def compile(self, builds, name, profile=None):
        # Names of static functions have the path of their source in them, mapped as the CMake package does.
        flags = [f"-fmacro-prefix-map={builds.program.tree}/=program/", *FORMS[self.form]]
        use = [f"-fprofile-sample-use={profile}", *DEFAULT] if profile else []
        return builds.compile(name, [*flags, *use], profile)

    def fdata(self, name, recording, recorded):
        """Of `recording` for build 1, also as YAML; `recorded` are the binaries that pgo is told of."""
        named = [word for path in recorded for word in ("--binary", path)]
        return self.first.steps.make(
            name, [[self.pgo, "convert", recording, *named, "-o", f"fdata:{OUT}/fdata"],
                   [LLVM + "llvm-bolt", self.build1, "-o", "/dev/null", f"-data={OUT}/fdata", "-w", f"{OUT}/yaml"]],
            [self.pgo, LLVM + "llvm-bolt", LLVM + "perf2bolt"], [recording, self.build1, *recorded])

    def yaml_with_probes(self):
        """Of the translated recording."""
        # Not by llvm-bolt -w, which version 22 crashes in after it has written probes.
        return self.first.steps.make(
            "translated_with_probes",
            [[self.pgo, "convert", self.recording, "--binary", self.bolted1, "--binary", self.build1,
              "-o", f"preagg:{OUT}/traces"],
             [LLVM + "perf2bolt", "-pa", "-p", f"{OUT}/traces", self.build1, "-o", f"{OUT}/yaml",
              "-profile-format=yaml", "-profile-write-pseudo-probes"]],
            [self.pgo, LLVM + "perf2bolt"], [self.recording, self.bolted1, self.build1]) / "yaml"

    def new_profile(self):
        return self.first.steps.make(
            "new_profile", [[self.pgo, "convert", self.recording, "--binary", self.bolted1, "--binary", self.build1,
                             "-o", f"llvm:{OUT}/profile"]],
            [self.pgo], [self.recording, self.bolted1, self.build1]) / "profile"

    def bolt(self, name, binary, profile, options=()):
        return self.second.steps.make(
            slug(f"{binary.parent.name} {name.lower()}"),
            [[LLVM + "llvm-bolt", binary, "-o", f"{OUT}/program", f"-data={profile}", *BOLT, *options]],
            [LLVM + "llvm-bolt"], [binary, profile]) / "program"

    def fresh(self, name, binary, period):
        recording = self.second.record(binary, period=period, name=name)
        made = self.second.steps.make(
            slug(f"{binary.parent.name} {name} fdata"),
            [[self.pgo, "convert", recording, "--binary", binary, "-o", f"fdata:{OUT}/fdata"]],
            [self.pgo, LLVM + "perf2bolt"], [recording, binary])
        return self.bolt(name, binary, made / "fdata")

    def ways(self, compile_profile):
        """Build 2 by the name of what was done with last week's profile."""
        if compile_profile == "kept" and self.change == "none":
            binary = self.build1
        else:
            profile = self.old_profile if compile_profile == "kept" else self.new_profile()
            binary = self.compile(self.second, f"build2_{compile_profile}", profile)
        before = self.first.record(self.build1, period=PERIOD, name="before_bolt")
        profiles = {
            "table": self.fdata("by_table", self.recording, [self.bolted1]),
            "translated": self.fdata("translated", self.recording, [self.bolted1, self.build1]),
            "build 1 before BOLT": self.fdata("before_bolt_fdata", before, [self.build1]),
        }
        built = {"no BOLT": binary}

        def bolt(way, profile, options=()):
            built[way] = self.bolt(way, binary, profile, options)

        for name, made in profiles.items():
            bolt(name, made / "fdata")
            bolt(f"{name}, matched", made / "yaml", MATCHING)
        made = profiles["translated"]
        if self.form == "probes":
            bolt("translated, matched by probes", self.yaml_with_probes(), MATCHING + BY_PROBES)
        for by, options in FURTHER.items():
            bolt(f"translated, matched {by}", made / "yaml", MATCHING + options)
        for period in OTHER_PERIODS:
            built[f"fresh, one in {period}"] = self.fresh(f"fresh_{period}", binary, period)
        built["fresh"] = self.fresh("fresh", binary, PERIOD)
        return built


def print_table(title, counts):
    none, fresh = counts["no BOLT"][1], counts["fresh"][1]
    width = max(map(len, counts))
    print(f"\n{title}\n  {'':{width}} {'instructions':>13} {'taken':>13} {'change':>8} {'kept':>7}")
    for way, (instructions, taken) in counts.items():
        print(f"  {way:{width}} {instructions:13} {taken:13} {100 * (taken / none - 1):+7.2f}%"
              f" {100 * (none - taken) / (none - fresh):6.1f}%", flush=True)


def measure(weeks, title, compile_profile):
    built = weeks.ways(compile_profile)
    win_table.compare_outputs({way: weeks.second.printed(binary) for way, binary in built.items()})
    print_table(f"{title}, compile profile {compile_profile}",
                {way: weeks.second.counts(binary) for way, binary in built.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pgo", type=os.path.abspath)
    parser.add_argument("directory", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--program", action="append")
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("--change", action="append")
    parser.add_argument("--compile-profile", action="append", choices=["kept", "new"])
    options = parser.parse_args()
    for name in options.program or ["queryd", "leveldb", *RELEASES]:
        for form in options.form or FORMS:
            for change in options.change or changes_of(name):
                weeks = Weeks(options.pgo, options.directory, name, form, change)
                for compile_profile in options.compile_profile or ["kept", "new"]:
                    measure(weeks, f"{name}, {form}, change {change}", compile_profile)
                for steps in weeks.steps.values():
                    print(steps.summary(), file=sys.stderr)


if __name__ == "__main__":
    main()
