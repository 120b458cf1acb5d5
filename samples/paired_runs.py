#!/usr/bin/env python3
"""Runs builds of a program in interleaved rounds and says which of them need less CPU time.

    paired_runs.py [--rounds N] [--] BASELINE OPTIMISED... -- ARGUMENTS... [-- ARGUMENTS...]...

A program without a slash is looked for in the current directory, then in PATH. Each round runs all
with each list of arguments, in an order that changes from round to round, so that what drifts on the
machine meets all. Give each list enough to do for 50 ms or more. The figure is the ratio of their CPU
times (user and system; without the children's) to the first program's, and to those of the program
before: one per round, its median, and a 95 % interval of the median by bootstrap (with a fixed seed:
the same times give the same interval). A win is an interval below 1, a loss one above.

Exit status: 0 all win against the first and none loses against the one before, 1 not so, 2 a program
failed or two of them printed different things.
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
        return "no difference that could be shown to"


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
    """Prints the table, and in words what each program is to the one before and the last to the first;
    whether all is well."""
    width = max(map(len, names))
    print(f"  {'BUILD':{width}}  CPU TIME  TO THE FIRST, 95 % INTERVAL  TO THE ONE BEFORE")
    verdicts, all_well, noisy = [], True, False
    for at, (name, own) in enumerate(zip(names, times)):
        line = f"  {name:{width}}  {statistics.median(own):6.3f} s"
        if at > 0:
            to_first, to_previous = Comparison(own, times[0]), Comparison(own, times[at - 1])
            line += f"  {to_first.figures():27}  {to_previous.figures()}"
            verdicts.append(f"{name}: {to_previous.words()} {names[at - 1]}")
            all_well &= to_first.wins and not to_previous.loses
            # Ratios are of times of one round; the times shown are medians of all.
            of_medians = statistics.median(own) / statistics.median(times[0])
            noisy |= to_first.high - to_first.low > WIDE or not to_first.low <= of_medians <= to_first.high
        print(line)
    if len(names) > 2:
        verdicts.append(f"{names[-1]}: {to_first.words()} {names[0]}")
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
