#!/usr/bin/env python3
"""Runs the end-to-end tests in rounds, each under other circumstances, so that a test which passes by chance fails here
and not on somebody's machine. `make test-shaken` calls it.

    shaken.py BUILD_DIR [--rounds N] [--seed SEED] [--tests REGEX]

What differs from round to round: the lengths of directories, of the environment and of PATH, the sampling periods and the
seeds of made-up input (prelude.sh), the hash seed of Python, the cores that a test may use (pgo has a thread for each), how
many tests run side by side and in which order, and how many loops keep the machine busy, in bursts. Each round has a build
tree of its own, with a copy of the program and its plugin, so recordings are made again.

A round follows from its seed, but for the order in which the machine runs things: `--seed S --rounds 1` repeats the round
that has seed S in the table. Without --seed the clock chooses. The directory of a round that failed is kept; it is below
BUILD_DIR/shaken, and BUILD_DIR/shaken/SEED.log has what its failures said.

By default the tests labelled e2e run, except those labelled long. Of the tests of bazel, cmake, package and samples, which
compile projects for minutes, only those run that record a program of CMake's; what the others expect does not depend on
counts, except for bazel's bolt, libraries and lock_file: --tests e2e_bazel_ runs these.

Exit code: 1 when a test failed, 2 when no test could be found.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

RECORDINGS = r"cmake_(bolt|gcc_whole_job|note|steps_from_other_directories|subprojects|two_directories)|samples_reckon"
LEFT_OUT = re.compile(rf"e2e_(?!({RECORDINGS})$)(bazel|cmake|samples|package)_")
TIMEOUT = 1800  # seconds; alone a test takes less than 60
# Bursts and pauses of up to 0.4 s: more disturbing than a steady load, to which times adapt.
BUSY = """
import os, random, sys, time
draw, parent = random.Random(int(sys.argv[1])), os.getppid()
while os.getppid() == parent:
    end = time.monotonic() + draw.uniform(0, .4)
    while time.monotonic() < end: pass
    time.sleep(draw.uniform(0, .4))
"""


@dataclasses.dataclass
class Test:
    name: str
    command: list
    skip_code: int


@dataclasses.dataclass
class Settings:
    """What a round changes; all of it follows from the seed."""
    seed: int
    directory: int  # characters that its directory adds
    environment: int  # characters of one more variable
    path: int  # directories more in PATH, which are not there
    period: int  # per cent of the sampling periods
    cores: int
    parallel: int  # tests side by side
    load: int  # busy loops

    @staticmethod
    def of(seed, cores):
        draw = random.Random(seed)
        return Settings(seed, directory=draw.randint(1, 100), environment=draw.randint(0, 4000),
                        path=draw.randint(0, 40), period=draw.randint(75, 125), cores=draw.randint(1, cores),
                        parallel=draw.randint(1, 2 * cores), load=draw.randint(0, 2 * cores))


def tests_of(build, wanted):
    listed = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", "^e2e$", "-LE", "^long$"],
                                       check=True, capture_output=True, text=True).stdout)
    found = []
    for test in listed["tests"]:
        properties = {one["name"]: one["value"] for one in test.get("properties", [])}
        if wanted.search(test["name"]) if wanted else not LEFT_OUT.match(test["name"]):
            found.append(Test(test["name"], test["command"], properties.get("SKIP_RETURN_CODE", 77)))
    return found


def make_tree(build, settings):
    """A build tree in a directory of the given length: the program and what it finds beside itself are copies, since
    they go by their own paths; all else is linked. The tests work in it."""
    tree = build / "shaken" / f"{settings.seed}{'-' * settings.directory}"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for entry in build.iterdir():
        if entry.name not in ("bin", "lib", "tests", "shaken"):
            (tree / entry.name).symlink_to(entry)
    (tree / "tests/e2e").mkdir(parents=True)
    (tree / "tests/data").symlink_to(build / "tests/data")
    (build / "tests/e2e/go-cache").mkdir(exist_ok=True)  # Go's own library, which takes minutes to compile
    (tree / "tests/e2e/go-cache").symlink_to(build / "tests/e2e/go-cache")
    for name in "bin", "lib":
        shutil.copytree(build / name, tree / name)
    return tree


def environment_of(settings, tree):
    missing = "".join(f":/nonexistent/{number}/bin" for number in range(settings.path))
    return os.environ | {
        "BUILD_DIR": str(tree),
        "PGO": str(tree / "bin/pgo"),
        "PATH": os.environ["PATH"] + missing,
        "PYTHONHASHSEED": str(settings.seed % 2**32),
        "SHAKEN_LENGTH": "x" * settings.environment,
        "SHAKEN_PERIOD_PERCENT": str(settings.period),
        "SHAKEN_SEED": str(settings.seed % 1_000_000),
    }


class Round:
    def __init__(self, tests, build, settings):
        self.settings = settings
        self.tests = sorted(tests, key=lambda test: test.name)
        random.Random(settings.seed).shuffle(self.tests)
        self.log = build / "shaken" / f"{settings.seed}.log"
        self.tree = make_tree(build, settings)
        self.environment = environment_of(settings, self.tree)
        self.cores = set(sorted(os.sched_getaffinity(0))[:settings.cores])
        self.running = set()
        self.outcomes = {"passed": [], "failed": [], "skipped": []}  # names of tests

    def run_test(self, test):
        process = subprocess.Popen(test.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                                   preexec_fn=lambda: os.sched_setaffinity(0, self.cores))
        self.running.add(process)
        try:
            said = process.communicate(timeout=TIMEOUT)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said = process.communicate()[0] + f"\ndid not end within {TIMEOUT} s\n"
        self.running.remove(process)
        if process.returncode == 0:
            self.outcomes["passed"].append(test.name)
        elif process.returncode == test.skip_code:
            self.outcomes["skipped"].append(test.name)
        else:
            self.outcomes["failed"].append(test.name)
            with self.log.open("a") as log:
                log.write(f"=== {test.name}\n{said}\n")

    def run(self):
        self.log.unlink(missing_ok=True)
        busy = [subprocess.Popen([sys.executable, "-c", BUSY, str(self.settings.seed + loop)])
                for loop in range(self.settings.load)]
        pool = concurrent.futures.ThreadPoolExecutor(self.settings.parallel)
        try:
            for ended in [pool.submit(self.run_test, test) for test in self.tests]:
                ended.result()
        finally:  # also after an interrupt: the tests have sessions of their own, which it does not reach
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(self.running):
                os.killpg(process.pid, signal.SIGKILL)
            for loop in busy:
                loop.kill()
                loop.wait()
        if not self.outcomes["failed"]:
            shutil.rmtree(self.tree)


HEADER = "ROUND        SEED  DIRECTORY  ENVIRONMENT  PATH  PERIOD  CORES  PARALLEL  LOAD  PASSED  FAILED  SKIPPED  MINUTES"


def row(number, settings, outcomes, minutes):
    passed, failed, skipped = (len(outcomes[outcome]) for outcome in ("passed", "failed", "skipped"))
    return (f"{number:5}  {settings.seed:10}  {settings.directory:9}  {settings.environment:11}  {settings.path:4}"
            f"  {settings.period:4} %  {settings.cores:5}  {settings.parallel:8}  {settings.load:4}  {passed:6}"
            f"  {failed:6}  {skipped:7}  {minutes:7.1f}")


def main():
    parser = argparse.ArgumentParser(usage="shaken.py BUILD_DIR [--rounds N] [--seed SEED] [--tests REGEX]")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--tests", type=re.compile)
    options = parser.parse_args()
    build = options.build.resolve()
    tests = tests_of(build, options.tests)
    if not tests:
        print("no such test", file=sys.stderr)
        return 2
    print(f"tests: {len(tests)}, rounds: {options.rounds}\n\n{HEADER}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    any_failed = False
    for number in range(options.rounds):
        settings = Settings.of(options.seed + number, len(os.sched_getaffinity(0)))
        begin = time.monotonic()
        one = Round(tests, build, settings)
        one.run()
        print(row(number + 1, settings, one.outcomes, (time.monotonic() - begin) / 60), flush=True)
        for name in sorted(one.outcomes["failed"]):
            any_failed = True
            print(f"       failed: {name}", flush=True)
        if one.outcomes["failed"]:
            print(f"       what they said: {one.log}\n"
                  f"       again: make test-shaken ROUNDS=1 SEED={settings.seed}", flush=True)
    return 1 if any_failed else 0


if __name__ == "__main__":
    sys.exit(main())
