#!/usr/bin/env python3
"""Writes a pprof profile of a made-up program: what an agent of eBPF sends, or a profiler inside the program.

Usage: made_pprof.py [--names] [--no-build-id] [--count N] [--samples N] [--time NS] [--duration NS]
                     [--period NS] [--host NAME] OUT

Without --names it has addresses alone, in a mapping with a build ID; with it, the mapping has functions, and each
location its line. --count: how often its hottest code was sampled. --samples: how many other samples
it has.
"""

import argparse

from messages import Profile

BUILD_ID = "11223344556677889900aabbccddeeff00112233"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--no-build-id", action="store_true")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--time", type=int, default=0)
    parser.add_argument("--duration", type=int, default=10_000_000_000)
    parser.add_argument("--period", type=int, default=10_000_000)
    parser.add_argument("--host", default="")
    parser.add_argument("out")
    options = parser.parse_args()
    profile = Profile()
    profile.types = [("samples", "count"), ("cpu", "nanoseconds")]
    profile.period_type, profile.period = ("cpu", "nanoseconds"), options.period
    profile.time, profile.duration = options.time, options.duration
    build_id = "" if options.no_build_id else BUILD_ID
    mapping = (0x555555554000, 0x555555654000, 0, "/usr/bin/queryd", build_id, int(options.names))

    def place(address, name, line):
        lines = ((name, "queryd.cc", line),) if options.names else ()
        return (mapping, address, lines)

    root = place(0x555555555010, "main", 10)
    labels = (("host", options.host, 0),) if options.host else ()
    for i in range(options.samples + 1):
        count = options.count if i == 0 else 3 + i % 2
        leaf = place(0x555555556000 + 16 * i, f"work_{i % 7}", 100 + i)
        profile.samples.append(((leaf, root), labels, [count, count * profile.period]))
    open(options.out, "wb").write(profile.write())


main()
