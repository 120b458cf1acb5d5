#!/usr/bin/env python3
"""Runs builds of a program in interleaved rounds and shows which of them need less CPU time.

    paired_runs.py [--rounds N] [--] BASELINE OPTIMIZED... -- ARGUMENTS... [-- ARGUMENTS...]...

A program without a slash is looked for in the current directory, then in PATH. Each round runs every
program with each list of arguments. The order changes from round to round, so that a machine that
becomes slower or faster meanwhile affects all programs alike. Each list should keep a program busy for
50 ms or more.

The figures are ratios of CPU times (user and system, without child processes): to the baseline, and to
the program named before. Each is the median of one ratio per round, with a 95 % interval of the median
by bootstrap; its seed is fixed, so the same times give the same interval. An interval below 1 is a win,
one above 1 a loss.

Exit status: 0 when every program wins against the baseline and none loses against the one before it, 1
when not, 2 when a program failed or two of them printed different things.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys

RESAMPLES = 10_000
FEWEST_ROUNDS = 5
WIDE = 0.08  # of an interval; a quiet machine's are a quarter of that
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


class Comparison:
    """Ratios of CPU times, one per round: is the program quicker than the other?"""

    def __init__(self, times, others):
        ratios = [time / other for time, other in zip(times, others)]
        self.median = statistics.median(ratios)
        self.low, self.high = interval_of_median(ratios)
        self.wins, self.loses = self.high < 1, self.low > 1

    def figures(self):
        return f"{self.median:.3f} ({self.low:.3f} to {self.high:.3f})"

    def words(self):
        if self.wins:
            return f"{100 * (1 - self.median):.1f} % less CPU time than"
        if self.loses:
            return f"{100 * (self.median - 1):.1f} % MORE CPU time than"
        return "no significant difference from"


def measure(programs, workloads, rounds, run=cpu_seconds):
    """seconds[workload][program], a list with one time per round each."""
    seconds = [[[] for _ in programs] for _ in workloads]
    for number in range(-1, rounds):  # the first round warms up, and compares what they print
        order = list(range(len(programs)))[::1 if number % 2 == 0 else -1]
        for at, workload in enumerate(workloads):
            outputs = [b""] * len(programs)
            for program in order:
                time, outputs[program] = run(programs[program], workload)
                if number >= 0:
                    seconds[at][program].append(time)
            for program, output in zip(programs, outputs):
                if output != outputs[0]:
                    raise RuntimeError(f"{programs[0]} and {program} print different things "
                                       f"for: {' '.join(workload)}")
        if number >= 0 and sys.stderr.isatty():
            print(f"\r{number + 1} of {rounds} rounds", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return seconds


def report(names, times):
    """Prints the table, then compares in words each program with the one before it, and the last one with
    the baseline. True when every program wins against the baseline and none loses against the one before."""
    width = max(map(len, names))
    print(f"  {'BUILD':{width}}  CPU TIME  VS. BASELINE (95 % INTERVAL)  VS. PREVIOUS")
    verdicts, all_well, noisy = [], True, False
    for at, (name, own) in enumerate(zip(names, times)):
        line = f"  {name:{width}}  {statistics.median(own):6.3f} s"
        if at > 0:
            to_baseline, to_previous = Comparison(own, times[0]), Comparison(own, times[at - 1])
            line += f"  {to_baseline.figures():28}  {to_previous.figures()}"
            verdicts.append(f"{name}: {to_previous.words()} {names[at - 1]}")
            all_well &= to_baseline.wins and not to_previous.loses
            # Ratios are of times of one round; the times shown are medians of all.
            of_medians = statistics.median(own) / statistics.median(times[0])
            noisy |= to_baseline.high - to_baseline.low > WIDE
            noisy |= not to_baseline.low <= of_medians <= to_baseline.high
        print(line)
    if len(names) > 2:
        verdicts.append(f"{names[-1]}: {to_baseline.words()} {names[0]}")
    if noisy:
        verdicts.append("The machine was busy with other things: run more rounds (--rounds) before you trust this.")
    print("", *verdicts, sep="\n")
    return all_well


def split(arguments):
    """(options and programs, workloads): what stands between the `--`, but for one before all programs."""
    lists = [[]]
    for argument in arguments:
        if argument == "--":
            lists.append([])
        else:
            lists[-1].append(argument)
    if len(lists) > 1 and (not lists[0] or lists[0][0] == "--rounds" and len(lists[0]) == 2):
        lists[:2] = [lists[0] + lists[1]]
    return lists[0], lists[1:]


def main(arguments):
    names, workloads = split(arguments)
    rounds = 11
    if names[:1] == ["--rounds"] and names[1:2] and names[1].isdigit():
        rounds, names = int(names[1]), names[2:]
    if rounds < FEWEST_ROUNDS:
        print(f"paired_runs: --rounds: at least {FEWEST_ROUNDS}", file=sys.stderr)
        return 2
    if len(names) < 2 or not workloads:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        programs = [find_program(name) for name in names]
        seconds = measure(programs, workloads, rounds)
    except (OSError, RuntimeError) as error:
        print(f"paired_runs: {error}", file=sys.stderr)
        return 2
    for workload, times in zip(workloads, seconds):
        shortest = min(map(statistics.median, times))
        if shortest < SHORT:
            print(f"paired_runs: warning: {' '.join(workload)}: a run takes {1000 * shortest:.0f} ms, "
                  f"much of it to start the program; give it work for {1000 * SHORT:.0f} ms or more",
                  file=sys.stderr)
    # Of each program, per round, what all workloads took.
    totals = [[sum(round_) for round_ in zip(*lists)] for lists in zip(*seconds)]
    return 0 if report(names, totals) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
