"""Records of perf.data, as short as they may be, and files of them (hostile_files.py)."""

import struct

import hostile_programs as programs


def record(kind, body, misc=2):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


# Of software, a clock, with address and thread; with branch stacks.
PC_SAMPLES, BRANCHES = 3, 3 | 1 << 11


def attribute(sample_type=PC_SAMPLES):
    """As short as it may be; of branch stacks it says that they have any branches."""
    branches = struct.pack("<QQ", 0, 8) if sample_type == BRANCHES else b""
    return struct.pack("<IIQQQQQQQ", 1, 64 + len(branches), 0, 1, sample_type, 0, 0, 0, 0) + branches


def recording(records, attr=attribute()):
    """As perf record writes it to a file, with one event."""
    attrs = attr + bytes(16)
    header = struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, len(attrs), 104, len(attrs), 104 + len(attrs), len(records), 0, 0)
    return header + bytes(32) + attrs + records


def pipe(records):
    return b"PERFILE2" + struct.pack("<Q", 16) + records


def mapping(pid, addr, size, offset, name=b"", misc=2):
    return record(1, struct.pack("<IIQQQ", pid, pid, addr, size, offset) + name + bytes(-len(name) % 8), misc)


def fork(pid, parent):
    return record(7, struct.pack("<IIIIQ", pid, parent, pid, parent, 0))


def build_id(path):
    return record(67, struct.pack("<i20sB3x", -1, programs.BUILD_ID, 20) + path + b"\0", 1 << 15)


PROGRAM_MAPPING = record(10, struct.pack("<IIQQQ", 10, 10, programs.CODE_AT, 0x1000, 0x1000) +
                         struct.pack("<B3x20sII", 20, programs.BUILD_ID, 5, 2) + b"/program\0\0\0\0\0\0\0\0", 1 << 14 | 2)


def branch_sample(branches):
    stack = b"".join(struct.pack("<QQQ", *branch, 0) for branch in branches)
    return record(9, struct.pack("<QIIQ", branches[0][1], 10, 10, len(branches)) + stack)


def pc_sample(at, pid=10):
    return record(9, struct.pack("<QII", at, pid, pid))


def program_recording(size=64):
    """Of the program: a loop over all of its code."""
    begin, end = programs.CODE_AT, programs.CODE_AT + size - 1
    return recording(PROGRAM_MAPPING + branch_sample([(end, begin)] * 4) * 20, attribute(BRANCHES))
