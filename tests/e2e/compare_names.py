#!/usr/bin/env python3
"""Compares the names in a pprof profile that address_pprof.py made, and pgo named, with llvm-symbolizer's: function,
file and first line of the function, and line, of every frame of every location. Samples are asked for by their own
address, callers by the byte before.

Usage: compare_names.py PROGRAM PPROF own|process

Prints how many locations and frames there are, and what may differ, by reason. Exit status 1 for other differences.

  part      llvm-symbolizer takes the name of an outermost function out of the symbol table, where parts of functions
            (f.cold) and functions that were made one (constructors, identical code) have names of their own
  symbol    a function that the debug information has lines of, and no entry: its file is that of the line
  padding   what compilers fill up to the next function has lines, and belongs to no function
  file      llvm-symbolizer does not follow what a declaration refers to for its file, as GCC writes it
  no-size   code without debug information whose symbol has no size, as _init has none: llvm-symbolizer takes it to
            reach up to the next symbol, pgo names nothing there
"""

import collections
import gzip
import json
import re
import subprocess
import sys

from address_pprof import BEGIN, LLVM, run
from pprof_samples import message, numbers


def read(path):
    """{(address, is a caller): frames as (function, file, first line, line)}, and the begin of the mapping."""
    data = open(path, "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    top = message(data, lists=(2, 3, 4, 5, 6))
    texts = [text.decode() for text in top[6]]
    functions = {part[1]: (texts[part.get(3, 0)], texts[part.get(4, 0)], part.get(5, 0))
                 for part in map(message, top[5])}
    locations = {}
    for part in (message(part, lists=(4,)) for part in top[4]):
        lines = [message(line) for line in part[4]]
        locations[part[1]] = part[3], [(*functions[line[1]], line.get(2, 0)) for line in lines]
    named = {}
    for part in (message(part, lists=(1,)) for part in top[2]):
        for i, place in enumerate(i for ids in part[1] for i in numbers(ids)):
            address, frames = locations[place]
            assert named.setdefault((address, i > 0), frames) == frames
    return named


def main():
    program, path, how = sys.argv[1:]
    named = read(path)
    bias = 0
    if how == "process":
        bias = next(BEGIN - int(line.split()[2], 16) for line in run(LLVM + "llvm-readelf", "-lW", program).splitlines()
                    if line.split()[:1] == ["LOAD"] and " E " in line)
    symbols = collections.defaultdict(set)
    for line in run(LLVM + "llvm-nm", program).splitlines():
        words = line.split()
        if len(words) == 3:
            symbols[int(words[0], 16)].add(words[2])
    same_code = {name: names for names in symbols.values() for name in names}
    keys = sorted(named)
    asked = "\n".join(hex(address - bias - is_caller) for address, is_caller in keys)
    answers = subprocess.run([LLVM + "llvm-symbolizer", "--obj=" + program, "--output-style=JSON", "--inlines",
                              "--no-demangle"], input=asked, capture_output=True, text=True, check=True).stdout
    reasons, wrong, frame_count = collections.Counter(), [], 0
    for (address, is_caller), answer in zip(keys, answers.splitlines()):
        theirs = [(frame["FunctionName"], frame["StartFileName"], frame["StartLine"], frame["Line"])
                  for frame in json.loads(answer)["Symbol"]]
        ours = named[address, is_caller]
        frame_count += len(ours)
        if ours == theirs:
            continue
        if len(ours) == len(theirs) == 1 and theirs[0][2] == 0 and not theirs[0][1] and ours[0][0] == theirs[0][0]:
            reasons["symbol"] += 1
            if ours[0][3] != theirs[0][3]:
                wrong.append(f"{address - bias:#x}: another line, {ours[0]} and {theirs[0]}")
            continue
        if len(ours) == len(theirs):
            with_files = [(name, file or mine[1], *lines) for mine, (name, file, *lines) in zip(ours, theirs)]
            reasons["file"] += with_files != theirs
            theirs = with_files
            if ours == theirs:
                continue
        if not ours and len(theirs) == 1 and not theirs[0][1]:
            is_padding = not theirs[0][0]
            reasons["padding" if is_padding else "no-size"] += 1
            if not is_padding and theirs[0][3] != 0:
                wrong.append(f"{address - bias:#x}: ours has no line {theirs[0]}")
            continue
        mine, other = (ours[-1][0], theirs[-1][0]) if ours and theirs else ("", "")
        is_part = re.fullmatch(re.escape(mine) + r"\..*", other) or other in same_code.get(mine, ())
        if is_part and [*ours[:-1], ours[-1][1:]] == [*theirs[:-1], theirs[-1][1:]]:
            reasons["part"] += 1
        else:
            wrong.append(f"{address - bias:#x}{' caller' if is_caller else ''}\n  ours:   {ours}\n  theirs: {theirs}")
    print(len(keys), "locations,", frame_count, "frames;",
          ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())) or "no difference")
    if wrong:
        print(len(wrong), "differ:", *wrong[:10], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
