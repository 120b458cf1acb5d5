#!/usr/bin/env python3
"""Prints the ten units of a build that took longest to compile, by ninja's own log.

    slowest_units.py BUILD_DIR

Seconds are those of the clock, with other units compiled beside it; what ccache had takes none.
"""

import pathlib
import sys


def units(log):
    """Seconds of each object file: of its last compilation."""
    seconds = {}
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        if output.endswith(".o"):
            seconds[output] = (int(end) - int(start)) / 1000
    return seconds


def main(build):
    log = pathlib.Path(build) / ".ninja_log"
    if not log.exists():
        print(f"SKIPPED: {log} does not exist: the build was not made by ninja")
        return 77
    seconds = units(log)
    print(f"{sum(seconds.values()):8.1f} s  all {len(seconds)} units")
    for output, taken in sorted(seconds.items(), key=lambda unit: (-unit[1], unit[0]))[:10]:
        print(f"{taken:8.1f} s  {output}")
    return 0 if seconds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
