#!/usr/bin/env python3
"""Files of a megabyte or so that stand for as much as their format lets them: what a reader makes of each byte of them is
the most there is. No file is random, so that each run asks for the same.

Usage: hostile_files.py DIRECTORY, which it makes, with files.json: which commands to run on what (peak_memory.py).
"""

import dataclasses
import gzip
import hashlib
import itertools
import json
import pathlib
import struct
import subprocess
import sys
import zlib

import hostile_programs as programs
from hostile_records import (BRANCHES, PROGRAM_MAPPING, attribute, branch_sample, build_id, fork, mapping, pc_sample, pipe,
                             program_recording, record, recording)
from wire import number, sized, varint

MB = 1 << 20
KIND_BYTES = 1 << 16  # what tells the kind of a file


@dataclasses.dataclass
class HostileFile:
    """`size`: the bytes that the multiple is of. `commands`: the arguments of pgo, in which {} is the file, {program} a
    small program, {recording} a recording of it, {profile} a profile of it, {stacks} one of pprof, and {work} a directory.
    `refusal`: what the first command says, if it does not read the file."""
    name: str
    contents: bytes
    commands: list
    size: int = 0
    refusal: str = ""

    def __post_init__(self):
        self.size = self.size or len(self.contents)


def names(count):
    """That many short names, all different."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    size = next(size for size in itertools.count(1) if len(letters)**size >= count)
    return ["".join(name) for name in itertools.islice(itertools.product(letters, repeat=size), count)]


def zstd(contents):
    return subprocess.run(["zstd", "-3", "-c"], input=contents, capture_output=True, check=True).stdout


# Recordings.

SHOW = ["show", "{}"]
CONVERT = ["convert", "{}", "--binary", "{program}", "-o", "{work}/out.prof"]
DIFF = ["diff", "{}", "stacks", "-o", "{work}/diff.html", "-o", "{work}/diff.pb.gz", "-o", "{work}/diff.folded"]
COST = ["cost", "{}", "-o", "{work}/cost.json"]
VERIFY = ["verify", "{}", "{}", "--sampling-only", "-o", "{work}/verify.html", "-o", "{work}/verify.xml",
          "--report", "{work}/verify.json"]


def recordings():
    recorded = [SHOW, CONVERT, DIFF, COST, VERIFY]
    by_name = recorded + [CONVERT + ["--comm", "name"]]
    yield HostileFile("perf.data: events", pipe(record(64, attribute()) * 16384), recorded)
    yield HostileFile("perf.data: more events", pipe(record(64, attribute()) * 20000), recorded,
                      refusal="describes more than 16384 events")
    # One name for all: HEADER_ATTR with an id each, then EVENT_DESC with the name once and every id.
    ids = range(1, 16001)
    events = b"".join(record(64, attribute() + struct.pack("<Q", one)) for one in ids)
    chunks = [ids[begin:begin + 7000] for begin in range(0, len(ids), 7000)]
    described = b"".join(
        record(80, struct.pack("<QII", 12, 1, 0) + struct.pack("<II", len(chunk), 1024) + b"n" * 1024 +
               struct.pack(f"<{len(chunk)}Q", *chunk)) for chunk in chunks)
    yield HostileFile("perf.data: names of events", pipe(events + described), recorded)
    yield HostileFile("perf.data: ids of events", pipe(b"".join(
        record(64, attribute() + struct.pack("<7000Q", *range(begin, begin + 7000))) for begin in range(1, 140000, 7000))),
                      recorded)
    nested = b"".join(mapping(10, 0x1000 * i, 0x1000 * (60000 - 2 * i), 0) for i in range(1, 26000))
    yield HostileFile("perf.data: mappings in mappings", recording(nested), recorded)
    spread = b"".join(mapping(10, (i * 7919 % 26000) << 16, 0x1000, 0) for i in range(26000))
    yield HostileFile("perf.data: mappings of one process", recording(spread), recorded)
    yield HostileFile("perf.data: mappings of many files", recording(b"".join(
        mapping(10, i << 16, 0x1000, 0, name.encode()) for i, name in enumerate(names(22000)))), recorded)
    yield HostileFile("perf.data: mappings of many processes", recording(b"".join(
        mapping(i, 0x1000, 0x1000, 0) for i in range(26000))), recorded)
    yield HostileFile("perf.data: forks", recording(b"".join(fork(i, i - 1) for i in range(11, 33000))),
                      by_name)
    comm = struct.pack("<II", 1, 1) + b"n" * 64
    forks = record(3, comm) + b"".join(fork(i, 1) for i in range(11, 33000))
    yield HostileFile("perf.data: children with a name", recording(forks), by_name)
    yield HostileFile("perf.data: build IDs", pipe(record(64, attribute()) + b"".join(
        build_id(name.encode()) for name in names(26000))), recorded)
    yield compressed_recording("compressed forks", b"".join(fork(i, 1) for i in range(11, 100000)))
    yield compressed_recording("compressed forks of one kind", fork(2, 1) * 1000000, "more process events and build IDs")
    yield HostileFile("perf.data: samples of many processes", recording(b"".join(
        pc_sample(0x1000, i) for i in range(43000))), recorded)
    size = 60000
    every_place = PROGRAM_MAPPING + b"".join(
        branch_sample([(programs.CODE_AT + (i * j) % size, programs.CODE_AT + (i + j * 7) % size) for j in range(1, 30)])
        for i in range(1, 1500))
    yield HostileFile("perf.data: branches", recording(every_place, attribute(BRANCHES)),
                      [SHOW, ["convert", "{}", "--binary", "{wide_program}", "-o", "{work}/out.addr"]])
    yield HostileFile("perf.data: PC samples", recording(PROGRAM_MAPPING + b"".join(
        pc_sample(programs.CODE_AT + i % size) for i in range(43000))),
                      [SHOW, ["convert", "{}", "--binary", "{wide_program}", "-o", "{work}/out.addr"]])


def compressed_recording(what, records, refusal=""):
    packed = zstd(records)
    stored = b"".join(record(81, packed[at:at + 65000]) for at in range(0, len(packed), 65000))
    size = min(len(records), 16 * MB + 64 * len(stored))
    return HostileFile("perf.data: " + what, recording(stored), [SHOW, CONVERT], size, refusal)


# Stack profiles.

TYPE = sized(1, number(1, 1) + number(2, 2))
TEXTS = sized(6, b"") + sized(6, b"samples") + sized(6, b"count")


def ids(count):
    return [varint(i) for i in range(1, count + 1)]


def stack_profiles():
    commands = [SHOW, ["merge", "{}", "-o", "{work}/out.pb", "-o", "{work}/out.folded", "-o", "{work}/out.html"],
                DIFF, DIFF + ["--focus", "a", "--binary", "{program}"], COST, VERIFY]

    def pprof(what, *parts, refusal=""):
        return HostileFile("pprof: " + what, TYPE + TEXTS + b"".join(parts), commands, refusal=refusal)

    sample = sized(2, sized(1, b"\1") + sized(2, b"\1"))
    place = sized(4, number(1, 1))
    yield pprof("sample types", sized(1, b"") * 500000, refusal="more than 1024 sample types")
    yield pprof("allowed sample types", sized(1, b"") * 1023,
                (sized(2, sized(1, b"\1") + sized(2, b"\1" * 1024)) * 1000), place)
    yield pprof("empty strings", sized(6, b"") * 500000)
    yield pprof("strings", b"".join(sized(6, name.encode()) for name in names(150000)))
    yield pprof("comments", sized(13, b"\1" * 500000), refusal="more than 65536 comments")
    yield pprof("functions", sample, place, b"".join(sized(5, b"\x08" + i) for i in ids(200000)))
    # All that is there is needed: what a sample does not need is not kept for long.
    every = ids(60000)
    yield pprof("functions that are needed", sample,
                sized(4, number(1, 1) + b"".join(sized(4, b"\x08" + i) for i in every)),
                b"".join(sized(5, b"\x08" + i + b"\x28" + i) for i in every))
    yield pprof("mappings", sample, place, b"".join(sized(3, b"\x08" + i) for i in ids(200000)))
    yield pprof("mappings that are needed", sized(2, sized(1, b"".join(every)) + sized(2, b"\1")),
                b"".join(sized(4, b"\x08" + i + b"\x10" + i) for i in every),
                b"".join(sized(3, b"\x08" + i + b"\x10" + i) for i in every))
    yield pprof("locations", sized(2, sized(1, b"".join(ids(100000))) + sized(2, b"\1")),
                b"".join(sized(4, b"\x08" + i + b"\x18" + i) for i in ids(100000)))
    yield pprof("lines", sample, sized(4, number(1, 1) + sized(4, b"\x08\1") * 250000), sized(5, b"\x08\1"))
    yield pprof("frames", sized(2, sized(1, b"\1" * 1000000) + sized(2, b"\1")), place)
    yield pprof("samples", sized(2, b"\x0a\0\x12\1\1") * 150000)
    yield pprof("samples that differ", b"".join(
        sized(2, sized(1, i) + sized(2, b"\1")) for i in ids(16000) * 6),
                b"".join(sized(4, b"\x08" + i + b"\x18" + i) for i in ids(16000)))
    yield pprof("labels of one sample", sized(2, sized(1, b"\1") + sized(2, b"\1") + sized(3, b"\x10\1") * 250000), place)
    yield pprof("labels", b"".join(
        sized(2, sized(1, b"\1") + sized(2, b"\1") + sized(3, b"\x10\1\x18" + i)) for i in ids(60000)), place)
    long_name = sized(6, b"n" * 4000)
    yield pprof("one long name", sample, place, sized(4, b"\x08\2"), long_name,
                b"".join(sized(5, b"\x08" + i + b"\x10\3") for i in ids(4000)),
                refusal="more than 16 times the size of the profile")
    yield HostileFile("folded stacks: names", "".join(name + " 1\n" for name in names(140000)).encode(), commands)
    yield HostileFile("folded stacks: frames", b"a 1\n" * 8 + b"a;" * 500000 + b"a 1\n", commands)
    stacks = "".join(f"a;{name} 1\n" for name in names(140000)).encode()
    yield HostileFile("folded stacks, gzip", gzip.compress(stacks, mtime=0), commands, len(stacks))
    words = struct.pack("<5Q", 0, 3, 0, 1, 0) + b"".join(struct.pack("<3Q", 1, 1, i) for i in range(1, 43000))
    yield HostileFile("gperftools: records", words + struct.pack("<3Q", 0, 1, 0), commands)
    words = struct.pack("<5I", 0, 3, 0, 1, 0) + b"".join(struct.pack("<3I", 1, 1, i) for i in range(1, 86000))
    yield HostileFile("gperftools: records of 32 bits", words + struct.pack("<3I", 0, 1, 0), commands)


def small_stacks():
    """One sample in main, by name and line alone."""
    texts = b"".join(sized(6, text) for text in (b"", b"cpu", b"nanoseconds", b"samples", b"count", b"main"))
    return (sized(1, number(1, 3) + number(2, 4)) + sized(1, number(1, 1) + number(2, 2)) +
            sized(2, sized(1, b"\1") + sized(2, b"\1\1")) + sized(4, number(1, 1) + sized(4, number(1, 1) + number(2, 10))) +
            sized(5, number(1, 1) + number(2, 5)) + sized(11, number(1, 1) + number(2, 2)) + number(12, 1000) + texts)


# Address profiles.

def column(field, value, rows):
    return sized(field, value * rows)


def address_profiles():
    commands = [SHOW, CONVERT, ["merge", "{}", "-o", "{work}/out.addr"],
                ["convert", "{}", "--binary", "{program}", "-o", "{work}/named.pb"], DIFF, COST, VERIFY]
    begin = sized(1, b"ProdPGO address profile") + number(2, 2)

    def binary(tables, build=programs.BUILD_ID):
        return sized(3, sized(1, build) + sized(2, b"/program") + tables)

    rows = 200000
    # The first table goes forwards, the other backwards: rows have to be sorted.
    for way, step in (("", b"\2"), (", backwards", b"\1")):
        traces = sized(3, b"".join(column(i, value, rows) for i, value in enumerate((step, b"\2", b"\2", b"\1"), 1)))
        mispredicts = sized(4, column(1, step, rows) + column(2, b"\2", rows) + column(3, b"\1", rows))
        calls = sized(6, column(1, step, rows) + column(2, b"\2", rows) + column(3, b"\1", rows))
        pcs = sized(5, column(1, step, rows) + column(2, b"\1", rows))
        yield HostileFile(f".addr: traces{way}", begin + binary(traces), commands)
        yield HostileFile(f".addr: mispredicts, calls{way}", begin + binary(mispredicts + calls), commands)
        yield HostileFile(f".addr: PC samples{way}", begin + binary(pcs), commands)
    yield HostileFile(".addr: binaries", begin + sized(3, b"") * 65536, commands)
    yield HostileFile(".addr: binaries that differ", begin + b"".join(
        sized(3, sized(1, struct.pack("<I", i))) for i in range(60000)), commands)
    yield HostileFile(".addr: events", begin + sized(4, b"") * 65536, commands)
    for what, rows, refusal in (("compressed", 500000, ""),
                                ("compressed to too little", 4 * MB, "inflates to more than 1048576")):
        message = begin + binary(sized(5, column(1, b"\2", rows) + column(2, b"\1", rows)))
        yield HostileFile(".addr: " + what, zstd(message), commands, min(len(message), MB), refusal)


# Units of work.

def units_of_work():
    verify = ["verify", "stacks", "stacks", "--sampling-only", "--units-after", "@{}", "--units-before", "@{}"]
    short, long_names = names(200000), names(20000)
    yield HostileFile("units of work: hosts", "".join(name + " 1\n" for name in short).encode(), [verify],
                      refusal="have no entry for stacks")
    yield HostileFile("units of work: values of a label", "".join(name + " 1\n" for name in short).encode(),
                      [verify + ["--standardize", "endpoint"]], refusal="has the label 'endpoint'")
    yield HostileFile("units of work: values of hosts", "".join(
        f"{name} {name} 1\n" for name in long_names).encode(), [verify + ["--standardize", "endpoint"]],
                      refusal="has the label 'endpoint'")


# Profiles for compilers and for BOLT.

def sprof(form, *parts):
    return varint(0x5350524F46343200 | form) + varint(103) + b"".join(parts)


def summary(functions):
    return b"".join(map(varint, (1, 1, 1, 1, functions, 0)))


def name_table(texts):
    return varint(len(texts)) + b"".join(text.encode() + b"\0" for text in texts)


def ext_binary(*sections):
    """`sections`: (type, flags, contents)."""
    header = sprof(4) + struct.pack("<Q", len(sections))
    at = len(header) + 32 * len(sections)
    table, contents = b"", b""
    for kind, flags, part in sections:
        table += struct.pack("<QQQQ", kind, flags, at + len(contents), len(part))
        contents += part
    return header + table + contents


def compressed(contents):
    packed = zlib.compress(contents, 1)
    return varint(len(contents)) + varint(len(packed)) + packed


def counted_lines(count):
    """Of a function: the number of lines, and each with a count and no callees."""
    return varint(count) + b"".join(varint(i % 65536) + varint(i // 65536) + b"\1\0" for i in range(count))


SUMMARY, NAMES, FUNCTIONS, CONTEXTS = 1, 2, 32, 6
COMPRESSED, HAS_CONTEXTS = 1, 2 << 32


def llvm_profiles():
    commands = [SHOW, ["merge", "{}", "-o", "{work}/out.prof"], ["match", "{program}", "--profile", "{}"]]

    def binary(what, count, texts, body):
        return HostileFile("LLVM: " + what, sprof(0xFF, summary(count), name_table(texts), body), commands)

    many = names(70000)
    yield binary("functions", len(many), many, b"".join(b"\1" + varint(i) + b"\1\0\0" for i in range(len(many))))
    yield binary("lines", 1, ["f"], b"\1\0\1" + counted_lines(200000) + b"\0")
    yield binary("callees", 1, many, b"\1\0\1\1\0\0\1" + varint(len(many)) + b"".join(
        varint(i) + b"\1" for i in range(len(many))) + b"\0")
    yield binary("inlined calls", 1, ["f"], b"\1\0\1\0" + varint(150000) + b"".join(
        varint(i % 65536) + varint(i // 65536) + b"\0\1\0\0" for i in range(150000)))
    yield binary("inlined calls at one line", 1, many, b"\1\0\1\0" + varint(len(many)) + b"".join(
        b"\0\0" + varint(i) + b"\1\0\0" for i in range(len(many))))
    yield binary("deep inlined calls", 150, names(150), b"".join(
        b"\1" + varint(i) + b"\1\0\1" + b"\0\0\0\1\0\1" * 990 + b"\0\0\0\1\0\0" for i in range(150)))
    text = "".join(f"{name}:1:1\n" for name in names(100000)).encode()
    yield HostileFile("LLVM: text, functions", text, commands)
    text = ("f:1:1\n" + "".join(f" {i % 65536}.{i // 65536}: a:1\n  1: 1\n" for i in range(50000))).encode()
    yield HostileFile("LLVM: text, inlined calls", text, commands)
    contexts = varint(len(many)) + b"".join(b"\1" + varint(i) + b"\0\0" for i in range(len(many)))
    functions = b"".join(b"\1" + varint(i) + b"\1\0\0" for i in range(len(many)))
    yield HostileFile("LLVM: contexts", ext_binary(
        (SUMMARY, HAS_CONTEXTS, summary(len(many))), (NAMES, 0, name_table(many)), (CONTEXTS, 0, contexts),
        (FUNCTIONS, 0, functions)), commands)
    lines = b"\1\0\1" + counted_lines(300000) + b"\0"
    yield HostileFile("LLVM: compressed", ext_binary(
        (SUMMARY, 0, summary(1)), (NAMES, 0, name_table(["f"])), (FUNCTIONS, COMPRESSED, compressed(lines))),
                      commands, len(lines))


def gcc_profiles():
    def gcc(what, count, texts, body, refusal=""):
        table = struct.pack("<III", 0xAA000000, 0, len(texts)) + b"".join(
            struct.pack("<I", len(text) + 1) + text.encode() + b"\0" for text in texts)
        file = struct.pack("<III", 0x67636461, 2, 0) + table + struct.pack("<III", 0xAC000000, 0, count) + body
        return HostileFile("GCC: " + what, file + struct.pack("<IIII", 0xAE000000, 0, 0, 0xAF000000), [SHOW],
                           refusal=refusal)

    many = [""] + names(40000)
    yield gcc("functions", 40000, many, b"".join(struct.pack("<QIII", 1, i, 0, 0) for i in range(1, 40001)))
    yield gcc("positions", 1, ["", "f"], struct.pack("<QIII", 1, 1, 60000, 0) + b"".join(
        struct.pack("<IIQ", i, 0, 1) for i in range(60000)))
    yield gcc("inlined calls", 1, ["", "f"], struct.pack("<QIII", 1, 1, 0, 60000) + b"".join(
        struct.pack("<IIII", i, 1, 0, 0) for i in range(60000)))
    yield gcc("callees", 1, many, struct.pack("<QIIIIIQ", 1, 1, 1, 0, 0, 40000, 1) + b"".join(
        struct.pack("<IQQ", 7, i, 1) for i in range(1, 40001)))
    yield gcc("long names", 1, ["", "n" * 4000], struct.pack("<QIII", 1, 1, 0, 30000) + b"".join(
        struct.pack("<IIII", i, 1, 0, 0) for i in range(30000)), "more than 64 times the size of the file")


def bolt_profiles():
    yield HostileFile("fdata: branches", b"1 a 0 1 a 0 0 1\n" * 65000, [SHOW])
    yield HostileFile("fdata: names", "".join(f"1 {name} 0 1 a 0 0 1\n" for name in names(55000)).encode(), [SHOW])
    yield HostileFile("fdata: events", b"no_lbr" + b" a" * 500000 + b"\n1 a 0 1\n", [SHOW])
    header = b"---\nheader:\n  profile-version: 1\nfunctions:\n"
    yield HostileFile("BOLT YAML: functions", header + b"  - name:\n" * 100000 + b"...\n", [SHOW])
    yield HostileFile("pre-aggregated traces", b"".join(b"T %x 1 1 1\n" % i for i in range(1, 80000)), [SHOW, CONVERT])
    yield HostileFile("pre-aggregated events", b"T 1 1 1 1\n" + b"E a\n" * 250000, [SHOW, CONVERT])


# What no reader reads.

def kinds():
    # 1 GB of zeros in a few kilobytes: each member stands for 16 MB.
    zeros = gzip.compress(bytes(16 * MB), mtime=0) * 64
    line = gzip.compress(b"a" * (16 * MB), mtime=0) * 64
    packed = zstd(bytes(16 * MB)) * 64
    for what, contents in (("zeros, gzip", zeros), ("zeros, gzip twice", gzip.compress(zeros, mtime=0)),
                           ("one line, gzip", line), ("zeros, zstd", packed),
                           ("zeros, zstd in gzip", gzip.compress(packed, mtime=0))):
        yield HostileFile(what, contents, [SHOW, CONVERT, ["merge", "{}", "-o", "{work}/out.pb"]], KIND_BYTES,
                          "none of the known formats")


def reports():
    start = b'{"binaries":[],"branches":{},"evidence":"","samples":{},"x":'
    yield HostileFile("report: deep", start + b"[" * MB, [SHOW], refusal="more than 64 levels deep")
    yield HostileFile("report: deep objects", start + b'{"":' * (MB // 4), [SHOW], refusal="more than 64 levels deep")
    yield HostileFile("report: numbers", start + b"[" + b"0," * (MB // 2) + b"0]}", [SHOW])
    yield HostileFile("report: lists", start + b"[" + b"[]," * (MB // 3) + b"0]}", [SHOW])
    yield HostileFile("report: objects", start + b"[" + b"{}," * (MB // 3) + b"0]}", [SHOW])
    yield HostileFile("report: objects with a field", start + b"[" + b'{"":0},' * (MB // 7) + b"0]}", [SHOW])
    fields = "".join(f'"{name}":0,' for name in names(100000)).encode()
    yield HostileFile("report: fields", start + b"{" + fields + b'"":0}}', [SHOW])
    yield HostileFile("report: binaries", b'{"binaries":[' + b'{"path":"p"},' * (MB // 13) +
                      b'{}],"branches":{},"evidence":"","samples":{}}', [SHOW])
    yield HostileFile("report: warnings", start + b'0,"warnings":[{"messages":[' + b'"",' * (MB // 3) + b'""]}]}', [SHOW])


# Programs and debug information.

def hostile_programs():
    commands = [["convert", "{recording}", "--binary", "{}", "-o", "{work}/out.prof"],
                ["convert", "{stacks}", "--binary", "{}", "-o", "{work}/out.prof"],
                ["convert", "{recording}", "--binary", "{}", "-o", "{work}/named.pb"],
                ["match", "{}", "--profile", "{profile}"]]

    def debug(what, info, refusal="", **more):
        return HostileFile("ELF: " + what, programs.program(info, **more), commands, refusal=refusal)

    symbols = b"".join(struct.pack("<IBBHQQ", 1, 2, 0, 1, programs.CODE_AT, 64) for _ in range(43000))
    yield HostileFile("ELF: symbols", programs.elf([], symbols=symbols), [SHOW] + commands)
    symbols = b"".join(struct.pack("<IBBHQQ", 1, 2, 0, 1, programs.CODE_AT + i, 1) for i in range(43000))
    yield HostileFile("ELF: symbols that differ", programs.elf([], symbols=symbols, code_size=43000), [SHOW] + commands)
    yield HostileFile("ELF: sections", programs.elf([("", b"")] * 15000), [SHOW] + commands)

    main = programs.main() + b"\0"
    # A row takes a byte; two units share the program, so that two threads may read it at once.
    rows = programs.line_table(programs.line_program(b"\x13" * (MB + 1)))
    yield debug("line rows", programs.code_unit(main) * 2, lines=rows)
    # It also compiles programs, which takes seconds.
    yield HostileFile("ELF: line rows for doctor", programs.program(programs.code_unit(main), lines=rows),
                      [["doctor", "--binary", "{}"]])
    yield debug("line rows of one unit", programs.code_unit(main), lines=rows)
    forward = programs.line_table(programs.line_program(b"\x21" * (MB + 1)))
    yield debug("line rows of long code", programs.code_unit(programs.main(MB) + b"\0", size=MB), lines=forward,
                code_size=MB)
    sequences = programs.line_table(programs.line_program(b"\x21" * 40) + b"\x20\x20\0\1\1" * (MB // 5))
    yield debug("line sequences", programs.code_unit(main) * 2, lines=sequences)
    yield debug("units", programs.code_unit(main) + programs.unit(varint(5)) * 27000)
    yield debug("units of code", programs.code_unit(main) * 16000)
    elsewhere = programs.range_list(b"\4" + varint(128) + varint(129))
    yield debug("functions", programs.code_unit(main + (varint(3) + b"f\0\0") * (MB // 4)) * 2, ranges=elsewhere)
    yield debug("functions without code", programs.code_unit(main + (varint(6) + b"f\0") * (MB // 3)) * 2)
    deep = (varint(7) + struct.pack("<I", 33) + b"\0\1") * 900 + b"\0" * 900
    rows = programs.line_table(programs.line_program(b"\x21" * 60000))
    yield debug("deep inlined calls with lines", programs.code_unit(programs.main(60000) + deep + b"\0", size=60000),
                lines=rows, ranges=programs.range_list(b"\4\0" + varint(60000)), code_size=60000)
    declared = b"".join(varint(i) + b"\x2e\0\0\0" for i in range(8, 150000))
    yield debug("abbreviations", programs.code_unit(main) * 2, refusal="bytes of abbreviations",
                abbreviations=programs.ABBREVIATIONS[:-1] + declared + b"\0")
    inlined = varint(4) + struct.pack("<I", 33) + b"\0\1"
    yield debug("inlined calls", programs.code_unit(programs.main() + inlined * (MB // 7) + b"\0") * 2)
    ranges = programs.range_list(b"".join(b"\4" + varint(i % 63) + varint(i % 63 + 1) for i in range(MB // 3)))
    yield debug("ranges", programs.code_unit(main + varint(3) + b"f\0\0") * 2, ranges=ranges)
    yield debug("ranges of many functions", programs.code_unit(main + (varint(3) + b"f\0\0") * 100) * 2,
                "more functions and ranges of code", ranges=ranges)
    # As large as .debug_line may be, and longer than line programs may be together.
    rows = programs.line_table(programs.line_program(b"\x13" * (15 * MB)))
    packed = struct.pack("<IIQQ", 1, 0, len(rows), 1) + zlib.compress(rows)
    yield HostileFile("ELF: compressed line rows", programs.elf([
        (".debug_abbrev", programs.ABBREVIATIONS), (".debug_info", programs.code_unit(main)),
        (".debug_line", packed, 0x800)]), commands, 15 * MB, "bytes of line program")
    function = hashlib.md5(b"main").digest()[:8]
    described = function + struct.pack("<QB", 1, 4) + b"main"
    # One with an address, the others at the same.
    probes = function + varint(MB // 3) + b"\0\1\0" + struct.pack("<Q", programs.CODE_AT) + b"\1\x80\0" * (MB // 3 - 1)
    yield HostileFile("ELF: probes", programs.elf([(".pseudo_probe_desc", described), (".pseudo_probe", probes)]), commands)
    described += b"".join(struct.pack("<QQB", i, 1, 0) for i in range(60000))
    yield HostileFile("ELF: functions with probes", programs.elf([
        (".pseudo_probe_desc", described), (".pseudo_probe", function + b"\1\0\1\0" +
                                              struct.pack("<Q", programs.CODE_AT))]), commands)


def hostile_files():
    for kind in (kinds, recordings, stack_profiles, address_profiles, units_of_work, llvm_profiles, gcc_profiles, bolt_profiles, reports,
                 hostile_programs):
        yield from kind()


def main():
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir()
    helpers = {"program": programs.program(programs.code_unit(programs.main() + b"\0")),
               "wide_program": programs.elf([], code_size=60000), "recording": program_recording(),
               "profile": b"main:100:10\n 1: 10\n 2: 10\n", "stacks": small_stacks()}
    for name, contents in helpers.items():
        (directory / name).write_bytes(contents)
    small = [["show", "stacks"], ["merge", "stacks", "-o", "out.pb"], ["diff", "stacks", "stacks"],
             ["cost", "stacks"], ["verify", "stacks", "stacks", "--sampling-only"], ["match", "program", "--profile", "profile"],
             ["convert", "recording", "--binary", "program", "-o", "out.prof"], ["doctor", "--binary", "program"]]
    files = []
    for file in hostile_files():
        path = directory / f"file{len(files)}"
        path.write_bytes(file.contents)
        commands = []
        for number, command in enumerate(file.commands):
            # Commands run side by side, and each has outputs of its own.
            work = directory / f"{path.name}.{number}"
            work.mkdir()
            names = {"work": work.name, **{name: name for name in helpers}}
            commands.append([word.format(path.name, **names) for word in command])
        files.append({"name": file.name, "path": path.name, "size": file.size, "refusal": file.refusal, "commands": commands})
    (directory / "files.json").write_text(json.dumps({"small": small, "files": files}, indent=1))


if __name__ == "__main__":
    main()
