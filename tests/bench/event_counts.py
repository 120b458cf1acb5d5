"""Reads what the product's event counter (pgo/record/plugin/count_state.h) wrote."""
import struct

SLOTS_OFFSET, SLOT_SIZE = 4096, 64


def read_counts(path):
    """(instructions, taken branches) of all threads and processes."""
    with open(path, "rb") as file:
        contents = file.read()
    (slots,) = struct.unpack_from("<I", contents)
    counts = [struct.unpack_from("<QQ", contents, SLOTS_OFFSET + SLOT_SIZE * slot) for slot in range(slots)]
    return tuple(map(sum, zip(*counts)))
