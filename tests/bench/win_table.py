#!/usr/bin/env python3
"""Builds programs with profiles of different makers and measures what each is worth.

    win_table.py PGO DIR [--rounds N] [--program NAME]... [--only TEXT]... [--bolt]

PGO is the pgo of a build tree, DIR has what bench.sh puts there and keeps everything built. The
programs are trained under emulation (exact branch stacks, no special processor) with other inputs than they
are measured with. Each round runs every build once, in random order with a fixed seed. The time is CPU
time; the ratio is to the baseline of the same round, its median and a 95 % interval of the median by
bootstrap. Beside it stand figures without noise: instructions and branches taken of a smaller run under
emulation, as ratios to the baseline. `gain` is the share of the gain of instrumented PGO.

What is built is one line per variant in VARIANTS: the flags of the build that is profiled, who converts,
and the flags that use the profile.
"""
import argparse
import concurrent.futures
import dataclasses
import glob
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys

LLVM = "/usr/lib/llvm-22/bin/"
HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent.parent / "samples"
LINES = "-gline-tables-only -fdebug-info-for-profiling -funique-internal-linkage-names".split()
LINK = "-fuse-ld=lld -Wl,--emit-relocs -Wl,--build-id".split()


@dataclasses.dataclass
class Program:
    """How to compile it (before flags and -o), and the arguments of three runs."""

    compiler: str
    sources: list
    train: list
    run: list
    count: list


@dataclasses.dataclass
class Variant:
    profiled: list  # extra flags of the build that is profiled
    converter: str  # pgo, with options; llvm-profgen; create_llvm_prof
    use: list  # extra flags of the build that uses the profile


def mllvm(*options):
    return [word for option in options for word in ("-mllvm", option)]


PICK = mllvm("-pick-merged-source-locations")
PROBES = ["-fpseudo-probe-for-profiling", *PICK]
PROFI = mllvm("-sample-profile-use-profi")
DEFAULT = PROFI + mllvm("-icp-lto", "-enable-ext-tsp-block-placement", "-salvage-stale-profile")
VARIANTS = {
    "instrumented": None,
    "llvm-profgen": Variant([], "llvm-profgen", PROFI),
    # Version 0.19 finds no code in what lld links (and, so far, none in what bfd links).
    "create_llvm_prof": Variant(["-fuse-ld=bfd"], "create_llvm_prof", PROFI),
    "pgo, usual flags": Variant([], "pgo", PROFI),
    "pgo, lines": Variant(PICK, "pgo", PICK + DEFAULT),
    "pgo, probes": Variant(PROBES, "pgo", PROBES + DEFAULT),
}
BASELINES = {"profilable by lines": PICK, "profilable by probes": PROBES}  # what they cost


# What was tried on top of "pgo, lines" and "pgo, probes"; run with --experiments.
EXPERIMENTS = {
    f"{mode} {' '.join(options)}": Variant(flags, "pgo", flags + DEFAULT + (
        list(options) if options[0].startswith("-f") else mllvm(*options)))
    for mode, flags in (("lines", PICK), ("probes", PROBES))
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
    ]
} | {
    "lines, without profi": Variant(PICK, "pgo", PICK + mllvm("-icp-lto", "-enable-ext-tsp-block-placement")),
    "lines, without pick": Variant([], "pgo", DEFAULT),
    "probes, without pick": Variant(PROBES[:1], "pgo", PROBES[:1] + DEFAULT),
    "lines, built with probes": Variant(PICK, "pgo", PROBES + DEFAULT),
    "probes, by line": Variant(PROBES, "pgo --by-line", PROBES + DEFAULT),
    "probes, by line, built with lines": Variant(PROBES, "pgo --by-line", PICK + DEFAULT),
}


def leveldb_sources(directory):
    """Those of the library: no tests, no tools, nothing for another system."""
    found = [name for folder in ("db", "table", "util", "helpers/memenv")
             for name in sorted(glob.glob(f"{directory}/{folder}/*.cc"))]
    return [name for name in found
            if not re.search(r"_test|testutil|windows|leveldbutil|dumpfile|histogram|/c\.cc", name)]


def programs(directory):
    sqlite = f"{directory}/sqlite_source"
    lua = f"{directory}/lua_source"
    script = str(HERE / "mixed.lua")
    leveldb = f"{directory}/leveldb_source"
    queryd, reckon = SAMPLES / "queryd", SAMPLES / "reckon"
    return {
        "sqlite": Program(
            "clang-22",
            f"-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I{sqlite} {sqlite}/sqlite3.c "
            f"{sqlite}/test/speedtest1.c -lm".split(),
            "--size 30 :memory:".split(), "--size 20 :memory:".split(), "--size 10 :memory:".split()),
        "lua": Program(
            "clang-22",
            ["-DLUA_USE_POSIX", "-Dluai_makeseed(L)=5489",  # the seed of its hashes, else the time
             *sorted(set(glob.glob(f"{lua}/src/*.c")) - {f"{lua}/src/luac.c"}), "-lm"],
            [script, "8"], [script, "40"], [script, "5"]),
        "queryd": Program(
            "clang++-22",
            ["-std=c++20", f"-I{queryd}", *sorted(glob.glob(f"{queryd}/*/*.cc"))],
            "shop 40000 1".split(), "shop 150000 11".split(), "shop 10000 11".split()),
        "leveldb": Program(
            "clang++-22",
            ["-std=c++17", "-DNDEBUG", "-DLEVELDB_PLATFORM_POSIX=1", f"-I{leveldb}", f"-I{leveldb}/include",
             *leveldb_sources(leveldb), str(HERE / "mixed_leveldb.cc")],
            "60000 1".split(), "25000 11".split(), "15000 11".split()),
        "reckon": Program(
            "clang-22", [f"-I{reckon}/src", *sorted(glob.glob(f"{reckon}/src/*.c"))],
            *[[f"{reckon}/programs/queens.reckon", f"size={size}"] for size in (10, 12, 9)]),
    }


def run(command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n"
                           f"{done.stderr.decode(errors='replace')[-3000:]}")
    return done


class Builds:
    """The builds of one program under DIR/NAME/, each made once."""

    def __init__(self, pgo, program, directory):
        self.pgo, self.program, self.directory = pgo, program, directory
        directory.mkdir(parents=True, exist_ok=True)

    def compile(self, name, flags):
        output = self.directory / name
        if not output.exists():
            run([self.program.compiler, "-O2", "-w", *LINES, *LINK, *flags, *self.program.sources,
                 "-o", f"{output}.new"])
            os.rename(f"{output}.new", output)
        return output

    def record(self, binary):
        recording = pathlib.Path(f"{binary}.perf")
        if not recording.exists():
            run([self.pgo, "record", "--engine", "emulate", "--period", "5003", "-o", f"{recording}.new", "--",
                 binary, *self.program.train])
            os.rename(f"{recording}.new", recording)
        return recording

    def convert(self, converter, binary, recording):
        profile = pathlib.Path(f"{binary}.{converter.replace(' ', '')}.prof")
        if profile.exists():
            return profile
        if converter.startswith("pgo"):
            run([self.pgo, "convert", *converter.split()[1:], recording, "--binary", binary,
                 "-o", f"llvm:{profile}"])
        elif converter == "llvm-profgen":
            run([LLVM + "llvm-profgen", f"--binary={binary}", f"--perfdata={recording}", "--format=extbinary",
                 f"--output={profile}"])
        else:
            run(["create_llvm_prof", f"--binary={binary}", f"--profile={recording}", f"--out={profile}",
                 "--format=binary"])
        if b"Function: " not in run([LLVM + "llvm-profdata", "show", "--sample", profile]).stdout:
            profile.unlink()
            raise RuntimeError(f"{converter} made a profile without any function")
        return profile

    def instrumented(self):
        output = self.directory / "instrumented"
        if not output.exists():
            generating = self.compile("generating", ["-fprofile-generate"])
            # Runs that merge into one raw file lose the targets of indirect calls of those before.
            raw = str(self.directory / "train-%p.profraw")
            run([generating, *self.program.train], env={**os.environ, "LLVM_PROFILE_FILE": raw})
            run([LLVM + "llvm-profdata", "merge", "-o", self.directory / "train.profdata",
                 *self.directory.glob("train-*.profraw")])
            self.compile("instrumented", [f"-fprofile-use={self.directory}/train.profdata"])
        return output

    @staticmethod
    def name_of(profiled):
        return "profiled_" + "_".join(word.strip("-") for word in profiled if word != "-mllvm")

    def variant(self, name):
        variant = (VARIANTS | EXPERIMENTS)[name]
        if variant is None:
            return self.instrumented()
        key = re.sub(r"[^a-z0-9]+", "_", name)
        binary = self.compile(self.name_of(variant.profiled), variant.profiled)
        profile = self.convert(variant.converter, binary, self.record(binary))
        return self.compile(key, [f"-fprofile-sample-use={profile}", *variant.use])

    def bolt(self, binary):
        output = pathlib.Path(f"{binary}.bolt")
        if not output.exists():
            run([self.pgo, "bolt", binary, "-o", output, "--profile", self.record(binary),
                 "--on-failure", "error"])
        return output


def cpu_seconds(command):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{command[0]}: exit status {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def counts(plugin, binary, arguments):
    """Instructions and branches taken; kept beside the binary."""
    kept = pathlib.Path(f"{binary}.counts")
    if kept.exists():
        return tuple(map(int, kept.read_text().split()))
    done = run(["setarch", "-R", "qemu-x86_64", "-plugin", plugin, binary, *arguments])
    found = re.search(rb"instructions (\d+) taken (\d+)", done.stderr)
    kept.write_text(f"{int(found[1])} {int(found[2])}\n")
    return int(found[1]), int(found[2])


def interval_of_median(values):
    generator = random.Random(1)
    medians = sorted(statistics.median(generator.choices(values, k=len(values))) for _ in range(4000))
    return medians[100], medians[3899]


def measure(builds, arguments, rounds):
    """seconds[name], one for each round; a first round warms up."""
    generator = random.Random(1)
    seconds = {name: [] for name in builds}
    for number in range(-1, rounds):
        order = list(builds)
        generator.shuffle(order)
        for name in order:
            time = cpu_seconds([str(builds[name]), *arguments])
            if number >= 0:
                seconds[name].append(time)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {rounds} rounds", end="", file=sys.stderr, flush=True)
    return seconds


def build_all(builds, wanted, bolt):
    made = {"base": builds.compile("base", [])}
    for name, flags in BASELINES.items():
        made[name] = builds.compile(builds.name_of(flags), flags)

    def one(name):
        try:
            binary = builds.variant(name)
            return name, binary, builds.bolt(binary) if bolt else None
        except (OSError, RuntimeError) as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            return name, None, None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, binary, bolted in pool.map(one, wanted):
            if binary:
                made[name] = binary
            if bolted:
                made[f"{name} + BOLT"] = bolted
    if bolt:
        made["base + BOLT"] = builds.bolt(made["base"])
    return made


def print_counts(name, exact):
    print(f"\n{name}: instructions, branches taken")
    for build, (instructions, taken) in exact.items():
        print(f"  {build:60} {instructions / exact['base'][0]:6.3f} {taken / exact['base'][1]:6.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pgo", type=os.path.abspath)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--program", action="append")
    parser.add_argument("--only", action="append", help="variants whose name contains this")
    parser.add_argument("--bolt", action="store_true")
    parser.add_argument("--experiments", action="store_true", help="instead of the table's variants")
    options = parser.parse_args()
    directory = options.directory.resolve()
    plugin = directory / "branch_counter.so"
    run(["gcc", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{HERE.parent.parent}",
         HERE / "branch_counter.c", "-o", plugin])
    known = programs(directory)
    listed = {"pgo, lines": 0, "pgo, probes": 0} | EXPERIMENTS if options.experiments else VARIANTS
    wanted = ["instrumented"] + [name for name in listed if name != "instrumented" and (
        not options.only or any(text in name for text in options.only))]
    for name in options.program or known:
        program = known[name]
        builds = build_all(Builds(options.pgo, program, directory / name), wanted, options.bolt)
        exact = {build: counts(plugin, binary, program.count) for build, binary in builds.items()}
        if options.rounds == 0:
            print_counts(name, exact)
            continue
        seconds = measure(builds, program.run, options.rounds)
        base = statistics.median(seconds["base"])
        ceiling = 1 - statistics.median(
            [a / b for a, b in zip(seconds.get("instrumented", seconds["base"]), seconds["base"])])
        print(f"\n{name}: base {base:.2f} s, {options.rounds} rounds")
        print(f"  {'':28} {'time':>6} {'95 % interval':>16} {'gain':>6} {'instructions':>13} {'taken':>6}")
        for build in builds:
            ratios = [a / b for a, b in zip(seconds[build], seconds["base"])]
            low, high = interval_of_median(ratios)
            median = statistics.median(ratios)
            gain = f"{100 * (1 - median) / ceiling:5.0f}%" if ceiling > 0 else ""
            print(f"  {build:28} {median:6.3f} [{low:6.3f}, {high:6.3f}] {gain:>6} "
                  f"{exact[build][0] / exact['base'][0]:13.3f} {exact[build][1] / exact['base'][1]:6.3f}",
                  flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
