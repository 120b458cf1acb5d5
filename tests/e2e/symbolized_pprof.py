#!/usr/bin/env python3
"""Writes what a store that symbolizes makes of a recording: a pprof profile with names and lines, and
without addresses, as google/pprof's profile.proto has it.

Usage: symbolized_pprof.py RECORDING PROGRAM OUT [inline|flat] [starts] [plain-names] [no-lines]

inline: inlined frames are lines of one place; flat: places of their own. starts: functions have their
first line. plain-names: as people write them. no-lines: functions alone.
"""

import collections
import gzip
import json
import os
import re
import subprocess
import sys

from wire import number, sized, varint

LLVM = "/usr/lib/llvm-22/bin/"


def file_addresses(recording, program):
    """How often each address of the ELF file was sampled."""
    script = subprocess.run(["perf", "script", "-i", recording, "--show-mmap-events", "-F", "ip,pid,comm"],
                            capture_output=True, text=True, check=True).stdout
    headers = subprocess.run([LLVM + "llvm-readelf", "-lW", program], capture_output=True, text=True,
                             check=True).stdout
    segments = [[int(word, 16) for word in line.split()[1:6]] for line in headers.splitlines()
                if line.split()[:1] == ["LOAD"]]
    counts, mapping = collections.Counter(), None
    for line in script.splitlines():
        found = re.search(r"PERF_RECORD_MMAP2 .*\[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*: r-xp (\S+)",
                          line)
        if found:
            if os.path.samefile(found[4], program) if os.path.exists(found[4]) else False:
                mapping = [int(found[i], 16) for i in (1, 2, 3)]
            continue
        if "PERF_RECORD_" in line:  # the kernel's
            continue
        address = int(line.split()[-1], 16)
        if mapping and mapping[0] <= address < mapping[0] + mapping[1]:
            offset = address - mapping[0] + mapping[2]
            counts[next(offset - o + v for o, v, _, size, _ in segments if o <= offset < o + size)] += 1
    return counts


def main():
    recording, program, out, *how = sys.argv[1:]
    counts = file_addresses(recording, program)
    addresses = sorted(counts)
    symbolized = subprocess.run(
        [LLVM + "llvm-symbolizer", "--obj=" + program, "--output-style=JSON", "--inlines",
         "--demangle" if "plain-names" in how else "--no-demangle"],
        input="\n".join(map(hex, addresses)), capture_output=True, text=True, check=True).stdout

    texts, functions, places, stacks = {"": 0, "samples": 1, "count": 2}, {}, {}, collections.Counter()
    for address, answer in zip(addresses, symbolized.splitlines()):
        lines = []
        for frame in json.loads(answer)["Symbol"]:
            key = (frame["FunctionName"], frame["FileName"], frame["StartLine"] if "starts" in how else 0)
            function = functions.setdefault(key, len(functions) + 1)
            lines.append((function, 0 if "no-lines" in how else frame["Line"]))
        wanted = [(line,) for line in lines] if "flat" in how else [tuple(lines)]
        stacks[tuple(places.setdefault(place, len(places) + 1) for place in wanted)] += counts[address]

    def text(value):
        return texts.setdefault(value, len(texts))

    message = sized(1, number(1, 1) + number(2, 2))
    for stack, count in stacks.items():
        message += sized(2, sized(1, b"".join(map(varint, stack))) + sized(2, varint(count)))
    for lines, place in places.items():
        message += sized(4, number(1, place) + b"".join(sized(4, number(1, f) + number(2, l)) for f, l in lines))
    for (name, file, start), function in functions.items():
        message += sized(5, number(1, function) + number(2, text(name)) + number(4, text(file)) + number(5, start))
    message += b"".join(sized(6, value.encode()) for value in texts)
    open(out, "wb").write(gzip.compress(message, mtime=0))


main()
