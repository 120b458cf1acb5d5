#!/usr/bin/env python3
"""Compares the names that two pprof profiles of the same addresses have: outermost function, and line of each frame.

Usage: compare_bolted_names.py PPROF PPROF

Prints how many locations have the same function, and the same lines, of those that both name. They differ where
llvm-bolt folded functions into one, and where its debug information lost inlined functions, which the input's has.
Exit status 1 when less than 90 % have the same outermost function, or less than 85 % the same lines.
"""

import sys

from compare_names import read


def main():
    first, second = (read(path) for path in sys.argv[1:])
    both = [key for key in sorted(first) if first[key] and second.get(key) and len(second[key][0]) == 4
            and second[key][0][3]]
    function = sum(first[key][-1][0] == second[key][-1][0] for key in both)
    lines = sum([frame[3] for frame in first[key]] == [frame[3] for frame in second[key]] for key in both)
    print(f"{len(both)} locations, {function} with the same function, {lines} with the same lines")
    return 0 if len(both) > 300 and function > 0.9 * len(both) and lines > 0.85 * len(both) else 1


sys.exit(main())
