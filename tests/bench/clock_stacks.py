#!/usr/bin/env python3
"""Samples of a program by the clock, with the stacks they were in, and parts of them drawn at random.

    clock_stacks.py record STACKS SAMPLES -- PROGRAM ARGUMENTS...
    clock_stacks.py draw STACKS RATE SEED OUT.pb.gz [leaves]

`record` runs the program under perf until there are SAMPLES of it, as a service that is sampled for days
gives many more than one run of it. STACKS is text: of each binary that code ran from a line `mapping BEGIN END
OFFSET BUILD_ID PATH`, then of each stack `COUNT LEAF CALLER...`, process addresses (of the first run that had
the binary; other runs' are moved there), callers as return addresses. perf unwinds a copy of the top of the
stack by the binary's unwind tables: frame pointers are not there to follow, and would leave out who called
a leaf. A stack that is deeper than the copy ends where the copy does.

`draw` takes each sample with probability RATE (1: all; `again`: each a number of times that is by chance, 1 in
the mean, as another collection would have it) and writes pprof as agents do; with `leaves` without callers.

PGO_BENCH_BEFORE has words to put before the program while it is sampled, such as `taskset -c 1`.
"""
import collections
import gzip
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from make_pprofs import number, packed, sized

PERIOD = 100_003  # nanoseconds; a prime, not to beat with what the program does in rounds
COPY = 2048  # bytes of stack
ONE_IN_E = math.exp(-1)
RING = ["-m", "16M"] if os.geteuid() == 0 else []  # what is full drops samples
MAPPING = re.compile(r".* PERF_RECORD_MMAP2 .*\[(0x\w+)\((0x\w+)\) @ (0x\w+|0) <(\w+)>\]: r-xp (.*)")
LOST = re.compile(r".*PERF_RECORD_LOST lost (\d+)")
FRAME = re.compile(r"\s+([0-9a-f]+) \((.*)\)$")


def samples_of_run(recording):
    """Of each sample (name of the process, [(file offset, path)...] leaf first), of each mapping a match of
    MAPPING, of what was lost one of LOST."""
    script = subprocess.Popen(
        ["perf", "script", "-i", recording, "--no-inline", "--show-mmap-events", "--show-lost-events",
         "-F", "comm,ip,dso"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    name, frames, ended = None, [], False
    for line in script.stdout:
        line = line.rstrip("\n")
        event = MAPPING.match(line) or LOST.match(line)
        if event:
            yield event
        elif not line:
            if name:
                yield name, frames
            name, frames, ended = None, [], False
        elif name is None and not line[0].isspace():
            name = line.strip()
        elif not ended:
            frame = FRAME.match(line)
            ended = not frame or not frame[2].startswith("/")
            if not ended:
                frames.append((int(frame[1], 16), frame[2]))
    if script.wait() != 0:
        raise RuntimeError(f"perf script of {recording} failed")


class Stacks:
    """Mappings by path, and how often each stack was seen."""

    def __init__(self):
        self.mappings = {}  # path: [(begin, end, offset, build ID)]
        self.counts = collections.Counter()  # addresses, leaf first: samples
        self.lost = self.elsewhere = 0

    def samples(self):
        return sum(self.counts.values())

    def address(self, offset, path):
        """In the process; None outside of what is mapped."""
        return next((begin + offset - at for begin, end, at, _ in self.mappings.get(path, [])
                     if at <= offset < at + end - begin), None)

    def add_run(self, recording, program):
        name = os.path.basename(program)[:15]
        for event in samples_of_run(recording):
            if isinstance(event, tuple):
                self.add(event[1] if event[0] == name else [])
            elif event.re is LOST:
                self.lost += int(event[1])
            else:
                begin, size, offset, path = int(event[1], 16), int(event[2], 16), int(event[3], 16), event[5]
                known = self.mappings.setdefault(path, [])
                if all(offset != at for _, _, at, _ in known):
                    known.append((begin, begin + size, offset, event[4]))

    def add(self, frames):
        addresses = [self.address(*frame) for frame in frames]
        if None in addresses:
            del addresses[addresses.index(None):]
        # perf has callers at the last byte of the call, so that they lie within it.
        stack = tuple(addresses[:1] + [address + 1 for address in addresses[1:]])
        if stack:
            self.counts[stack] += 1
        else:
            self.elsewhere += 1

    def write(self, path):
        with open(path, "w") as out:
            for binary, mappings in sorted(self.mappings.items()):
                for begin, end, offset, build_id in mappings:
                    out.write(f"mapping {begin:x} {end:x} {offset:x} {build_id} {binary}\n")
            for stack, count in sorted(self.counts.items()):
                out.write(f"{count} {' '.join(f'{address:x}' for address in stack)}\n")

    @staticmethod
    def read(path):
        stacks = Stacks()
        for line in pathlib.Path(path).read_text().splitlines():
            words = line.split(" ", 5)
            if words[0] == "mapping":
                begin, end, offset = (int(word, 16) for word in words[1:4])
                stacks.mappings.setdefault(words[5], []).append((begin, end, offset, words[4]))
            else:
                count, *addresses = line.split()
                stacks.counts[tuple(int(address, 16) for address in addresses)] = int(count)
        return stacks


def record(path, samples, command):
    """Runs the command until there are as many samples."""
    program = os.path.realpath(command[0])
    before = os.environ.get("PGO_BENCH_BEFORE", "").split()
    stacks = Stacks()
    with tempfile.TemporaryDirectory() as directory:
        recording = os.path.join(directory, "perf.data")
        while stacks.samples() < samples:
            had = stacks.samples()
            subprocess.run(["perf", "record", "-q", "-N", "--buildid-mmap", *RING, "-e", "cpu-clock:u",
                            "-c", str(PERIOD), "--call-graph", f"dwarf,{COPY}", "-o", recording, "--",
                            *before, program, *command[1:]], check=True, stdout=subprocess.DEVNULL)
            stacks.add_run(recording, program)
            os.unlink(recording)
            if stacks.samples() == had:
                raise RuntimeError(f"perf records no samples of {program}")
    stacks.write(path)
    print(f"{stacks.samples()} samples, {len(stacks.counts)} stacks, {stacks.lost} lost, "
          f"{stacks.elsewhere} without an address")


def times_again(chance):
    """How often a sample comes again: by Poisson's distribution of mean 1."""
    times, product = 0, chance.random()
    while product > ONE_IN_E:
        times, product = times + 1, product * chance.random()
    return times


def drawn(counts, rate, seed):
    """The Counter of a part of them; `rate` is a probability, or `again`."""
    chance = random.Random(seed)
    if rate == "again":
        def draw(count):
            return sum(times_again(chance) for _ in range(count))
    else:
        def draw(count):
            return sum(chance.random() < float(rate) for _ in range(count))
    return +collections.Counter({stack: draw(counts[stack]) for stack in sorted(counts)})


def leaves(counts):
    alone = collections.Counter()
    for stack, count in counts.items():
        alone[stack[:1]] += count
    return alone


def write_pprof(path, stacks, counts):
    """One profile of one process; samples and their time."""
    texts, locations = {"": 0}, {}
    mappings = [(begin, end, offset, build_id, binary) for binary, all_of in sorted(stacks.mappings.items())
                for begin, end, offset, build_id in all_of]

    def text(value):
        return texts.setdefault(value, len(texts))

    out = [sized(1, number(1, text("samples")) + number(2, text("count"))),
           sized(1, number(1, text("cpu")) + number(2, text("nanoseconds")))]
    for stack, count in sorted(counts.items()):
        ids = [locations.setdefault(address, len(locations) + 1) for address in stack]
        out.append(sized(2, packed(1, ids) + packed(2, [count, count * PERIOD])))
    for at, (begin, end, offset, build_id, binary) in enumerate(mappings):
        out.append(sized(3, number(1, at + 1) + number(2, begin) + number(3, end) + number(4, offset)
                         + number(5, text(binary)) + number(6, text(build_id))))
    for address, at in locations.items():
        mapping = next(m for m, (begin, end, *_) in enumerate(mappings) if begin <= address < end)
        out.append(sized(4, number(1, at) + number(2, mapping + 1) + number(3, address)))
    period = sized(11, number(1, text("cpu")) + number(2, text("nanoseconds")))
    out += [sized(6, value.encode()) for value in texts]
    out += [number(10, sum(counts.values()) * PERIOD), period, number(12, PERIOD)]
    pathlib.Path(path).write_bytes(gzip.compress(b"".join(out), 6, mtime=0))


def main():
    command, stacks, *rest = sys.argv[1:] if len(sys.argv) > 2 else ["", ""]
    if command == "record" and rest[1:2] == ["--"] and rest[2:]:
        record(stacks, int(rest[0]), rest[2:])
    elif command == "draw" and len(rest) >= 3:
        kept = Stacks.read(stacks)
        counts = drawn(kept.counts, rest[0], int(rest[1]))
        write_pprof(rest[2], kept, leaves(counts) if rest[3:] == ["leaves"] else counts)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
