#!/usr/bin/env python3
"""Merging and comparing pprof profiles: pgo beside go tool pprof, in turn, on the same files.

Usage: pprof_bench.py PGO DIRECTORY [ROUNDS]

Makes the profiles in DIRECTORY (make_pprofs.py) when they are not there: 1 000 small ones to merge, and two of a
million samples each to compare. Prints the best wall time, the best processor time and the most memory of each, on
all cores and on one.
"""

import glob
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
def run(command, environment):
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, **environment})
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed")
    return time.monotonic() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def race(contenders, goals, rounds):
    """Runs each (command, environment) of `contenders` in turn; a goal is a ratio of two of them."""
    results = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (command, environment) in contenders.items():
            results[name].append(run(command, environment))
    least = {name: min(time[0] for time in times) for name, times in results.items()}
    for name, times in results.items():
        wall, processor = (min(column) for column in list(zip(*times))[:2])
        memory = max(one[2] for one in times)
        print(f"{name:34} {wall:6.3f} s  {processor:6.3f} s processor  {memory:5.0f} MB")
    for (other, ours), goal in goals.items():
        ratio = least[other] / least[ours]
        print(f"{ours} is {ratio:.1f}x as fast as {other}; goal {goal}x {'reached' if ratio >= goal else 'MISSED'}")


def made(directory, *arguments):
    if not directory.is_dir():
        subprocess.run([sys.executable, HERE / "make_pprofs.py", directory, *arguments], check=True)
    return sorted(glob.glob(f"{directory}/*.pb.gz"))


def main():
    pgo, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    tool = subprocess.run(["go", "tool", "-n", "pprof"], capture_output=True, text=True, check=True).stdout.strip()

    files = made(directory / "fleet", "1000")
    ours = [pgo, "merge", directory / "fleet", "-o", "pprof:/dev/null"]
    theirs = [tool, "-proto", "-symbolize=none", "-output", "/dev/null", *files]
    race({"pgo merge": (ours, {}), "go tool pprof": (theirs, {}), "pgo merge -j 1": (ours + ["-j", "1"], {}),
          "go tool pprof, GOMAXPROCS=1": (theirs, {"GOMAXPROCS": "1"})},
         {("go tool pprof", "pgo merge"): 8, ("go tool pprof, GOMAXPROCS=1", "pgo merge"): 5}, rounds)

    before, after = made(directory / "large", "2", "1000000", "--many-stacks")
    race({"pgo diff": ([pgo, "diff", before, after], {}),
          "go tool pprof -top -diff_base": ([tool, "-top", "-symbolize=none", f"-diff_base={before}", after], {})},
         {("go tool pprof -top -diff_base", "pgo diff"): 5}, rounds)


if __name__ == "__main__":
    main()
