#!/usr/bin/env python3
"""Writes the pprof profiles of a fleet as a store has them after a day, and compares choices of them.

planted_fleet.py write DIRECTORY SEED
  Thousands of small files, DIRECTORY/ZONE/HOUR/HOST-NUMBER.pb.gz. From 16 o'clock (UTC) on the fleet has a tenth
  of its traffic, and most of that is other code (backups). The zone "b" has a quarter of the hosts, which record
  three times as often, and runs other code for a third of its time. The last hour is one of the night.
planted_fleet.py overlap A.folded B.folded
  Prints the overlap of the shares of leaf functions, 0 to 1.
"""

import bisect
import collections
import gzip
import itertools
import os
import pathlib
import random
import sys

from wire import number, sized, varint

HOSTS, HOURS = 16, 24
DAY_SAMPLES, NIGHT_SAMPLES = 500, 50
BUILD = "5c0f9d1e2b3a48576a7b8c9d0e1f2a3b4c5d6e7f"
BASE = 1795651200  # 2026-11-26T00:00:00Z


def functions(kind, count):
    return [f"{kind}::f{i}" for i in range(count)]


def mixture(parts):
    """[(share, functions)] as names and cumulated weights; within a part, the n-th function has 1/n of the first."""
    names, weights = [], []
    for share, part in parts:
        total = sum(1 / (i + 1) for i in range(len(part)))
        names += part
        weights += [share / total / (i + 1) for i in range(len(part))]
    return names, list(itertools.accumulate(weights))


SERVING, BACKUP, ZONE_B = functions("serve", 60), functions("backup", 20), functions("zone_b", 15)
MIXTURES = {
    ("a", False): mixture([(1, SERVING)]),
    ("a", True): mixture([(.3, SERVING), (.7, BACKUP)]),
    ("b", False): mixture([(.67, SERVING), (.33, ZONE_B)]),
    ("b", True): mixture([(.2, SERVING), (.5, BACKUP), (.3, ZONE_B)]),
}


def pprof(counts, seconds):
    texts = {"": 0}

    def text(value):
        return texts.setdefault(value, len(texts))

    count, cpu, nanoseconds = text("count"), text("cpu"), text("nanoseconds")
    message = sized(1, number(1, text("samples")) + number(2, count))
    message += sized(1, number(1, cpu) + number(2, nanoseconds))
    mapping = number(1, 1) + number(2, 0x400000) + number(3, 0x800000)
    message += sized(3, mapping + number(5, text("/srv/bin/queryd")) + number(6, text(BUILD)))
    for place, (name, samples) in enumerate(sorted(counts.items()), 1):
        message += sized(2, sized(1, varint(place)) + sized(2, varint(samples) + varint(samples * 10000000)))
        message += sized(4, number(1, place) + number(2, 1) + number(3, 0x400000 + 4096 * place)
                         + sized(4, number(1, place) + number(2, 1)))
        message += sized(5, number(1, place) + number(2, text(name)))
    for value in texts:
        message += sized(6, value.encode())
    message += number(9, seconds * 1000000000) + number(10, 10000000000)
    message += sized(11, number(1, cpu) + number(2, nanoseconds)) + number(12, 10000000)
    return gzip.compress(message, 1, mtime=0)


def write(directory, seed):
    draw = random.Random(seed)
    for hour in range(HOURS):
        is_night = hour >= 16  # the day of the fleet begins at midnight of UTC
        for host in range(HOSTS):
            zone = "b" if host % 4 == 3 else "a"
            names, weights = MIXTURES[zone, is_night]
            folder = pathlib.Path(directory, zone, f"2026-11-26T{hour:02}")
            folder.mkdir(parents=True, exist_ok=True)
            for i in range(18 if zone == "b" else 6):
                samples = NIGHT_SAMPLES if is_night else DAY_SAMPLES
                samples = max(1, round(samples * draw.uniform(.7, 1.3)))
                counts = collections.Counter(names[bisect.bisect(weights, draw.uniform(0, weights[-1]))]
                                             for _ in range(samples))
                seconds = BASE + hour * 3600 + i * 180 + host
                path = folder / f"web-{host:02}-{i:02}.pb.gz"
                path.write_bytes(pprof(counts, seconds))
                os.utime(path, (seconds, seconds))


def shares(path):
    values = collections.Counter()
    for line in open(path):
        stack, value = line.rsplit(" ", 1)
        values[stack.rsplit(";", 1)[-1]] += int(value)
    total = sum(values.values())
    return {name: value / total for name, value in values.items()}


def main():
    if sys.argv[1] == "write":
        write(sys.argv[2], int(sys.argv[3]))
    else:
        a, b = shares(sys.argv[2]), shares(sys.argv[3])
        print(f"{sum(min(share, b.get(name, 0)) for name, share in a.items()):.4f}")


if __name__ == "__main__":
    main()
