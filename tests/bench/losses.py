#!/usr/bin/env python3
"""Why profiles of PC samples gain less than profiles of branch records: the causes, one by one.

    losses.py PGO DIR [--program NAME]... [--samples N]... [--draws N] [--cause ROW]... [--no-causes] [--bolt]

DIR has the sources that bench.sh and fetch_releases.sh fetch, and keeps what is built (steps.py). Of one run of each
program are recorded branch records (under emulation), PC samples with stacks (clock_stacks.py), and exact counts
(callgrind_counts.py). N of the samples are drawn, and counts inferred. Then one ingredient of these is replaced by the
exact one, the program is built with the profile of that, and its instructions and taken branches are counted under
emulation. There is no noise but that of the draw, and that of the compiler's decisions at thresholds.

The first column is the share of what branch records gain in taken branches, then in instructions. Rows:

    PC samples            what pgo convert infers; the mean of the draws
    PC samples, again     the same of samples of the build by branch records, as production has it after the first week
    function weights      exact: how many instructions ran in each function; inferred: how they divide within it
    branches in functions the other way round
    indirect calls        exact: where they go, and how often each way
    blocks                exact: all counts of probes in the profile, but not its calls
    calls                 exact: how often functions are entered, and all calls in the profile
    inlined copies        exact: how the counts of a probe divide among inlined copies of its function
    sampled functions     all exact, but nothing is known of functions without samples
    equal costs           as many samples, but of executed instructions instead of time: inferred
    thinned               as many samples of executed instructions: not inferred, chance alone
    exact                 all exact, of all functions

The order of the samples is no ingredient: nothing that pgo convert writes depends on it.

With --bolt: BOLT lays out the program by the branch records, and by the counts inferred from N samples; once as it was
built without a profile, and once built with the profile of the branch records, and recorded again. `change` is that
of taken branches.

RE2 and reckon are never used to choose anything: they show what other programs may expect.
"""
import argparse
import dataclasses
import os
import pathlib
import statistics
import subprocess
import sys

import clock_stacks
import releases
import win_table
from mixed_profile import WAYS
from pc_samples import DEFAULT, PERIOD, PlainBuilds
from programs import HERE, SAMPLES as SOURCES, hardened, programs
from steps import OUT, Steps
from win_table import LLVM

NAMES = ["sqlite", "sqlite hardened", "lua", "lua hardened", "leveldb", "queryd", "re2", "reckon"]
SAMPLES, BOLT_SAMPLES = [50_000, 5_000], [200_000, 50_000, 20_000, 5_000]
BOLT_RECORDED = "200000"
# Rows, and what replaced_counts.cc and mixed_profile.py call them.
CAUSES = {"function weights": "weight", "branches in functions": "shape", "indirect calls": "targets",
          "blocks": "blocks", "calls": "calls", "inlined copies": "copies", "sampled functions": "sampled",
          "equal costs": "uniform", "thinned": "thinned", "exact": "exact"}
# Of runs to sample: callgrind takes fifty times as long.
SHORT = {"sqlite": "--size 20 :memory:".split(), "lua": [str(HERE / "mixed.lua"), "60"],
         "queryd": "shop 100000 1".split(), "reckon": [str(SOURCES / "reckon/programs/queens.reckon"), "size=12"]}


def program_of(directory, name):
    name, _, kind = name.partition(" ")
    program = releases.released_program(directory, name, "none") if name == "re2" else programs(directory)[name]
    program = dataclasses.replace(program, sample=SHORT.get(name, program.train))
    return hardened(program) if kind else program


def samples_in(stacks, binary):
    """How many samples of the file of stacks are in the binary."""
    kept = clock_stacks.Stacks.read(stacks)
    mappings = kept.mappings[str(binary)]
    return sum(count for stack, count in kept.counts.items()
               if any(begin <= stack[0] < end for begin, end, *_ in mappings))


class LossBuilds(PlainBuilds):
    """Builds by profiles of which one ingredient is exact."""

    wanted = "80000"  # samples, those of libraries included

    def binary(self):
        return self.profiled(DEFAULT.profiled)

    def draw(self, stacks, binary, samples, seed):
        """pprof of so many samples in the binary."""
        rate = f"{min(1, samples / samples_in(stacks, binary)):.6f}"
        name = f"{binary.parent.name[:20]}.draw_{samples}_{seed}"
        return self.script(name, "clock_stacks.py", ["draw", stacks, rate, seed, f"{OUT}/samples.pb.gz"], [],
                           [stacks, HERE / "make_pprofs.py"]) / "samples.pb.gz"

    def text_profile(self, name, source):
        return self.steps.make(name, [[self.pgo, "convert", source, "--binary", self.binary(),
                                       "-o", f"llvm-text:{OUT}/profile"]],
                               [self.pgo], [self.binary(), source]) / "profile"

    def optimized_by(self, name, profile):
        return self.compile(f"by_{name}", [f"-fprofile-sample-use={profile}", *DEFAULT.use], profile)

    def by_branch_records(self):
        recording = self.record(self.binary(), self.program.sample, PERIOD)
        return self.optimized_by("branch_records", self.text_profile("text_branch_records", recording))

    def by_samples(self, samples, seed):
        drawn = self.draw(self.samples()[0], self.binary(), samples, seed)
        name = f"inferred_{samples}_{seed}"
        return self.optimized_by(name, self.text_profile(f"text_{name}", drawn))

    def again_by_samples(self, samples, seed):
        """By samples of the build by branch records, as production has it after the first week."""
        binary = self.by_branch_records()
        drawn = self.draw(self.bolt_stacks(binary), binary, samples, seed)
        name = f"again_{samples}_{seed}"
        profile = self.steps.make(f"text_{name}", [[self.pgo, "convert", drawn, "--binary", binary,
                                                    "-o", f"llvm-text:{OUT}/profile"]],
                                  [self.pgo], [binary, drawn]) / "profile"
        return self.optimized_by(name, profile)

    def causes(self, samples, rows):
        """(row, build) for each of the rows, of the first draw."""
        drawn = self.draw(self.samples()[0], self.binary(), samples, 1)
        tool, exact = self.tools / "replaced_counts", self.exact() / "exact.preagg"
        command = [tool, self.binary(), drawn, exact]
        counts = self.steps.make(f"replaced_{samples}", [[*command, OUT]], [], command)

        def profile(what):
            return self.text_profile(f"text_{what}_{samples}", counts / f"{what}.preagg")

        for row in rows:
            what = CAUSES[row]
            if what in WAYS:
                inferred, truth, script = profile("inferred"), profile("exact"), "mixed_profile.py"
                made = self.script(f"mixed_{what}_{samples}", script, [what, inferred, truth, f"{OUT}/profile"], [],
                                   [inferred, truth]) / "profile"
            else:
                made = profile(what)
            yield row, self.optimized_by(f"{what}_{samples}", made)

    def bolted(self, name, binary, source):
        """By traces or a recording of the binary."""
        return self.steps.make(
            f"bolted_{name}", [[self.pgo, "bolt", binary, "-o", f"{OUT}/program", "--profile", source,
                                "--on-failure", "error"]],
            [self.pgo, LLVM + "llvm-bolt", LLVM + "perf2bolt"], [binary, source]) / "program"

    def bolt_stacks(self, binary):
        """Of the build by branch records; those of the one without a profile are recorded anyway."""
        if binary == self.binary():
            return self.samples()[0]
        return self.script("bolt_stacks", "clock_stacks.py",
                           ["record", f"{OUT}/stacks", BOLT_RECORDED, "--", binary, *self.program.sample], ["perf"],
                           [HERE / "make_pprofs.py", binary, *win_table.files_among(self.program.sample)]) / "stacks"

    def bolted_by_samples(self, name, binary, samples, seed):
        """With as few as there are, which pgo bolt refuses to do by itself: it does not know that traces are
        inferred."""
        name = f"{name}_{samples}_{seed}"
        drawn = self.draw(self.bolt_stacks(binary), binary, samples, seed)
        traces = self.steps.make(f"traces_{name}", [[self.pgo, "convert", drawn, "--binary", binary,
                                                     "-o", f"preagg:{OUT}/traces"]],
                                 [self.pgo], [binary, drawn]) / "traces"
        return self.bolted(name, binary, traces)


def checked_counts(builds, base, build):
    win_table.compare_outputs({"base": builds.printed(base), str(build.parent.name): builds.printed(build)})
    return builds.counts(build)


class Wins:
    """What builds execute, as shares of what branch records gain."""

    def __init__(self, builds):
        self.builds, self.base = builds, builds.compile("base", [])
        self.of_base = builds.counts(self.base)
        self.of_records = checked_counts(builds, self.base, builds.by_branch_records())

    def relative(self, build):
        """(instructions, taken branches) relative to the build without a profile."""
        return tuple(own / base for own, base in zip(checked_counts(self.builds, self.base, build), self.of_base))

    def share(self, build):
        """(taken branches, instructions)"""
        instructions, taken = ((base - own) / (base - records) for own, base, records in zip(
            checked_counts(self.builds, self.base, build), self.of_base, self.of_records))
        return taken, instructions


def print_row(row, shares, inferred=None):
    taken, instructions = shares
    gained = f" {100 * (taken - inferred[0]):+7.1f}" if inferred else ""
    print(f"  {row:22} {100 * taken:8.1f} {100 * instructions:13.1f}{gained}", flush=True)


def print_draws(row, draws):
    print_row(row, [statistics.mean(column) for column in zip(*draws)])
    if len(draws) > 1:
        print(f"  {'':22} {' '.join(f'{100 * taken:.1f}' for taken, _ in draws)}", flush=True)


def report(name, builds, options):
    wins = Wins(builds)
    instructions, taken = wins.relative(builds.by_branch_records())
    print(f"\n{name}: with branch records {instructions:.3f} of the instructions, {taken:.3f} of the taken branches")
    for samples in options.samples or SAMPLES:
        print(f"  {f'{samples} samples':22} {'taken, %':>8} {'instructions':>13}  points")
        seeds = range(1, options.draws + 1)
        draws = [wins.share(builds.by_samples(samples, seed)) for seed in seeds]
        print_draws("PC samples", draws)
        print_draws("PC samples, again", [wins.share(builds.again_by_samples(samples, seed)) for seed in seeds])
        for row, build in builds.causes(samples, options.cause or CAUSES) if options.causes else ():
            print_row(row, wins.share(build), draws[0])


def report_bolt(name, builds, options):
    """Of the build without a profile, and of the one by branch records."""
    for kind, binary in (("plain", builds.binary()), ("optimized", builds.by_branch_records())):
        recording = builds.record(binary, builds.program.sample, PERIOD)
        before = builds.counts(binary)[1]

        def change(build):
            return 100 * (checked_counts(builds, binary, build)[1] / before - 1)

        print(f"\n{name}, {kind}: BOLT\n  {'by':22} {'change, %':>9}")
        records = change(builds.bolted(f"{kind}_records", binary, recording))
        print(f"  {'branch records':22} {records:+9.1f}", flush=True)
        most = samples_in(builds.bolt_stacks(binary), binary)
        for samples in dict.fromkeys(min(samples, most) for samples in options.samples or BOLT_SAMPLES):
            changes = [change(builds.bolted_by_samples(kind, binary, samples, seed))
                       for seed in range(1, options.draws + 1)]
            print(f"  {f'{samples} samples':22} {statistics.mean(changes):+9.1f} "
                  f" {' '.join(f'{one:+.1f}' for one in changes)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pgo", type=os.path.abspath)
    parser.add_argument("directory", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--program", action="append", choices=NAMES)
    parser.add_argument("--samples", action="append", type=int)
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--cause", action="append", choices=CAUSES, help="only these rows")
    parser.add_argument("--no-causes", dest="causes", action="store_false")
    parser.add_argument("--bolt", action="store_true", help="what BOLT gains, instead")
    options = parser.parse_args()
    for name in options.program or NAMES:
        steps = Steps(options.directory / "losses" / name.replace(" ", "_"))
        builds = LossBuilds(options.pgo, win_table.event_counter(options.pgo), program_of(options.directory, name),
                            steps)
        try:
            (report_bolt if options.bolt else report)(name, builds, options)
            print(f"{name}: {steps.summary()}", file=sys.stderr)
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            sys.exit(f"{name}: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
