#!/usr/bin/env python3
"""Builds programs with profiles of different makers and measures what each is worth.

    win_table.py PGO DIR [--rounds N] [--program NAME]... [--only TEXT]... [--bolt]

PGO is the pgo of a build tree, DIR has what bench.sh puts there and keeps what is built (steps.py). The
programs are trained under emulation (exact branch stacks, no special processor) with other inputs than they
are measured with. All builds must print the same, or nothing is measured. Each round runs every build once.
The time is CPU time; the ratio is to the baseline of the same round, its median and a 95 % interval of the
median by bootstrap. Beside it stand figures without noise: instructions and branches taken of a smaller run
under emulation, as ratios to the baseline; `--rounds 0` prints these alone. `gain` is the share of the gain
of instrumented PGO.

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

from programs import HERE, SAMPLES, programs
from steps import OUT, Steps

sys.path.insert(0, str(SAMPLES))
import paired_runs  # noqa: E402  (its place is known only now)

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


PROFILABLE = mllvm("-pick-merged-source-locations", "-trap-unreachable")
PROBES = ["-fpseudo-probe-for-profiling", "-ffunction-sections", *PROFILABLE]
PROFI = mllvm("-sample-profile-use-profi")
DEFAULT = PROFI + mllvm("-icp-lto", "-enable-ext-tsp-block-placement", "-salvage-stale-profile",
                        "-inline-enable-cost-benefit-analysis")
VARIANTS = {
    "instrumented": None,
    "llvm-profgen": Variant([], "llvm-profgen", PROFI),
    # Version 0.19 finds no code in what lld links (and, so far, none in what bfd links).
    "create_llvm_prof": Variant(["-fuse-ld=bfd"], "create_llvm_prof", PROFI),
    "pgo, usual flags": Variant([], "pgo", PROFI),
    "pgo, lines": Variant(PROFILABLE, "pgo", PROFILABLE + DEFAULT),
    "pgo, probes": Variant(PROBES, "pgo", PROBES + DEFAULT),
}
BASELINES = {"profilable by lines": PROFILABLE, "profilable by probes": PROBES}  # what they cost


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
    ]
} | {
    "lines, without profi": Variant(PROFILABLE, "pgo", PROFILABLE + DEFAULT[len(PROFI):]),
    "lines, without pick": Variant([], "pgo", DEFAULT),
    "probes, without pick": Variant(PROBES[:2], "pgo", PROBES[:2] + DEFAULT),
    "lines, built with probes": Variant(PROFILABLE, "pgo", PROBES + DEFAULT),
    "probes, by line": Variant(PROBES, "pgo --by-line", PROBES + DEFAULT),
    "probes, by line, built with lines": Variant(PROBES, "pgo --by-line", PROFILABLE + DEFAULT),
}


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

    def record(self, binary):
        emulator = pathlib.Path(self.pgo).parents[1] / "lib" / "prodpgo"
        return self.run(
            f"{binary.parent.name}.recording",
            [self.pgo, "record", "--engine", "emulate", "--period", "5003", "-o", f"{OUT}/perf.data", "--"],
            binary, self.program.train, [self.pgo, "qemu-x86_64"], emulator.glob("*.so")) / "perf.data"

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
        if variant is None:
            return self.instrumented()
        profile = self.convert(variant.converter, self.profiled(variant.profiled))
        return self.compile(slug(name), [f"-fprofile-sample-use={profile}", *variant.use], profile)

    def bolt(self, binary):
        recording = self.record(binary)
        return self.steps.make(
            f"{binary.parent.name}.bolted",
            [[self.pgo, "bolt", binary, "-o", f"{OUT}/program", "--profile", recording,
              "--on-failure", "error"]],
            [self.pgo, LLVM + "llvm-bolt", LLVM + "perf2bolt"], [binary, recording]) / "program"

    def counts(self, binary):
        """Instructions, and branches taken."""
        step = self.run(
            f"{binary.parent.name}.counts", ["setarch", "-R", "qemu-x86_64", "-plugin", self.plugin], binary,
            self.program.count, ["qemu-x86_64"], [self.plugin])
        found = re.search(rb"instructions (\d+) taken (\d+)", (step / "stderr").read_bytes())
        return int(found[1]), int(found[2])

    def printed(self, binary):
        """What the program prints, but for the times in it."""
        step = self.run(f"{binary.parent.name}.checked", [], binary, self.program.check)
        return re.sub(self.program.times, b"", (step / "stdout").read_bytes())


def slug(words):
    return re.sub(r"[^a-z0-9]+", "_", words)


def files_among(words):
    return [word for word in words if os.path.isfile(word)]


def build_all(builds, wanted, bolt):
    """Paths by name; what could not be built is left out, and said."""
    made = {"base": builds.compile("base", [])} | {
        name: builds.profiled(flags) for name, flags in BASELINES.items()}

    def one(name):
        built = {}
        try:
            built[name] = made.get(name) or builds.variant(name)
            if bolt:
                built[f"{name} + BOLT"] = builds.bolt(built[name])
        except (OSError, RuntimeError) as error:
            print(f"{name}{' + BOLT' if built else ''}: left out: {error}", file=sys.stderr)
        return built

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for built in list(pool.map(one, [*wanted, "base"])):
            made |= built
    return made


def compare_outputs(printed):
    """RuntimeError when a build (name: what it printed) does not print what the first does."""
    first = next(iter(printed))
    others = [name for name in printed if printed[name] != printed[first]]
    if others or not printed[first]:
        raise RuntimeError(f"another output than that of {first}, or none: {', '.join(others) or first}")


def measure(program, builds, rounds):
    """seconds[name], one for each round."""

    def timed(binary, arguments):
        seconds, output = paired_runs.cpu_seconds(binary, arguments)
        return seconds, re.sub(program.times, b"", output)

    [seconds] = paired_runs.measure([str(path) for path in builds.values()], [program.run], rounds, timed)
    return dict(zip(builds, seconds))


def print_table(name, exact, seconds):
    """`seconds` may be empty: nothing was timed."""
    width = max(map(len, exact))
    print(f"\n{name}" + (f": base {statistics.median(seconds['base']):.2f} s, {len(seconds['base'])} rounds"
                         if seconds else ""))
    print(f"  {'':{width}} {'instructions':>13} {'taken':>6}" +
          (f" {'time':>7} {'95 % interval':>16} {'gain':>6}" if seconds else ""))
    ceiling = 1 - paired_runs.Comparison(seconds["instrumented"], seconds["base"]).median if seconds else 0
    for build, (instructions, taken) in exact.items():
        line = f"  {build:{width}} {instructions / exact['base'][0]:13.3f} {taken / exact['base'][1]:6.3f}"
        if seconds:
            to_base = paired_runs.Comparison(seconds[build], seconds["base"])
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
    parser.add_argument("--bolt", action="store_true")
    parser.add_argument("--experiments", action="store_true", help="instead of the table's variants")
    return parser.parse_args()


def main():
    options = parse_arguments()
    directory = options.directory.resolve()
    plugin = Steps(directory / "built").make(
        "counter", [["gcc", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{HERE.parent.parent}",
                     HERE / "branch_counter.c", "-o", f"{OUT}/plugin.so"]],
        ["gcc"], [HERE / "branch_counter.c", HERE.parent.parent / "pgo" / "record" / "plugin"]) / "plugin.so"
    known = programs(directory)
    listed = {"pgo, lines": 0, "pgo, probes": 0} | EXPERIMENTS if options.experiments else VARIANTS
    wanted = ["instrumented"] + [name for name in listed if name != "instrumented" and (
        not options.only or any(text in name for text in options.only))]
    for name in options.program or known:
        steps = Steps(directory / "built" / name)
        builds = Builds(options.pgo, plugin, known[name], steps)
        made = build_all(builds, wanted, options.bolt)
        try:
            compare_outputs({build: builds.printed(binary) for build, binary in made.items()})
            exact = {build: builds.counts(binary) for build, binary in made.items()}
            print(f"{name}: {steps.summary()}", file=sys.stderr)
            print_table(name, exact, measure(known[name], made, options.rounds) if options.rounds else {})
        except RuntimeError as error:
            sys.exit(f"{name}: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
