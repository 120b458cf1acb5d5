#!/usr/bin/env python3
"""Merging many pprof profiles: pgo merge beside `go tool pprof -proto`, in turn, on the same files.

Usage: merge_bench.py PGO DIRECTORY [ROUNDS]

Makes 1 000 profiles in DIRECTORY (make_pprofs.py) when it is not there. Prints the best wall time, the
best processor time and the most memory of each, on all cores and on one.
"""

import glob
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
# How much faster ours is to be.
GOALS = {("go tool pprof", "pgo merge"): 8, ("go tool pprof, GOMAXPROCS=1", "pgo merge"): 5}


def run(command, environment):
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, **environment})
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed")
    return time.monotonic() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    pgo, directory = sys.argv[1], sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    if not os.path.isdir(directory):
        subprocess.run([sys.executable, HERE / "make_pprofs.py", directory, "1000"], check=True)
    files = sorted(glob.glob(directory + "/*.pb.gz"))
    ours = [pgo, "merge", directory, "-o", "pprof:/dev/null"]
    tool = subprocess.run(["go", "tool", "-n", "pprof"], capture_output=True, text=True, check=True).stdout
    theirs = [tool.strip(), "-proto", "-symbolize=none", "-output", "/dev/null"] + files
    contenders = {"pgo merge": (ours, {}), "go tool pprof": (theirs, {}),
                  "pgo merge -j 1": (ours + ["-j", "1"], {}),
                  "go tool pprof, GOMAXPROCS=1": (theirs, {"GOMAXPROCS": "1"})}
    results = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (command, environment) in contenders.items():
            results[name].append(run(command, environment))
    least = {name: min(time[0] for time in times) for name, times in results.items()}
    for name, times in results.items():
        wall, processor = (min(column) for column in list(zip(*times))[:2])
        memory = max(one[2] for one in times)
        print(f"{name:28} {wall:6.3f} s  {processor:6.3f} s processor  {memory:5.0f} MB")
    for (other, ours), goal in GOALS.items():
        ratio = least[other] / least[ours]
        print(f"{ours} is {ratio:.1f}x as fast as {other}; goal {goal}x {'reached' if ratio >= goal else 'MISSED'}")


if __name__ == "__main__":
    main()
