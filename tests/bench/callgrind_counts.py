#!/usr/bin/env python3
"""How often a program's instructions ran and its branches were taken, exactly: by callgrind.

    callgrind_counts.py DIRECTORY PROGRAM ARGUMENTS...

Writes DIRECTORY/counts, `ADDRESS COUNT` for each instruction that ran, and DIRECTORY/exact.preagg, the same
as traces: straight-line code by how often it ran (F), jumps that were taken and calls (B); see
converters/preaggregated/preaggregated.h. Addresses are those of the ELF file.

callgrind cannot read clang's debug information, so it runs a copy without. It counts a rep instruction once
a round.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

LLVM = "/usr/lib/llvm-22/bin/"
COPY = "program_without_debug"
CALL = re.compile(r"calls=(\d+) (0x\w+)")
JUMP = re.compile(r"(?:jump=|jcnd=)(\d+)(?:/\d+)? (0x\w+)")
INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\s+(\S+)")
ENDS_RUN = re.compile(r"j|call|ret|ud2|hlt")


class Counts:
    """`ran[address]`, `branches[from, to]`; from is 0 outside of the program."""

    def __init__(self):
        self.ran, self.branches = collections.Counter(), collections.Counter()

    def read(self, lines):
        """What callgrind wrote with absolute positions and names."""
        here = there = False  # in the program: what runs, what is called
        pending = None  # of the next line: (times, address, whether that is in the program)
        for line in lines:
            if line.startswith("0x"):
                at, _, count = line.rstrip().partition(" ")
                at = int(at, 16)
                if pending is None:
                    if here:
                        self.ran[at] += int(count or 0)
                else:
                    times, target, within = pending
                    if within and times:
                        self.branches[at if here else 0, target] += times
                    pending = None
            elif line.startswith("ob="):
                here = there = line.rstrip().endswith("/" + COPY)
            elif line.startswith("cob="):
                there = line.rstrip().endswith("/" + COPY)
            elif found := CALL.match(line):
                pending, there = (int(found[1]), int(found[2], 16), there), here
            elif found := JUMP.match(line):
                pending = int(found[1]), int(found[2], 16), here
        return self

    def runs(self, instructions):
        """(first, last, count) of straight-line code; `instructions` are (address, ends a run), by address."""
        run = None
        for at, ends in instructions:
            count = self.ran[at]
            if run and (run[2] != count):
                yield tuple(run)
                run = None
            if count:
                run = [run[0] if run else at, at, count]
                if ends:
                    yield tuple(run)
                    run = None
        if run:
            yield tuple(run)


def disassemble(program):
    process = subprocess.Popen([LLVM + "llvm-objdump", "-d", "--no-show-raw-insn", program],
                               stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if found := INSTRUCTION.match(line):
            yield int(found[1], 16), bool(ENDS_RUN.match(found[2]))
    if process.wait() != 0:
        raise RuntimeError(f"llvm-objdump of {program} failed")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    directory, program, *arguments = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    copy, written = directory / COPY, directory / "callgrind.out"
    subprocess.run([LLVM + "llvm-objcopy", "--strip-debug", program, copy], check=True)
    ran = subprocess.run(
        ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--collect-jumps=yes", "--dump-line=no",
         "--compress-pos=no", "--compress-strings=no", f"--callgrind-out-file={written}", copy, *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ran.returncode != 0:
        sys.exit(f"callgrind of {program} failed\n{ran.stderr[-2000:]}")
    with open(written) as lines:
        counts = Counts().read(lines)
    with open(directory / "counts", "w") as out:
        out.writelines(f"{at:x} {count}\n" for at, count in sorted(counts.ran.items()))
    with open(directory / "exact.preagg", "w") as out:
        out.writelines(f"F {first:x} {last:x} {count}\n"
                       for first, last, count in counts.runs(disassemble(program)))
        out.writelines(f"B {source:x} {to:x} {times} 0\n"
                       for (source, to), times in sorted(counts.branches.items()))
    os.unlink(copy)
    os.unlink(written)


if __name__ == "__main__":
    main()
