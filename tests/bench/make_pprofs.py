#!/usr/bin/env python3
"""Writes pprof profiles as a fleet of one service makes them: many small CPU profiles whose stacks come
from the same call tree, each from a process at other addresses.

Usage: make_pprofs.py DIRECTORY PROFILES [SAMPLES_EACH] [--many-stacks]

With --many-stacks the service has 20 000 functions in 400 000 stacks; a profile of a million samples has 91 000 of
these. The files depend on the arguments alone.
"""

import gzip
import pathlib
import random
import sys

MANY_STACKS = "--many-stacks" in sys.argv
FUNCTIONS, DEPTH, PATHS = (20000, 40, 400000) if MANY_STACKS else (5000, 30, 8000)
# The stacks are the less alike in how often they are seen, the larger this is (Pareto's exponent).
SPREAD = 0.12 if MANY_STACKS else 0.5
BINARY = ("/srv/bin/frontend", "8d41b0ae5f7e2f0a1b2c3d4e5f60718293a4b5c6")


def varint(value):
    out = bytearray()
    value &= (1 << 64) - 1
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value) if value else b""


def sized(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def packed(field, numbers):
    return sized(field, b"".join(map(varint, numbers)))


class Service:
    """Its functions, and the stacks that it is seen in."""

    def __init__(self, chance):
        words = ["cache", "query", "render", "parse", "index", "route", "token", "frame", "queue", "shard"]
        self.functions = []
        for i in range(FUNCTIONS):
            name = "::".join(chance.choice(words) for _ in range(3)) + f"::{chance.choice(words)}_{i}"
            self.functions.append((name, f"src/{chance.choice(words)}/{chance.choice(words)}_{i // 12}.cc",
                                   chance.randrange(1, 2000)))
        callees = [[chance.randrange(FUNCTIONS) for _ in range(3)] for _ in range(FUNCTIONS)]
        self.stacks = []
        for _ in range(PATHS):
            at, stack = 0, []
            for _ in range(chance.randrange(8, DEPTH)):
                stack.append((at, chance.randrange(4)))  # a function, and where in it
                at = chance.choice(callees[at])
            self.stacks.append(stack[::-1])


def profile(service, chance, samples):
    """The message of one profile."""
    base = 0x550000000000 + chance.randrange(1 << 24) * 4096
    texts, functions, locations = {"": 0}, {}, {}

    def text(value):
        return texts.setdefault(value, len(texts))

    def location(frame):
        functions.setdefault(frame[0], len(functions) + 1)
        return locations.setdefault(frame, len(locations) + 1)

    counts = {}
    for _ in range(samples):
        path = min(int(chance.paretovariate(SPREAD)), PATHS) - 1
        counts[path] = counts.get(path, 0) + 1
    out = [sized(1, number(1, text("samples")) + number(2, text("count"))),
           sized(1, number(1, text("cpu")) + number(2, text("nanoseconds")))]
    for path, count in counts.items():
        out.append(sized(2, packed(1, [location(frame) for frame in service.stacks[path]])
                         + packed(2, [count, count * 10_000_000])))
    out.append(sized(3, number(1, 1) + number(2, base) + number(3, base + 0x800000) + number(4, 0x1000)
                     + number(5, text(BINARY[0])) + number(6, text(BINARY[1])) + number(7, 1)
                     + number(8, 1) + number(9, 1)))
    for (function, where), at in locations.items():
        line = number(1, functions[function]) + number(2, service.functions[function][2] + where * 3)
        out.append(sized(4, number(1, at) + number(2, 1)
                         + number(3, base + function * 512 + where * 32) + sized(4, line)))
    for function, at in functions.items():
        name, file, start = service.functions[function]
        out.append(sized(5, number(1, at) + number(2, text(name)) + number(3, text("_Z" + name))
                         + number(4, text(file)) + number(5, start)))
    period = sized(11, number(1, text("cpu")) + number(2, text("nanoseconds")))
    out += [sized(6, value.encode()) for value in texts]
    out += [number(9, 1_700_000_000_000_000_000 + chance.randrange(10**12)), number(10, 10_000_000_000),
            period, number(12, 10_000_000)]
    return b"".join(out)


def main():
    arguments = [word for word in sys.argv[1:] if not word.startswith("--")]
    directory, profiles = pathlib.Path(arguments[0]), int(arguments[1])
    samples = int(arguments[2]) if len(arguments) > 2 else 70
    chance = random.Random(1)
    service = Service(chance)
    directory.mkdir(parents=True, exist_ok=True)
    for i in range(profiles):
        message = profile(service, chance, samples)
        (directory / f"host{i:05}.pb.gz").write_bytes(gzip.compress(message, 6, mtime=0))


if __name__ == "__main__":
    main()
