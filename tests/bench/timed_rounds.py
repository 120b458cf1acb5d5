"""Times many builds of a program in interleaved rounds, and compares each with another.

`pgo verify --run-before --run-after` compares two builds. The benchmark's tables compare up to a dozen with the same
baseline, and show what part of the gain of one another has: all builds run in each round, so that the baseline runs
once and not once for each of them, and ratios to it are of the same round.

The figures are ratios of CPU times (user and system, without child processes). Each is the median of one ratio per
round, with a 95 % interval of the median by bootstrap; its seed is fixed, so the same times give the same interval.
"""
import os
import random
import statistics
import subprocess
import sys

RESAMPLES = 10_000


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


def interval_of_median(ratios):
    """The middle 95 % of the medians of resamples of `ratios`."""
    generator = random.Random(1)
    medians = sorted(statistics.median(generator.choices(ratios, k=len(ratios)))
                     for _ in range(RESAMPLES))
    return medians[RESAMPLES * 25 // 1000], medians[RESAMPLES * 975 // 1000 - 1]


class Comparison:
    """Ratios of CPU times, one per round."""

    def __init__(self, times, others):
        ratios = [time / other for time, other in zip(times, others)]
        self.median = statistics.median(ratios)
        self.low, self.high = interval_of_median(ratios)


def measure(programs, arguments, rounds, run=cpu_seconds):
    """seconds[program], a list with one time per round each."""
    seconds = [[] for _ in programs]
    for number in range(-1, rounds):  # the first round warms up, and compares what they print
        outputs = [b""] * len(programs)
        for program in list(range(len(programs)))[::1 if number % 2 == 0 else -1]:
            time, outputs[program] = run(programs[program], arguments)
            if number >= 0:
                seconds[program].append(time)
        for program, output in zip(programs, outputs):
            if output != outputs[0]:
                raise RuntimeError(f"{programs[0]} and {program} print different things for: {' '.join(arguments)}")
        if number >= 0 and sys.stderr.isatty():
            print(f"\r{number + 1} of {rounds} rounds", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return seconds
