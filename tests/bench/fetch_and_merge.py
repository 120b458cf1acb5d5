#!/usr/bin/env python3
"""Times `pgo fetch --merge` of 1 000 profiles beside `pgo fetch` and then `pgo merge` of the bundle, in turn: from
files, and from a store of S3 (s3s-fs on loopback; tests/servers/install.sh installs it).

Usage: fetch_and_merge.py PGO DIRECTORY [--rounds 5] [--sizes 12K,1M] [--objects 1000]

Inputs are made once in DIRECTORY. Each round starts with an empty cache. Both ways give the same profile, which is
checked. The figures are medians, with the smallest and largest in brackets; the ratio is the median of one ratio per
round. Memory is the largest resident set.
"""

import argparse
import gzip
import pathlib
import shutil
import signal
import sys

from fetch_objects import ENVIRONMENT, KEYS, make_profiles, run, spread, start_server


def measure(pgo, source, directory, environment, rounds):
    """[(seconds, CPU seconds, MB)] of each way, by name."""
    results = {"at once": [], "in turn": []}
    for number in range(-1, rounds):  # the first round warms up
        contents = {}
        for name in sorted(results, reverse=number % 2 == 0):
            bundle, merged = directory / "bundle", directory / "merged.pb.gz"
            shutil.rmtree(bundle, ignore_errors=True)
            shutil.rmtree(directory / "cache", ignore_errors=True)
            if name == "at once":
                result = run([pgo, "fetch", source, "--merge", "-o", bundle], environment)
                (merged,) = bundle.rglob("*.pb.gz")
            else:
                fetched = run([pgo, "fetch", source, "-o", bundle], environment)
                then = run([pgo, "merge", bundle, "-o", merged], environment)
                result = (fetched[0] + then[0], fetched[1] + then[1], max(fetched[2], then[2]))
            contents[name] = gzip.decompress(merged.read_bytes())
            if number >= 0:
                results[name].append(result)
        if contents["at once"] != contents["in turn"]:
            sys.exit(f"{source}: the merged profiles differ")
    return results


def report(what, results):
    for name, rounds in results.items():
        seconds, cpu, memory = zip(*rounds)
        print(f"{what:12} {name:8} {spread(seconds, 2):24} {spread(cpu, 2):24} {max(memory):6.0f}")
    for figure, column in (("time", 0), ("CPU time", 1)):
        ratios = [a[column] / b[column] for a, b in zip(results["at once"], results["in turn"])]
        print(f"{what:12} at once / in turn, {figure}: {spread(ratios, 2)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pgo", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--objects", type=int, default=1000)
    parser.add_argument("--sizes", default="12K,1M")
    arguments = parser.parse_args()
    pgo = arguments.pgo.resolve()
    print(f"{arguments.objects} profiles; seconds, CPU seconds, MB")
    for name in arguments.sizes.split(","):
        directory = arguments.directory.resolve() / name
        make_profiles(directory, arguments.objects, int(name[:-1]) * {"K": 1000, "M": 1_000_000}[name[-1]])
        environment = ENVIRONMENT | {"PRODPGO_CACHE": str(directory / "cache")}
        files = directory / "store" / "profiles" / "queryd"
        report(f"{name} files", measure(pgo, files, directory, environment, arguments.rounds))
        server, url = start_server("s3s_fs", directory)
        try:
            environment |= KEYS | {"AWS_ENDPOINT_URL": url}
            report(f"{name} S3",
                   measure(pgo, "s3://profiles/queryd", directory, environment, arguments.rounds))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


if __name__ == "__main__":
    main()
