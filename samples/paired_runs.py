#!/usr/bin/env python3
"""Runs two builds of a program in interleaved pairs and says whether the second needs less CPU time.

    paired_runs.py [--pairs N] BASELINE OPTIMISED -- ARGUMENTS... [-- ARGUMENTS...]...

A program without a slash is looked for in the current directory, then in PATH. Each pair runs both
with each list of arguments, in an order that changes from pair to pair, so that what drifts on the
machine meets both. Give each list enough to do for 50 ms or more. The figure is the ratio of their CPU times (user and
system; without the children's), one per pair: its median, and a 95 % interval of the median by
bootstrap (with a fixed seed: the same times give the same interval). A win is an interval below 1.

Exit status: 0 a win, 1 none, 2 a program failed or the two printed different things.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys

RESAMPLES = 10_000
SHORT = 0.05  # seconds of CPU time; below, start-up and the clock are most of it


def cpu_seconds(program, arguments):
    """(CPU seconds, output) of one run."""
    child = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE)
    output = child.stdout.read()
    child.stdout.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{program} {' '.join(arguments)}: exit status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, output


def find_program(name):
    """What to run for `name`: without a slash, first what is in the current directory, then in PATH."""
    if "/" in name:
        return name
    if os.path.isfile(name):
        return "./" + name
    if not shutil.which(name):
        raise RuntimeError(f"{name}: neither in the current directory nor in PATH")
    return name


def interval_of_median(ratios):
    """The middle 95 % of the medians of resamples of `ratios`."""
    generator = random.Random(1)
    medians = sorted(statistics.median(generator.choices(ratios, k=len(ratios)))
                     for _ in range(RESAMPLES))
    return medians[RESAMPLES * 25 // 1000], medians[RESAMPLES * 975 // 1000 - 1]


def verdict(ratios):
    """(has it won, what to say) for the ratios optimised / baseline."""
    median, (low, high) = statistics.median(ratios), interval_of_median(ratios)
    text = f"ratio {median:.3f}, 95 % interval {low:.3f} to {high:.3f}, {len(ratios)} pairs"
    if high < 1:
        return True, f"{100 * (1 - median):.1f} % less CPU time: {text}"
    if low > 1:
        return False, f"SLOWER by {100 * (median - 1):.1f} %: {text}"
    return False, f"No win that could be shown: {text}"


def measure(programs, workloads, pairs):
    """seconds[workload][program], a list with one time per pair each."""
    seconds = [[[], []] for _ in workloads]
    for number in range(-1, pairs):  # the first round warms up, and compares what they print
        for at, workload in enumerate(workloads):
            outputs = [b"", b""]
            for program in ((0, 1) if number % 2 == 0 else (1, 0)):
                time, outputs[program] = cpu_seconds(programs[program], workload)
                if number >= 0:
                    seconds[at][program].append(time)
            if outputs[0] != outputs[1]:
                raise RuntimeError(f"{programs[0]} and {programs[1]} print different things "
                                   f"for: {' '.join(workload)}")
        if number >= 0 and sys.stderr.isatty():
            print(f"\r{number + 1} of {pairs} pairs", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return seconds


def split(arguments):
    """(options and programs, workloads): what stands between the `--`."""
    lists = [[]]
    for argument in arguments:
        if argument == "--":
            lists.append([])
        else:
            lists[-1].append(argument)
    return lists[0], lists[1:]


def main(arguments):
    programs, workloads = split(arguments)
    pairs = 11
    if programs[:1] == ["--pairs"] and programs[1:2] and programs[1].isdigit():
        pairs, programs = int(programs[1]), programs[2:]
    if len(programs) != 2 or not workloads or pairs < 5:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        programs = [find_program(name) for name in programs]
        seconds = measure(programs, workloads, pairs)
    except (OSError, RuntimeError) as error:
        print(f"paired_runs: {error}", file=sys.stderr)
        return 2
    for workload, (before, after) in zip(workloads, seconds):
        print(f"  {' '.join(workload):28} {statistics.median(before):6.3f} s -> "
              f"{statistics.median(after):6.3f} s")
    for workload, (before, after) in zip(workloads, seconds):
        shortest = min(statistics.median(before), statistics.median(after))
        if shortest < SHORT:
            print(f"paired_runs: warning: {' '.join(workload)}: a run takes {1000 * shortest:.0f} ms, "
                  f"much of it to start the program; give it work for {1000 * SHORT:.0f} ms or more",
                  file=sys.stderr)
    won, text = verdict([sum(w[1][i] for w in seconds) / sum(w[0][i] for w in seconds)
                         for i in range(pairs)])
    print(text)
    return 0 if won else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
