#!/usr/bin/env python3
"""Times `pgo convert` and the tools it stands in for, on the same inputs in one run.

    compare_with_reference_tools.py PGO DIR [--rounds N] [--only TEXT]

Each round runs every tool once, so that a slow minute of the machine hits all of them; the first round
warms the page cache and is not counted. Printed are medians. Time is from start to end; the processor's is
that of all threads and children, and tells how far to trust the time on a busy machine. Peak is the largest resident set of one
process of the command; anonymous is what the whole command held at once beside mapped files, sampled every
10 ms. Where both write the same format, the outputs must be the same bytes, or the run fails.
"""
import argparse
import dataclasses
import filecmp
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

LLVM = "/usr/lib/llvm-22/bin/"


@dataclasses.dataclass
class Case:
    """One conversion: what our command and the reference tool's are given, and the ratio of times aimed at."""

    name: str
    recording: str
    binary: str
    output: str  # format of our output
    tool: str
    goal: float
    anonymous_goal: float = 0  # MB, ours; 0: none
    peak_goal: float = 0  # ours as a share of the reference tool's; 0: none


CASES = [
    Case("0.9 GB", "sqlite_big.perf", "sqlite", "llvm", "llvm-profgen", 25, anonymous_goal=200),
    Case("0.9 GB", "sqlite_big.perf", "sqlite", "preagg", "perf2bolt", 25),
    Case("0.9 GB", "sqlite_big.perf", "sqlite", "fdata", "perf2bolt", 15),
    Case("87 MB", "sqlite_small.perf", "sqlite", "llvm", "llvm-profgen", 12),
    Case("87 MB", "sqlite_small.perf", "sqlite", "fdata", "perf2bolt", 4),
    # Stacks with names: at least as quick as two thirds of counts by address, whose reading they share.
    Case("0.9 GB", "sqlite_big.perf", "sqlite", "pprof", "perf script", 20),
    Case("0.9 GB", "sqlite_big.perf", "sqlite", "pprof", "convert to addr", 1 / 1.5),
    Case("60 000 functions", "many.perf", "many", "llvm", "llvm-profgen", 15, peak_goal=0.5),
]


@dataclasses.dataclass
class Cost:
    seconds: float
    processor: float  # seconds
    peak: int  # bytes
    anonymous: int  # bytes


def our_command(pgo, case, out):
    compat = ["--compat=llvm-profgen"] if case.output == "llvm" else []
    return [pgo, "convert", case.recording, "--binary", case.binary, *compat, "-o", f"{case.output}:{out}"]


def tool_command(pgo, case, out):
    if case.tool == "perf2bolt":
        return [LLVM + "perf2bolt", "-p", case.recording, "-o", out, case.binary]
    if case.tool == "perf script":
        return ["perf", "script", "-F", "comm,pid,tid,time,event,ip,sym,dso", "-i", case.recording]
    if case.tool == "convert to addr":
        return [pgo, "convert", case.recording, "--binary", case.binary, "-o", f"addr:{out}"]
    return [LLVM + "llvm-profgen", f"--binary={case.binary}", f"--perfdata={case.recording}",
            "--format=extbinary", f"--output={out}"]


def anonymous_of_tree(pid):
    """Bytes of anonymous memory of a process and all that it started."""
    total = 0
    try:
        with open(f"/proc/{pid}/status") as status:
            total += sum(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon"))
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            total += sum(anonymous_of_tree(int(child)) for child in children.read().split())
    except OSError:  # gone meanwhile
        pass
    return total


def run(command, log):
    """The Cost of running `command` once."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=log, stderr=log)
    peak_anonymous = 0
    done = threading.Event()

    def watch():
        nonlocal peak_anonymous
        while not done.wait(0.01):
            peak_anonymous = max(peak_anonymous, anonymous_of_tree(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    done.set()
    watcher.join()
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}: see {log.name}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, peak_anonymous)


def median(costs):
    return Cost(*(statistics.median(getattr(cost, field.name) for cost in costs)
                  for field in dataclasses.fields(Cost)))


def measure(pgo, case, rounds, scratch):
    """(our median Cost, the reference tool's), after checking that the outputs agree."""
    ours, theirs = os.path.join(scratch, "ours"), os.path.join(scratch, "theirs")
    our_costs, tool_costs = [], []
    # The text of perf script is thrown away.
    with open("compare.log", "w") as log, open(os.devnull, "w") as nowhere:
        for _ in range(rounds + 1):
            our_costs.append(run(our_command(pgo, case, ours), log))
            tool_costs.append(run(tool_command(pgo, case, theirs), nowhere if case.tool == "perf script" else log))
    if case.output not in ("preagg", "pprof") and not filecmp.cmp(ours, theirs, shallow=False):
        sys.exit(f"{case.recording} to {case.output}: the output is not that of {case.tool}")
    return median(our_costs[1:]), median(tool_costs[1:])


def print_pair(case, ours, tool):
    def line(first, second, tool, cost, rest):
        print(f"{first:18}{second:8}{tool:16}{cost.seconds:8.3f} s{cost.processor:9.3f} s{cost.peak / 1e6:8.0f} MB"
              f"{cost.anonymous / 1e6:8.0f} MB{rest}", flush=True)

    ratio = tool.seconds / ours.seconds
    goals = [goal_text(f"{case.goal:g}x", ratio >= case.goal)]
    if case.anonymous_goal:
        goals.append(goal_text(f"{case.anonymous_goal:g} MB anonymous", ours.anonymous <= case.anonymous_goal * 1e6))
    if case.peak_goal:
        goals.append(goal_text(f"{case.peak_goal:g} of the reference tool's peak", ours.peak <= case.peak_goal * tool.peak))
    line(case.name, case.output, case.tool, tool, "")
    line("", "", "pgo", ours, f"{ratio:8.1f}x  {'; '.join(goals)}")


def goal_text(goal, reached):
    return f"goal {goal} {'reached' if reached else 'MISSED'}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pgo", type=pathlib.Path)
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="cases whose name or format contains this")
    options = parser.parse_args()
    pgo = str(options.pgo.resolve())
    os.chdir(options.dir)
    print(f"{os.cpu_count()} processors, {options.rounds} rounds, medians")
    print(f"{'input':18}{'output':8}{'tool':14}{'time':>10}{'processor':>11}{'peak':>11}{'anonymous':>11}{'ratio':>9}")
    with tempfile.TemporaryDirectory(dir=".") as scratch:
        for case in CASES:
            if options.only in f"{case.name} {case.output}":
                print_pair(case, *measure(pgo, case, options.rounds, scratch))


if __name__ == "__main__":
    main()
