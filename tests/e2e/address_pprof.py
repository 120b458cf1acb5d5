#!/usr/bin/env python3
"""Writes a pprof profile of all instructions of a program, without any name, as google/pprof's profile.proto has it:
each instruction of .text was sampled once, and each return address is once the caller of the sample.

Usage: address_pprof.py PROGRAM OUT [own|process]

own: addresses are the ELF file's own, as most agents that use eBPF write them; process: as in a process that has the
program's code at another address.
"""

import re
import subprocess
import sys

from wire import number, sized, varint

LLVM = "/usr/lib/llvm-22/bin/"
BEGIN = 0x555555554000


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    program, out, how = sys.argv[1:]
    code, returns, after_call = [], [], False
    for line in run(LLVM + "llvm-objdump", "-d", "--no-show-raw-insn", "-j", ".text", program).splitlines():
        found = re.match(r"\s*([0-9a-f]+):\s+(\S+)", line)
        if not found:
            continue
        code.append(int(found[1], 16))
        if after_call:
            returns.append(code[-1])
        after_call = found[2].startswith("call")
    build_id = re.search(r"Build ID: ([0-9a-f]+)", run(LLVM + "llvm-readelf", "-n", program))[1]
    segment = next([int(word, 16) for word in line.split()[1:5]]
                   for line in run(LLVM + "llvm-readelf", "-lW", program).splitlines()
                   if line.split()[:1] == ["LOAD"] and " E " in line)
    offset, address, _, size = segment
    # A page holds no more than its own file positions.
    bias = BEGIN - address if how == "process" else 0
    mapping = number(1, 1) + number(5, 1) + number(6, 2)
    if how == "process":
        mapping += number(2, BEGIN) + number(3, BEGIN + size) + number(4, offset)
    texts = ["", program, build_id, "samples", "count"]
    message = sized(1, number(1, 3) + number(2, 4)) + sized(3, mapping)
    for place, at in enumerate(code, 1):
        message += sized(4, number(1, place) + number(2, 1) + number(3, at + bias))
        message += sized(2, sized(1, varint(place)) + sized(2, varint(1)))
    # Callers have locations of their own, as producers may well write them.
    for place, at in enumerate(returns, len(code) + 1):
        message += sized(4, number(1, place) + number(2, 1) + number(3, at + bias))
        message += sized(2, sized(1, varint(1) + varint(place)) + sized(2, varint(1)))
    message += b"".join(sized(6, text.encode()) for text in texts)
    open(out, "wb").write(message)


if __name__ == "__main__":
    main()
