#!/usr/bin/env python3
"""Builds programs with profiles of different makers and measures what each is worth.

    win_table.py PGO DIR [--rounds N] [--program NAME]... [--only TEXT]... [--bolt]
                 [--experiments | --bolt-experiments]

PGO is the pgo of a build tree, DIR has what bench.sh puts there and keeps what is built (steps.py). The
programs are trained under emulation (exact branch stacks, no special processor) with other inputs than they
are measured with. All builds must print the same, or nothing is measured. Each round runs every build once.
The time is CPU time; the ratio is to the baseline of the same round, its median and a 95 % interval of the
median by bootstrap. Beside it stand figures without noise: instructions and branches taken of a smaller run
under emulation, as ratios to the baseline; `--rounds 0` prints these alone. `gain` is the share of the gain
of instrumented PGO. What cannot be built is left out, and then the exit status is not 0; without the baseline
and instrumented PGO nothing is measured.

What is built is one line per variant in VARIANTS: the flags of the build that is profiled, who converts,
and the flags that use the profile.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import statistics
import sys

import timed_rounds
from event_counts import read_counts
from programs import programs
from steps import OUT, Steps

LLVM = "/usr/lib/llvm-22/bin/"
LINES = "-gline-tables-only -fdebug-info-for-profiling -funique-internal-linkage-names".split()
LINK = "-fuse-ld=lld -Wl,--emit-relocs -Wl,--build-id".split()


@dataclasses.dataclass
class Variant:
    profiled: list  # extra flags of the build that is profiled
    converter: str  # pgo, with options; llvm-profgen; create_llvm_prof
    use: list  # extra flags of the build that uses the profile


def mllvm(*options):
    return [word for option in options for word in ("-mllvm", option)]


PICK = mllvm("-pick-merged-source-locations")
TRAP = mllvm("-trap-unreachable")
PROFILABLE = PICK + TRAP
MARKS = ["-fpseudo-probe-for-profiling", "-ffunction-sections"]
PROBES = MARKS + PROFILABLE
PROFI = mllvm("-sample-profile-use-profi")
ICP = mllvm("-icp-lto")
EXT_TSP = mllvm("-enable-ext-tsp-block-placement")
COST_BENEFIT = mllvm("-inline-enable-cost-benefit-analysis")
BUT_PROFI = ICP + EXT_TSP + COST_BENEFIT + mllvm("-salvage-stale-profile")
DEFAULT = PROFI + BUT_PROFI
VARIANTS = {
    "llvm-profgen": Variant([], "llvm-profgen", PROFI),
    "create_llvm_prof": Variant(["-fuse-ld=bfd"], "create_llvm_prof", PROFI),
    "pgo, usual flags": Variant([], "pgo", PROFI),
    "pgo, lines": Variant(PROFILABLE, "pgo", PROFILABLE + DEFAULT),
    "pgo, probes": Variant(PROBES, "pgo", PROBES + DEFAULT),
}
BASELINES = {"profilable by lines": PROFILABLE, "profilable by probes": PROBES}  # what they cost
# Version 0.19 finds no code in what lld links (and, so far, none in what bfd links).
KNOWN_TO_FAIL = {"create_llvm_prof"}


# What was tried on top of "pgo, lines" and "pgo, probes"; run with --experiments.
EXPERIMENTS = {
    f"{mode} {' '.join(options)}": Variant(flags, "pgo", flags + DEFAULT + (
        list(options) if options[0].startswith("-f") else mllvm(*options)))
    for mode, flags in (("lines", PROFILABLE), ("probes", PROBES))
    for options in [
        ["-sample-profile-remove-probe"],
        ["-enable-ext-tsp-block-placement=false"],
        ["-profile-summary-cutoff-hot=999000"],
        ["-fprofile-sample-accurate"],
        ["-sample-profile-prioritized-inline"],
        ["-hot-callsite-threshold=6000"],
        ["-hot-callsite-threshold=9000"],
        ["-icp-max-prom=6", "-sample-profile-icp-max-prom=6"],
        ["-sample-profile-use-preinliner"],
        ["-sample-profile-recursive-inline"],
        ["-sample-profile-merge-inlinee=false"],
        ["-salvage-stale-profile=false"],
        ["-inline-enable-cost-benefit-analysis=false"],
        ["-inline-savings-profitable-multiplier=2"],
        ["-inline-savings-profitable-multiplier=8"],
        ["-inline-savings-multiplier=16"],
        ["-inline-size-allowance=200"],
        ["-inline-threshold=325"],
        ["-disable-sample-loader-inlining"],
        ["-sample-profile-hot-inline-threshold=500"],
        ["-sample-profile-cold-inline-threshold=225"],
        ["-sample-profile-inline-size"],
        ["-sample-profile-even-flow-distribution=false"],
        ["-profile-sample-block-accurate"],
        ["-overwrite-existing-weights"],
    ]
} | {
    f"lines, recorded with{'' if recorded else 'out'} pick, {name}": Variant(
        recorded + TRAP, "pgo", recorded + TRAP + PROFI + flags)
    for recorded in ([], PICK)
    for name, flags in [
        ("profi", []),
        ("profi icp-lto", ICP),
        ("profi ext-tsp", EXT_TSP),
        ("profi icp-lto ext-tsp", ICP + EXT_TSP),
        ("profi icp-lto ext-tsp cost-benefit", ICP + EXT_TSP + COST_BENEFIT),
    ]
} | {
    "lines, without profi": Variant(PROFILABLE, "pgo", PROFILABLE + BUT_PROFI),
    "lines, without pick": Variant(TRAP, "pgo", TRAP + DEFAULT),
    "probes, without pick": Variant(MARKS + TRAP, "pgo", MARKS + TRAP + DEFAULT),
    "lines, built with probes": Variant(PROFILABLE, "pgo", PROBES + DEFAULT),
    "probes, by line": Variant(PROBES, "pgo --by-line", PROBES + DEFAULT),
    "probes, by line, built with lines": Variant(PROBES, "pgo --by-line", PROFILABLE + DEFAULT),
}

# Options of llvm-bolt, on top of what pgo bolt chooses for "pgo, probes"; run with --bolt-experiments.
BOLT_EXPERIMENTS = [
    ["-frame-opt=hot"],
    ["-tail-duplication=cache"],
    ["-frame-opt=hot", "-tail-duplication=cache"],
    ["-split-strategy=cdsplit"],
    ["-reg-reassign"],
    ["-indirect-call-promotion=calls"],
    ["-indirect-call-promotion=all"],
    ["-indirect-call-promotion=jump-tables"],
    ["-frame-opt=all", "-frame-opt-rm-stores"],
    ["-inline-small-functions"],
    ["-peepholes=all"],
    ["-simplify-rodata-loads"],
    ["-jump-tables=aggressive"],
    ["-icf=all"],
]


class Builds:
    """The builds of one program, each a step."""

    def __init__(self, pgo, plugin, program, steps):
        self.pgo, self.plugin, self.program, self.steps = pgo, plugin, program, steps

    def compile(self, name, flags, profile=None):
        """With `profile`, flags have its path."""
        program = self.program
        return self.steps.make(
            name, [[program.compiler, "-O2", "-w", *LINES, *LINK, *flags, *program.sources,
                    "-o", f"{OUT}/program"]],
            [program.compiler, LLVM + "ld.lld", "ld"],
            [program.tree, *files_among(program.sources), *([profile] if profile else [])]) / "program"

    def run(self, name, before, binary, arguments, tools=(), files=()):
        """A step that is a run of `binary`, by the command that is `before` it."""
        return self.steps.make(name, [[*before, binary, *arguments]], tools,
                               [binary, *files_among(arguments), *files])

    def record(self, binary, arguments=None, period=5003, name="recording"):
        """`arguments` other than those of training, `period` in branches."""
        plugin = plugins_of(self.pgo) / "prodpgo_branch_recorder.so"
        return self.run(
            f"{binary.parent.name}.{name}",
            [self.pgo, "record", "--engine", "emulate", "--period", period, "-o", f"{OUT}/perf.data", "--"],
            binary, arguments or self.program.train, [self.pgo, "qemu-x86_64"], [plugin]) / "perf.data"

    def convert(self, converter, binary):
        recording = self.record(binary)
        tool, *options = converter.split()
        tool, command = {
            "pgo": (self.pgo, ["convert", *options, recording, "--binary", binary,
                               "-o", f"llvm:{OUT}/profile"]),
            "llvm-profgen": (LLVM + tool, [f"--binary={binary}", f"--perfdata={recording}",
                                           "--format=extbinary", f"--output={OUT}/profile"]),
            "create_llvm_prof": (tool, [f"--binary={binary}", f"--profile={recording}", "--format=binary",
                                        f"--out={OUT}/profile"]),
        }[tool]
        show = LLVM + "llvm-profdata"
        step = self.steps.make(f"{binary.parent.name}.by_{slug(converter)}",
                               [[tool, *command], [show, "show", "--sample", f"{OUT}/profile"]],
                               [tool, show], [binary, recording])
        if b"Function: " not in (step / "stdout").read_bytes():
            raise RuntimeError(f"{converter} made a profile without any function")
        return step / "profile"

    def instrumented(self):
        generating = self.compile("generating", ["-fprofile-generate"])
        merge = LLVM + "llvm-profdata"
        trained = self.steps.make(
            "trained", [["env", f"LLVM_PROFILE_FILE={OUT}/raw/%p", generating, *self.program.train],
                        [merge, "merge", "-o", f"{OUT}/profile", f"{OUT}/raw"]],
            [merge], [generating, *files_among(self.program.train)]) / "profile"
        return self.compile("instrumented", [f"-fprofile-use={trained}"], trained)

    def profiled(self, flags):
        return self.compile(slug(" ".join(["profiled", *flags])), flags)

    def variant(self, name):
        variant = (VARIANTS | EXPERIMENTS)[name]
        profile = self.convert(variant.converter, self.profiled(variant.profiled))
        return self.compile(slug(name), [f"-fprofile-sample-use={profile}", *variant.use], profile)

    def bolt(self, binary, options):
        """`options` of llvm-bolt, on top of those that pgo bolt chooses."""
        recording = self.record(binary)
        return self.steps.make(
            bolt_step(binary.parent.name, options),
            [[self.pgo, "bolt", binary, "-o", f"{OUT}/program", "--profile", recording,
              "--on-failure", "error", *(["--", *options] if options else [])]],
            [self.pgo, LLVM + "llvm-bolt", LLVM + "perf2bolt"], [binary, recording]) / "program"

    def counts(self, binary):
        """Instructions, and branches taken."""
        step = self.run(
            f"{binary.parent.name}.counts",
            ["setarch", "-R", "qemu-x86_64", "-plugin", f"{self.plugin},out={OUT}/counts"], binary,
            self.program.count, ["qemu-x86_64"], [self.plugin])
        return read_counts(step / "counts")

    def printed(self, binary):
        """What the program prints, but for the times in it."""
        step = self.run(f"{binary.parent.name}.checked", [], binary, self.program.check)
        return re.sub(self.program.times, b"", (step / "stdout").read_bytes())


def slug(words):
    return re.sub(r"[^a-z0-9]+", "_", words)


def files_among(words):
    return [word for word in words if os.path.isfile(word)]


def bolt_step(name, options):
    return f"{name}.bolted{slug(' '.join(options))}"


def build_all(builds, wanted, bolts):
    """Paths by name, and the names of what could not be built, which is said.

    `bolts` has for names, what options to give llvm-bolt, a list for each build. RuntimeError when there is
    nothing to compare with.
    """
    made = {"base": builds.compile("base", []), "instrumented": builds.instrumented()} | {
        name: builds.profiled(flags) for name, flags in BASELINES.items()}

    def attempt(name, build):
        try:
            return {name: build()}
        except (OSError, RuntimeError) as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            return {name: None}

    def one(name):
        built = {name: made[name]} if name in made else attempt(name, lambda: builds.variant(name))
        for options in bolts.get(name, []) if built[name] else []:
            built |= attempt(" ".join([name, "+ BOLT", *options]), lambda: builds.bolt(built[name], options))
        return built

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for built in pool.map(one, dict.fromkeys([*wanted, *bolts])):
            made |= built
    return ({name: path for name, path in made.items() if path},
            [name for name, path in made.items() if not path and name not in KNOWN_TO_FAIL])


def compare_outputs(printed):
    """RuntimeError when a build (name: what it printed) does not print what the first does."""
    first = next(iter(printed))
    others = [name for name in printed if printed[name] != printed[first]]
    if others or not printed[first]:
        raise RuntimeError(f"another output than that of {first}, or none: {', '.join(others) or first}")


def measure(program, builds, rounds):
    """seconds[name], one for each round."""

    def timed(binary, arguments):
        seconds, output = timed_rounds.cpu_seconds(binary, arguments)
        return seconds, re.sub(program.times, b"", output)

    seconds = timed_rounds.measure([str(path) for path in builds.values()], program.run, rounds, timed)
    return dict(zip(builds, seconds))


def print_table(name, exact, seconds):
    """`seconds` may be empty: nothing was timed."""
    width = max(map(len, exact))
    print(f"\n{name}" + (f": base {statistics.median(seconds['base']):.2f} s, {len(seconds['base'])} rounds"
                         if seconds else ""))
    print(f"  {'':{width}} {'instructions':>13} {'taken':>6}" +
          (f" {'time':>7} {'95 % interval':>16} {'gain':>6}" if seconds else ""))
    ceiling = 1 - timed_rounds.Comparison(seconds["instrumented"], seconds["base"]).median if seconds else 0
    for build, (instructions, taken) in exact.items():
        line = f"  {build:{width}} {instructions / exact['base'][0]:13.3f} {taken / exact['base'][1]:6.3f}"
        if seconds:
            to_base = timed_rounds.Comparison(seconds[build], seconds["base"])
            gain = f"{100 * (1 - to_base.median) / ceiling:5.0f}%" if ceiling > 0 else ""
            line += f" {to_base.median:7.3f} [{to_base.low:6.3f}, {to_base.high:6.3f}] {gain:>6}"
        print(line, flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pgo", type=os.path.abspath)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--program", action="append")
    parser.add_argument("--only", action="append", help="variants whose name contains this")
    parser.add_argument("--bolt", action="store_true", help="each build with BOLT, too")
    parser.add_argument("--experiments", action="store_true", help="instead of the table's variants")
    parser.add_argument("--bolt-experiments", action="store_true", help="likewise, options of llvm-bolt")
    return parser.parse_args()


def chosen(options):
    """The names of what to build, and which of that to give to llvm-bolt, with which options."""
    if options.bolt_experiments:
        return [], {"pgo, probes": [[], *BOLT_EXPERIMENTS]}
    names = ["pgo, lines", "pgo, probes", *EXPERIMENTS] if options.experiments else VARIANTS
    wanted = [name for name in names if not options.only or any(text in name for text in options.only)]
    return wanted, {name: [[]] for name in ["base", "instrumented", *wanted]} if options.bolt else {}


def plugins_of(pgo):
    """The plugins for QEMU that come with a pgo."""
    return pathlib.Path(pgo).parents[1] / "lib" / "prodpgo"


def event_counter(pgo):
    return plugins_of(pgo) / "prodpgo_event_counter.so"


def main():
    options = parse_arguments()
    directory = options.directory.resolve()
    plugin = event_counter(options.pgo)
    known = programs(directory)
    missing = []
    for name in options.program or known:
        steps = Steps(directory / "built" / name)
        builds = Builds(options.pgo, plugin, known[name], steps)
        try:
            made, left_out = build_all(builds, *chosen(options))
            missing += [f"{name}, {build}" for build in left_out]
            compare_outputs({build: builds.printed(binary) for build, binary in made.items()})
            exact = {build: builds.counts(binary) for build, binary in made.items()}
            print(f"{name}: {steps.summary()}", file=sys.stderr)
            print_table(name, exact, measure(known[name], made, options.rounds) if options.rounds else {})
        except RuntimeError as error:
            sys.exit(f"{name}: {error}")
    return f"left out: {'; '.join(missing)}" if missing else 0


if __name__ == "__main__":
    sys.exit(main())
