#!/usr/bin/env python3
"""Writes a pprof profile of stacks by name, field by field as google/pprof's profile.proto has them.

Usage: built_pprof.py [--default TYPE] [--label KEY=TEXT] OUT TYPE/UNIT... < TEXT

A line of TEXT is a stack, root first, and one value for each type: "main;work 3 -40". A line "map PATH ID"
begins a mapping, which the stacks after it are in. All samples have the label.
"""

import argparse
import sys

from wire import number, sized, varint


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--default", default="")
    parser.add_argument("--label", default="")
    parser.add_argument("out")
    parser.add_argument("types", nargs="+")
    options = parser.parse_args()
    texts, places, mappings, message = {"": 0}, {}, 0, b""

    def text(value):
        return texts.setdefault(value, len(texts))

    for name in options.types:
        kind, unit = name.split("/")
        message += sized(1, number(1, text(kind)) + number(2, text(unit)))
    label = b""
    if options.label:
        key, value = options.label.split("=")
        label = sized(3, number(1, text(key)) + number(2, text(value)))
    for line in sys.stdin:
        words = line.split()
        if words[0] == "map":
            mappings += 1
            message += sized(3, number(1, mappings) + number(5, text(words[1])) + number(6, text(words[2])))
            continue
        stack = [places.setdefault((name, mappings), len(places) + 1) for name in reversed(words[0].split(";"))]
        values = b"".join(varint(int(value)) for value in words[1:])
        message += sized(2, sized(1, b"".join(map(varint, stack))) + sized(2, values) + label)
    for (name, mapping), place in places.items():
        message += sized(4, number(1, place) + number(2, mapping) + sized(4, number(1, place) + number(2, 1)))
        message += sized(5, number(1, place) + number(2, text(name)) + number(5, 1))
    message += number(14, text(options.default))
    message += b"".join(sized(6, value.encode()) for value in texts)
    open(options.out, "wb").write(message)


main()
