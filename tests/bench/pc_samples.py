#!/usr/bin/env python3
"""What PC samples of the clock are worth beside branch records, by program, rate and way to count.

    pc_samples.py PGO DIR [--full] [--quality | --hardened] [--no-times] [--program NAME]... [--rounds N]

Each program is built as prodpgo_profilable builds it. Of the same run of that are recorded branch records
(under emulation), about 200 000 samples of the clock with stacks (clock_stacks.py), and exact counts
(callgrind_counts.py). Parts of the samples are drawn, and each way makes counts of them:

    ours              what pgo convert makes of pprof
    ours, leaves      the same without the callers of the stacks
    ours, entries     with samples at first instructions as evidence for single calls, which is not the default
    naive, flow       what others do (pc_sample_estimates.cc)
    exact             callgrind's counts: what the best way could reach
    branch records    as the win table has it

Printed are, without noise: overlap with exact counts, cold-miss and wrong-way (block_quality.h), and of the
program rebuilt with the profile instructions and taken branches under emulation, to those of a build without
one. Then times: rounds that run each build once, the median of the ratio to the build without a profile with
a 95 % interval, and its win as a share of that of branch records.

Quick: all samples and a hundredth, one draw, 11 rounds. Full: three draws of each rate, and rounds until each
win is known to 0.5 points. `--quality` builds nothing: overlap and the like, also of a thousandth. Steps that are
done are kept (steps.py), and so are rounds: it can be stopped at any time. On zstd nothing was tuned; it is there to tell what others may expect.

Last, or with `--hardened` alone: how close our counts are of programs built as distributions do (stack
protector, fortified functions, assertions), beside plain builds. Such code is full of branches to calls that
never return. `dead-end` is the share of flow that goes there, of branches whose calls never ran.

PGO_BENCH_BEFORE has words to put before what is sampled and timed, such as `taskset -c 1`.
"""
import argparse
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys

import timed_rounds
import win_table
from programs import HERE, hardened, programs
from steps import OUT, Steps, digest
from win_table import LLVM, Builds, files_among

NAMES = ["sqlite", "lua", "zstd", "queryd"]
HARDENED = ["sqlite", "lua", "queryd", "leveldb"]
MOST_OVERLAP_LOST, MOST_DEAD_END = .02, .001  # goals of hardened builds
SAMPLES = "200000"
PERIOD = 10007  # branches; the runs are longer than those of the win table
DEFAULT = win_table.VARIANTS["pgo, probes"]  # what prodpgo_profilable and prodpgo_optimize do
WAYS = ["ours", "ours, leaves", "ours, entries", "flow", "naive"]
GOALS = {"1": .95, ".1": .90, ".01": .75}  # of the win of branch records
FEWEST_ROUNDS, MOST_ROUNDS = 11, 200
CLOSE = .005  # half of an interval
RESAMPLES = 2000


@dataclasses.dataclass(frozen=True)
class Draw:
    rate: str
    seed: int

    def how(self):
        """What clock_stacks.py is told: another collection of as many, or a part."""
        return "again" if self.rate == "1" and self.seed else self.rate


QUICK = {"1": [Draw("1", 0)], ".01": [Draw(".01", 1)]}
FULL = {rate: [Draw(rate, seed) for seed in (1, 2, 3)] for rate in GOALS}
QUALITY = FULL | {".001": [Draw(".001", seed) for seed in (1, 2, 3)]}


class PlainBuilds(Builds):
    """Further steps of the builds of one program."""

    wanted = SAMPLES

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.tools = pathlib.Path(self.pgo).parents[1] / "tests" / "bench"

    def script(self, name, script, words, tools, files):
        path = HERE / script
        return self.steps.make(name, [[sys.executable, path, *words]], tools, [path, *files])

    def samples(self):
        """The stacks, and what is said of them."""
        binary, sample = self.profiled(DEFAULT.profiled), self.program.sample
        step = self.script("stacks", "clock_stacks.py", ["record", f"{OUT}/stacks", self.wanted, "--", binary, *sample],
                           ["perf"], [HERE / "make_pprofs.py", binary, *files_among(sample)])
        return step / "stacks", (step / "stdout").read_text().strip()

    def exact(self):
        binary, sample = self.profiled(DEFAULT.profiled), self.program.sample
        return self.script("exact", "callgrind_counts.py", [OUT, binary, *sample],
                           ["valgrind", LLVM + "llvm-objcopy", LLVM + "llvm-objdump"],
                           [binary, *files_among(sample)])

    def convert_to_both(self, name, source):
        """A step with a profile for the compiler, and the traces it is from."""
        binary = self.profiled(DEFAULT.profiled)
        return self.steps.make(name, [[self.pgo, "convert", source, "--binary", binary, "-o", f"llvm:{OUT}/profile",
                                       "-o", f"preagg:{OUT}/traces"]], [self.pgo], [binary, source])

    def estimates(self, draw):
        """Steps by way."""
        stacks, _ = self.samples()
        binary = self.profiled(DEFAULT.profiled)
        name = f"{draw.how()}_{draw.seed}"
        drawn = {leaves: self.script(
            f"draw{win_table.slug(leaves)}_{name}", "clock_stacks.py",
            ["draw", stacks, draw.how(), draw.seed, f"{OUT}/samples.pb.gz", *leaves.split()], [],
            [stacks, HERE / "make_pprofs.py"]) / "samples.pb.gz" for leaves in ("", " leaves")}
        tool = self.tools / "pc_sample_estimates"
        others = self.steps.make(f"others_{name}", [[tool, binary, drawn[""], OUT]], [], [tool, binary, drawn[""]])
        sources = {"ours": drawn[""], "ours, leaves": drawn[" leaves"],
                   "ours, entries": others / "entries.preagg", "flow": others / "flow.preagg",
                   "naive": others / "naive.preagg"}
        return {way: self.convert_to_both(f"{win_table.slug(way)}_{name}", source)
                for way, source in sources.items()}

    def quality(self, name, traces):
        """(overlap, cold-miss, wrong-way, dead-end) of files of traces of the same functions."""
        tool, binary, exact = self.tools / "trace_quality", self.profiled(DEFAULT.profiled), self.exact() / "counts"
        command = [tool, binary, exact, *traces]
        step = self.steps.make(f"quality_{name}", [command], [], command)
        lines = (step / "stdout").read_text().splitlines()
        return [tuple(map(float, re.findall(r"(?:overlap|miss|way|end) ([\d.]+)", line))) for line in lines]

    def optimized(self, name, made):
        profile = made / "profile"
        return self.compile(f"by_{name}", [f"-fprofile-sample-use={profile}", *DEFAULT.use], profile)


@dataclasses.dataclass
class Row:
    """A way at a rate: the counts of its draws as steps, and what is known of each."""

    way: str
    rate: str
    steps: list
    quality: list  # (overlap, cold-miss, wrong-way, dead-end) of each
    builds: list = ()  # the program rebuilt with each
    counts: list = ()  # (instructions, taken) of each


def make_rows(builds, draws, pool):
    """The rows of the table, branch records first; nothing rebuilt."""
    binary = builds.profiled(DEFAULT.profiled)
    builds.samples()  # alone on the machine
    exact = pool.submit(builds.exact)
    records = builds.convert_to_both("branch_records", builds.record(binary, builds.program.sample, PERIOD))
    exact = builds.convert_to_both("exact_counts", exact.result() / "exact.preagg")
    rows = [Row(way, "", [step], builds.quality(win_table.slug(way), [step / "traces"]))
            for way, step in (("branch records", records), ("exact", exact))]
    for rate, of_rate in draws.items():
        by_draw = list(pool.map(builds.estimates, of_rate))
        quality = list(pool.map(lambda draw, steps: builds.quality(
            f"{draw.how()}_{draw.seed}", [steps[way] / "traces" for way in WAYS]), of_rate, by_draw))
        rows += [Row(way, rate, [steps[way] for steps in by_draw], [one[at] for one in quality])
                 for at, way in enumerate(WAYS)]
    return rows


def rebuild(builds, rows, pool):
    """Fills in the builds of the rows, and what they execute. The build without a profile."""
    base = pool.submit(builds.compile, "base", [])
    steps = [step for row in rows for step in row.steps]
    made = dict(zip(steps, pool.map(lambda step: builds.optimized(step.name, step), steps)))
    printed = pool.map(builds.printed, [base.result(), *made.values()])
    win_table.compare_outputs(dict(zip(["base", *(step.name for step in steps)], printed)))
    for row in rows:
        row.builds = [made[step] for step in row.steps]
        row.counts = list(pool.map(builds.counts, row.builds))
    return base.result()


class Times:
    """Rounds in a file, seconds by the digest of a build; a build that changed has none."""

    def __init__(self, path, arguments):
        self.path, self.arguments, self.rounds = path, arguments, []
        for line in path.read_text().splitlines() if path.exists() else []:
            try:
                said = json.loads(line)
            except ValueError:  # was being written
                continue
            if said["arguments"] == arguments:
                self.rounds.append(said["seconds"])

    def of(self, digests):
        """Seconds of each, one for each round that had all."""
        complete = [seconds for seconds in self.rounds if set(digests) <= set(seconds)]
        return {one: [seconds[one] for seconds in complete] for one in digests}

    def run_round(self, binaries, times, keep):
        """`binaries` by digest. What they print must be the same, but for `times`."""
        before = os.environ.get("PGO_BENCH_BEFORE", "").split()
        order, printed, seconds = list(binaries), set(), {}
        for one in order[::1 if len(self.rounds) % 2 == 0 else -1]:
            command = [*before, str(binaries[one]), *self.arguments]
            seconds[one], output = timed_rounds.cpu_seconds(command[0], command[1:])
            printed.add(re.sub(times, b"", output))
        if len(printed) > 1:
            raise RuntimeError("builds print different things")
        if keep:
            self.rounds.append(seconds)
            with open(self.path, "a") as out:
                out.write(json.dumps({"arguments": self.arguments, "seconds": seconds}) + "\n")


class Wins:
    """Of the rounds of builds: ratios to the first, and what resampled rounds make of them."""

    def __init__(self, base, seconds):
        self.base = seconds[base]
        self.ratios = {one: [time / to for time, to in zip(own, seconds[base])] for one, own in seconds.items()}
        rounds, chance = len(seconds[base]), random.Random(1)
        samples = [chance.choices(range(rounds), k=rounds) for _ in range(RESAMPLES)]
        self.resampled = {one: [statistics.median(own[at] for at in sample) for sample in samples]
                          for one, own in self.ratios.items()}

    def ratio(self, digests):
        """(median, low, high), the mean of several builds."""
        return (statistics.mean(statistics.median(self.ratios[one]) for one in digests),
                *interval(map(statistics.mean, zip(*(self.resampled[one] for one in digests)))))

    def share(self, digests, of):
        """Of the win of build `of`, likewise; nothing where that is no win."""
        if min(1 - ratio for ratio in self.resampled[of]) <= 0:
            return None
        value = (1 - self.ratio(digests)[0]) / (1 - statistics.median(self.ratios[of]))
        means = map(statistics.mean, zip(*(self.resampled[one] for one in digests)))
        return value, *interval((1 - own) / (1 - other) for own, other in zip(means, self.resampled[of]))


def interval(values):
    """The middle 95 %."""
    ordered = sorted(values)
    return ordered[len(ordered) * 25 // 1000], ordered[len(ordered) * 975 // 1000 - 1]


def measure(program, path, base, rows, options):
    """Wins of what the digests name, or nothing when nothing is to be timed and nothing was."""
    binaries = {digest(binary): binary for binary in [base, *(one for row in rows for one in row.builds)]}
    times = Times(path, program.run)
    known = times.of(binaries)
    done = 0
    while not options.no_times:
        rounds = len(known[digest(base)])
        if rounds >= options.rounds and (not options.full or rounds >= MOST_ROUNDS
                                         or are_close(Wins(digest(base), known), rows)):
            break
        times.run_round(binaries, program.times, keep=done > 0)  # the first of a process warms up
        done += 1
        known = times.of(binaries)
        if sys.stderr.isatty():
            print(f"\r{rounds + 1} rounds", end="\r", file=sys.stderr, flush=True)
    return Wins(digest(base), known) if known[digest(base)] else None


def are_close(wins, rows):
    found = [wins.ratio([digest(one) for one in row.builds]) for row in rows]
    return all(high - low <= 2 * CLOSE for _, low, high in found)


def print_table(title, rows, exact_base, wins):
    """`exact_base` (instructions, taken) of the build without a profile, or nothing: nothing was built."""
    print(f"\n{title}")
    print(f"  {'counts by':15} {'rate':>5} {'overlap':>8} {'cold-miss':>9} {'wrong-way':>9} {'dead-end':>8}" +
          (f" {'instructions':>12} {'taken':>6}" if exact_base else "") +
          (f" {'time':>6} {'95 % interval':>15} {'share of win':>12} {'95 % interval':>15}" if wins else ""))
    for row in rows:
        overlap, cold, wrong, dead_end = means(row.quality)
        line = f"  {row.way:15} {row.rate:>5} {overlap:8.3f} {cold:9.3f} {wrong:9.3f} {dead_end:8.4f}"
        if exact_base:
            instructions, taken = (statistics.mean(count[at] / exact_base[at] for count in row.counts)
                                   for at in (0, 1))
            line += f" {instructions:12.3f} {taken:6.3f}"
        if wins:
            line += figures_of_time(row, rows[0], wins)
        print(line, flush=True)


def means(qualities):
    return [statistics.mean(column) for column in zip(*qualities)]


def quality_of_ours(builds, draws):
    """Means of (overlap, cold-miss, wrong-way, dead-end) by rate."""
    builds.samples()  # alone on the machine

    def quality_of(draw):
        return builds.quality(f"ours_{draw.how()}_{draw.seed}", [builds.estimates(draw)["ours"] / "traces"])[0]

    return {rate: means([quality_of(draw) for draw in of_rate]) for rate, of_rate in draws.items()}


def hardened_lines(plain, hard):
    """A line by rate of what quality_of_ours found of a program's builds."""
    for rate, (overlap, _, wrong, dead_end) in hard.items():
        lost = plain[rate][0] - overlap
        reached = lost <= MOST_OVERLAP_LOST and dead_end <= MOST_DEAD_END
        yield (f"  {rate:>5} {plain[rate][0]:8.3f} {overlap:8.3f} {plain[rate][2]:9.3f} {wrong:9.3f} {dead_end:8.4f}"
               f"  goal {'reached' if reached else 'MISSED'}")


def report_hardened(name, make_builds, options):
    draws = QUALITY if options.full or options.quality else QUICK
    plain, hard = (quality_of_ours(make_builds(change, kind), draws)
                   for change, kind in ((lambda program: program, "plain"), (hardened, "hardened")))
    print(f"\n{name}, plain and hardened; goal: overlap -{MOST_OVERLAP_LOST}, dead-end {MOST_DEAD_END}\n"
          f"  {'rate':>5} {'overlap':>8} {'hardened':>8} {'wrong-way':>9} {'hardened':>9} {'dead-end':>8}")
    for line in hardened_lines(plain, hard):
        print(line, flush=True)


def figures_of_time(row, records, wins):
    digests = [digest(one) for one in row.builds]
    ratio, low, high = wins.ratio(digests)
    text = f" {ratio:6.3f} {f'[{low:.3f}, {high:.3f}]':>15}"
    share = wins.share(digests, digest(records.builds[0])) if row is not records else None
    if not share:
        return text
    text += f" {100 * share[0]:10.0f} % {f'[{100 * share[1]:.0f}, {100 * share[2]:.0f}]':>15}"
    goal = GOALS.get(row.rate) if row.way == "ours" else None
    return text + (f"  goal {100 * goal:.0f} % {'reached' if share[2] >= goal else 'MISSED'}" if goal else "")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pgo", type=os.path.abspath)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--quality", action="store_true", help="only how close counts are")
    parser.add_argument("--hardened", action="store_true", help="only how close counts of hardened builds are")
    parser.add_argument("--no-times", action="store_true", help="only what has no noise, and times there are")
    parser.add_argument("--program", action="append", choices=sorted({*NAMES, *HARDENED}))
    parser.add_argument("--rounds", type=int, default=FEWEST_ROUNDS, help="at least")
    return parser.parse_args()


def report(name, builds, directory, options):
    """Makes what is asked for of one program, and prints its table."""
    draws = QUALITY if options.quality else FULL if options.full else QUICK
    title = f"{name}: {builds.samples()[1]}"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = make_rows(builds, draws, pool)
        if options.quality:
            print_table(title, rows, None, None)
            return
        base = rebuild(builds, rows, pool)
    exact_base = builds.counts(base)
    print(f"{name}: {builds.steps.summary()}", file=sys.stderr)
    wins = measure(builds.program, directory / "times", base, rows, options)
    rounds = f"; base {statistics.median(wins.base):.2f} s, {len(wins.base)} rounds" if wins else ""
    print_table(title + rounds, rows, exact_base, wins)


def main():
    options = parse_arguments()
    directory = options.directory.resolve()
    known = programs(directory)
    plugin = win_table.event_counter(options.pgo)
    def make_builds(name, change=lambda program: program, kind="plain"):
        return PlainBuilds(options.pgo, plugin, change(known[name]), Steps(directory / "built" / f"{name}_{kind}"))

    for name, is_hardened in [(name, is_hardened) for is_hardened, names in ((False, NAMES), (True, HARDENED))
                              for name in names if name in (options.program or names)]:
        try:
            if is_hardened:
                report_hardened(name, functools.partial(make_builds, name), options)
            elif not options.hardened:
                builds = make_builds(name)
                report(name, builds, builds.steps.directory, options)
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            sys.exit(f"{name}: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
