"""ELF files with much debug information, many symbols or sections; written field by field, as ELF and DWARF 5 have them.

A program has code of its own, one function (`main`) and a build ID, so that recordings fit it.
"""

import struct

from wire import varint

CODE_AT = 0x401000
BUILD_ID = bytes(range(1, 21))
FORM_STRING, FORM_ADDR, FORM_DATA1, FORM_DATA4, FORM_REF4, FORM_SEC_OFFSET, FORM_RNGLISTX = 8, 1, 0x0B, 6, 0x13, 0x17, 0x23


def elf(sections, code_size=64, symbols=b"", strings=b"\0main\0"):
    """`sections`: (name, contents) of debug information, or (name, contents, flags). `symbols` follow the one of main."""
    code = b"\x90" * (code_size - 1) + b"\xc3"
    note = struct.pack("<III4s", 4, len(BUILD_ID), 3, b"GNU\0") + BUILD_ID
    table = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, CODE_AT, code_size) + symbols
    # Name, type, flags, address, contents, link, size of an entry.
    every = [("", 0, 0, 0, b"", 0, 0), (".text", 1, 6, CODE_AT, code, 0, 0),
             (".note.gnu.build-id", 7, 2, 0x400200, note, 0, 0)]
    every += [(name, 1, flags[0] if flags else 0, 0, contents, 0, 0) for name, contents, *flags in sections]
    every += [(".symtab", 2, 0, 0, table, len(every) + 1, 24), (".strtab", 3, 0, 0, strings, 0, 0)]
    names = b"".join(section[0].encode() + b"\0" for section in every) + b".shstrtab\0"
    every.append((".shstrtab", 3, 0, 0, names, 0, 0))
    file, headers, name_at = bytearray(0x1000), b"", 0
    for name, kind, flags, addr, contents, link, entry in every:
        file += bytes(-len(file) % 16)
        headers += struct.pack("<IIQQQQIIQQ", name_at, kind, flags, addr, len(file), len(contents), link, 1, 1, entry)
        name_at += len(name) + 1
        file += contents
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, CODE_AT, CODE_AT, code_size, code_size, 0x1000)
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, CODE_AT, 64, len(file), 0, 64, 56, 1, 64,
                                                       len(every), len(every) - 1)
    file[:len(header) + len(segment)] = header + segment
    return bytes(file) + headers


def abbreviation(code, tag, has_children, *attributes):
    return varint(code) + varint(tag) + bytes([has_children]) + b"".join(map(varint, sum(attributes, ()))) + b"\0\0"


LOW_PC, HIGH_PC, NAME, LINKAGE_NAME, DECL_LINE, STMT_LIST = 0x11, 0x12, 3, 0x6E, 0x3B, 0x10
RANGES, RNGLISTS_BASE, ORIGIN, CALL_LINE = 0x55, 0x74, 0x31, 0x59
ABBREVIATIONS = b"".join([
    # 1: a unit; 2: a function in one piece; 3: one whose ranges are in a list; 4: a call of the function at an offset that
    # was inlined; 5: the unit of nothing; 6: a function without code; 7: as 4, with what is inlined into it.
    abbreviation(1, 0x11, 1, (STMT_LIST, FORM_SEC_OFFSET), (LOW_PC, FORM_ADDR), (HIGH_PC, FORM_DATA4),
                 (RNGLISTS_BASE, FORM_SEC_OFFSET)),
    abbreviation(2, 0x2E, 1, (LINKAGE_NAME, FORM_STRING), (DECL_LINE, FORM_DATA1), (LOW_PC, FORM_ADDR),
                 (HIGH_PC, FORM_DATA4)),
    abbreviation(3, 0x2E, 0, (NAME, FORM_STRING), (RANGES, FORM_RNGLISTX)),
    abbreviation(4, 0x1D, 0, (ORIGIN, FORM_REF4), (RANGES, FORM_RNGLISTX), (CALL_LINE, FORM_DATA1)),
    abbreviation(5, 0x11, 0),
    abbreviation(6, 0x2E, 0, (NAME, FORM_STRING)),
    abbreviation(7, 0x1D, 1, (ORIGIN, FORM_REF4), (RANGES, FORM_RNGLISTX), (CALL_LINE, FORM_DATA1)),
]) + b"\0"


def unit(entries):
    body = struct.pack("<HBBI", 5, 1, 8, 0) + entries
    return struct.pack("<I", len(body)) + body


def code_unit(entries, low=CODE_AT, size=64, lines_at=0):
    """A unit of code; `entries` stand within it, the first at offset 33 of the unit."""
    return unit(varint(1) + struct.pack("<IQII", lines_at, low, size, 12) + entries + b"\0")


def line_table(program):
    lengths = bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    header = bytes([1, 1, 1, 0xFB, 14, 13]) + lengths + b"\1\1\x08\1/\0" + b"\1\1\x08\2a.c\0a.c\0"
    body = struct.pack("<HBBI", 5, 8, 0, len(header)) + header + program
    return struct.pack("<I", len(body)) + body


def line_program(rows, low=CODE_AT):
    return b"\0\x09\2" + struct.pack("<Q", low) + b"\1" + rows + b"\2\x40" + b"\0\1\1"


def range_list(pairs):
    """One list, as number 0: offset_pair entries relative to CODE_AT."""
    entries = b"\5" + struct.pack("<Q", CODE_AT) + pairs + b"\0"
    body = struct.pack("<HBBI", 5, 8, 0, 1) + struct.pack("<I", 4) + entries
    return struct.pack("<I", len(body)) + body


def program(info, lines=line_table(line_program(b"\x21" * 40)), ranges=range_list(b"\4\0\x40"),
            abbreviations=ABBREVIATIONS, **more):
    return elf([(".debug_abbrev", abbreviations), (".debug_info", info), (".debug_line", lines),
                (".debug_rnglists", ranges)], **more)


def main(size=64):
    """A function whose body is all of the code; what is in it follows, and then a zero."""
    return varint(2) + b"main\0\1" + struct.pack("<QI", CODE_AT, size)
