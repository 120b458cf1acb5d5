#!/usr/bin/env python3
"""Merging the address profiles of many hosts: pgo beside zstd -dc, in turn, on the same files.

Usage: merge_addresses.py PGO MAKE_ADDRESS_FLEET DIRECTORY [--hosts 100000] [--traces 2000] [--rounds 5]

Makes the profiles in DIRECTORY when they are not there (make_address_fleet.cc). zstd inflates all of them in one
process, which is the least that reading them takes. Prints, of each round, wall and processor time, and in the end the
medians of the ratios of the rounds, and the peak memory of pgo. The goals are those of the largest merge on one
machine: 256 MB, and three times the time of zstd.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys

from pprof_bench import run

MEMORY_GOAL, TIME_GOAL = 256, 3


def made(program, directory, hosts, traces):
    fleet = directory / f"fleet-{hosts}-{traces}"
    names = directory / f"fleet-{hosts}-{traces}.list"
    if not names.is_file():
        subprocess.run([program, fleet, str(hosts), str(traces)], check=True)
        names.write_text("".join(f"{path}\n" for path in sorted(fleet.glob("*/*.addr"))), encoding="utf-8")
    return names


def same_by_shards(pgo, names, directory, whole, count=16):
    """Do shards, merged again, give the bytes of one merge?"""
    shards = []
    for index in range(count):
        shards.append(directory / f"shard{index}.addr")
        subprocess.run([pgo, "merge", f"@{names}", "--shard", f"{index}/{count}", "-o", shards[-1]],
                       check=True, capture_output=True)
    merged = directory / "merged.addr"
    subprocess.run([pgo, "merge", *shards, "-o", merged], check=True, capture_output=True)
    return merged.read_bytes() == whole.read_bytes()


def judged(what, value, goal, unit):
    print(f"{what} {value:.2f}{unit}; goal {goal}{unit} {'reached' if value <= goal else 'MISSED'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pgo", type=pathlib.Path)
    parser.add_argument("make_address_fleet", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--traces", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--shards", action="store_true", help="also compare a merge by shards")
    arguments = parser.parse_args()
    directory = arguments.directory.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    names = made(arguments.make_address_fleet.resolve(), directory, arguments.hosts, arguments.traces)
    paths = [pathlib.Path(line) for line in names.read_text(encoding="utf-8").splitlines()]
    size = sum(path.stat().st_size for path in paths)
    whole = directory / "whole.addr"
    contenders = {"zstd -dc": ["zstd", "-dcq", "--filelist", names],
                  "pgo merge": [arguments.pgo, "merge", f"@{names}", "-o", whole],
                  "pgo merge -j 1": [arguments.pgo, "merge", f"@{names}", "-o", whole, "-j", "1"]}
    results = {name: [] for name in contenders}
    for number in range(-1, arguments.rounds):  # the first one fills the cache of files
        for name in list(contenders)[::1 if number % 2 == 0 else -1]:
            time = run(contenders[name], {})
            if number >= 0:
                results[name].append(time)
                print(f"  {name:15} {time[0]:7.2f} s  {time[1]:7.2f} s processor  {time[2]:5.0f} MB", flush=True)
    print(f"{len(paths)} files of {size / len(paths) / 1000:.1f} kB on average, {size / 1e6:.0f} MB; "
          f"merged {whole.stat().st_size / 1000:.0f} kB")
    for name in ("pgo merge", "pgo merge -j 1"):
        pairs = list(zip(results[name], results["zstd -dc"]))
        time, processor = (statistics.median(a[i] / b[i] for a, b in pairs) for i in (0, 1))
        print(f"{name} / zstd -dc: time {time:.2f}x, processor time {processor:.2f}x")
        if name == "pgo merge":
            judged("time:", time, TIME_GOAL, "x")
            judged("peak memory:", max(a[2] for a in results[name]), MEMORY_GOAL, " MB")
    if arguments.shards and not same_by_shards(arguments.pgo, names, directory, whole):
        sys.exit("a merge by shards gives other bytes")


if __name__ == "__main__":
    main()
