#!/usr/bin/env python3
"""Time and memory of inferring counts from PC samples.

    inference_cost.py PGO DIR [ROUNDS]

Of SQLite: the samples of pc_samples.py. Of a large binary: DIR/many (make_many.sh), ten addresses in each of
20 000 functions. Inference alone is a conversion to traces; with a profile for the compiler, all of it.
Printed are the least time of the rounds and the most memory, and whether goals are reached.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from pprof_bench import run

FUNCTIONS, EACH, MOST = 20_000, 10, 40  # samples of an address: 1 to MOST
SQLITE_SECONDS, MANY_SECONDS, MANY_MB = .5, 20, 1000


def write_samples(binary, path):
    """PC samples (S records) of the first functions by address; the same each time."""
    chance = random.Random(1)
    listed = subprocess.run(["/usr/lib/llvm-22/bin/llvm-nm", "-nS", "--defined-only", binary],
                            capture_output=True, text=True, check=True).stdout.split("\n")
    functions = [(int(words[0], 16), int(words[1], 16)) for words in map(str.split, listed)
                 if len(words) == 4 and words[2] in "Tt" and re.fullmatch(r"_Z\df\d+PKmj", words[3])][:FUNCTIONS]
    if len(functions) != FUNCTIONS:
        raise RuntimeError(f"{binary}: {len(functions)} functions")
    with open(path, "w") as out:
        for begin, size in functions:
            for _ in range(EACH):
                out.write(f"S {begin + chance.randrange(size):x} {chance.randint(1, MOST)}\n")


def measure(command, rounds):
    """(seconds, seconds of processors, MB)"""
    seconds, processors, megabytes = zip(*[run(command, {}) for _ in range(rounds)])
    return min(seconds), min(processors), max(megabytes)


def goal(words, reached):
    return f"goal {words} {'reached' if reached else 'MISSED'}"


def main():
    pgo, directory = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    sqlite = directory / "built" / "sqlite_plain"
    samples = next((path for draw in ("draw_1_0", "draw_again_1") for path in sqlite.glob(f"{draw}/*.pb.gz")), None)
    if not samples:
        sys.exit(f"inference_cost.py: no samples of SQLite in {sqlite}; pc_samples.py makes them")
    binary, many = next(sqlite.glob("profiled_*/program")), directory / "many"
    with tempfile.TemporaryDirectory() as scratch:
        write_samples(many, f"{scratch}/many.preagg")
        cases = [("SQLite", samples, binary, "preagg"), ("SQLite, whole conversion", samples, binary, "llvm"),
                 (f"{FUNCTIONS} functions", f"{scratch}/many.preagg", many, "preagg"),
                 (f"{FUNCTIONS} functions, whole conversion", f"{scratch}/many.preagg", many, "llvm")]
        for name, source, program, output in cases:
            seconds, processors, megabytes = measure([pgo, "convert", source, "--binary", program,
                                                      "-o", f"{output}:{scratch}/out"], rounds)
            goals = {"SQLite": goal(f"{SQLITE_SECONDS} s", seconds <= SQLITE_SECONDS)}
            goals[cases[2][0]] = goals[cases[3][0]] = goal(
                f"{MANY_SECONDS} s and {MANY_MB} MB", seconds <= MANY_SECONDS and megabytes <= MANY_MB)
            print(f"  {name:34} {seconds:7.2f} s  {processors:7.2f} s processor {megabytes:6.0f} MB"
                  f"  {goals.get(name, '')}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
