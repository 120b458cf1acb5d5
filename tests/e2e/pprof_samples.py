#!/usr/bin/env python3
"""Prints what pprof profiles count, sample by sample, in a form that neither numbers of things nor the
addresses of mappings show in: one line per sample, sorted. Reads the wire by itself, so that it can judge
both our writer and other people's.

Usage: pprof_samples.py [--header] FILE

--header prints the header instead: sample types, period, time, duration, comments and the like.
"""

import gzip
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << 64) - 1, at


def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            assert tag & 7 == 2, tag
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value


def numbers(value):
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        number, at = varint(value, at)
        found.append(number)
    return found


def message(data, lists=()):
    """{field: value}; a list for the fields of `lists`."""
    found = {field: [] for field in lists}
    for field, value in fields(data):
        if field in lists:
            found[field].append(value)
        else:
            found[field] = value
    return found


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def main():
    data = open(sys.argv[-1], "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    top = message(data, lists=(1, 2, 3, 4, 5, 6, 13))
    texts = [text.decode() for text in top[6]]

    def value_type(part):
        part = message(part)
        return texts[part.get(1, 0)] + "/" + texts[part.get(2, 0)]

    if "--header" in sys.argv:
        print("types", *(value_type(part) for part in top[1]))
        print("period", value_type(top.get(11, b"")), top.get(12, 0))
        print("time", top.get(9, 0), "duration", top.get(10, 0))
        print("comments", sorted(texts[i] for part in top[13] for i in numbers(part)))
        print("default", texts[top.get(14, 0)], "url", texts[top.get(15, 0)])
        print("frames", texts[top.get(7, 0)], texts[top.get(8, 0)])
        return

    functions = {}
    for part in map(message, top[5]):
        functions[part[1]] = ":".join([texts[part.get(i, 0)] for i in (2, 3, 4)] + [str(part.get(5, 0))])
    mappings = {}
    for part in map(message, top[3]):
        mappings[part[1]] = (part.get(2, 0), f"{texts[part.get(5, 0)]}[{texts[part.get(6, 0)]}]"
                             f"+{part.get(4, 0):x}")
    locations = {}
    for part in (message(part, lists=(4,)) for part in top[4]):
        begin, name = mappings.get(part.get(2, 0), (0, "-"))
        lines = []
        for line in map(message, part[4]):
            lines.append(f"{functions[line[1]]}@{signed(line.get(2, 0))}.{signed(line.get(3, 0))}")
        locations[part[1]] = f"{name}@{part.get(3, 0) - begin & (1 << 64) - 1:x}{lines}{part.get(5, 0)}"
    samples = {}
    for part in (message(part, lists=(1, 2, 3)) for part in top[2]):
        stack = [locations[i] for ids in part[1] for i in numbers(ids)]
        values = [signed(value) for packed in part[2] for value in numbers(packed)]
        words, counts = [], []
        for label in map(message, part[3]):
            key = texts[label.get(1, 0)]
            if label.get(2, 0):
                words.append((key, texts[label[2]]))
            elif label.get(3, 0) or label.get(4, 0):
                counts.append((key, signed(label.get(3, 0)), texts[label.get(4, 0)]))
        # Values of one key keep their order; keys have none.
        words.sort(key=lambda label: label[0])
        counts.sort(key=lambda label: label[0])
        key = f"{stack} {words} {counts}"
        known = samples.setdefault(key, [0] * len(values))
        samples[key] = [a + b for a, b in zip(known, values)]
    for key in sorted(samples):
        print(*samples[key], key)


if __name__ == "__main__":
    main()
