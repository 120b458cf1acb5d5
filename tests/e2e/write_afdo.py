"""write_afdo.py > FILE: a profile as GCC 12 reads it, field by field, with counts of main."""
import struct
import sys

names = b"".join(struct.pack("<I", len(n) + 1) + n + b"\0" for n in (b"", b"main"))
lines = [(1 << 16, 10), (4 << 16, 1000)]
body = struct.pack("<QIII", 10, 1, len(lines), 0) + b"".join(struct.pack("<IIQ", o, 0, c) for o, c in lines)


def words(data):
    return (len(data) + 3) // 4


sys.stdout.buffer.write(
    struct.pack("<III", 0x67636461, 2, 0)
    + struct.pack("<III", 0xAA000000, words(names) + 1, 2)
    + names
    + struct.pack("<III", 0xAC000000, words(body) + 1, 1)
    + body
    + struct.pack("<III", 0xAE000000, 0, 0)
    + struct.pack("<II", 0xAF000000, 384)
    + 128 * struct.pack("<IQ", 0, 0)
)
