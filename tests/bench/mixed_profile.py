#!/usr/bin/env python3
"""Makes one sample profile of two: some counts of an inferred one are replaced by those of an exact one.

    mixed_profile.py blocks|calls|copies INFERRED EXACT OUT

All are LLVM's text, of the same binary and of the same weight. What is replaced:

    blocks    the counts of lines or probes; functions and inlined copies that only one of them has included
    calls     heads (how often functions are entered), and the targets of calls with their counts
    copies    how the counts of a line or probe are divided among the copies of its function that were inlined
              or not; their sum stays as inferred
"""
import collections
import dataclasses
import pathlib
import re
import sys

NUMBER = re.compile(r"\d")


@dataclasses.dataclass
class Function:
    """A function, or an inlined copy of one."""

    name: str
    head: int = 0
    counts: dict = dataclasses.field(default_factory=dict)  # position: count
    targets: dict = dataclasses.field(default_factory=dict)  # position: [(name, count)]
    inlined: dict = dataclasses.field(default_factory=dict)  # (position, name): Function
    notes: list = dataclasses.field(default_factory=list)  # lines that begin with !

    def total(self):
        return sum(self.counts.values()) + sum(copy.total() for copy in self.inlined.values())

    def copies(self, path=()):
        """(path of positions and names, Function) of it and of all that is inlined."""
        path = (*path, self.name)
        yield path, self
        for (position, _), copy in self.inlined.items():
            yield from copy.copies((*path, position))


def parse(lines):
    """{name: Function}"""
    functions, stack = {}, []
    for line in lines:
        text = line.strip()
        depth = len(line) - len(line.lstrip(" "))
        del stack[depth:]
        if not text:
            continue
        if depth == 0:
            name, _, head = text.rsplit(":", 2)
            stack.append(functions.setdefault(name, Function(name, int(head))))
        elif text.startswith("!"):
            stack[-1].notes.append(text)
        else:
            position, _, rest = text.partition(": ")
            if NUMBER.match(rest):
                count, *targets = rest.split(" ")
                stack[-1].counts[position] = int(count)
                if targets:
                    stack[-1].targets[position] = [(name, int(calls)) for name, calls in
                                                   (target.rsplit(":", 1) for target in targets)]
            else:
                name = rest.rsplit(":", 1)[0]
                stack.append(stack[-1].inlined.setdefault((position, name), Function(name)))
    return functions


def write(functions):
    def lines_of(function, depth):
        indent = " " * depth
        for position, count in function.counts.items():
            targets = "".join(f" {name}:{calls}" for name, calls in function.targets.get(position, []))
            yield f"{indent}{position}: {count}{targets}"
        for (position, name), copy in function.inlined.items():
            yield f"{indent}{position}: {name}:{copy.total()}"
            yield from lines_of(copy, depth + 1)
        for note in function.notes:
            yield f"{indent}{note}"

    return "".join(f"{line}\n" for function in functions.values()
                   for line in (f"{function.name}:{function.total()}:{function.head}", *lines_of(function, 1)))


def all_copies(functions):
    return {path: copy for function in functions.values() for path, copy in function.copies()}


def replace_blocks(inferred, exact):
    """`exact` with the calls of `inferred`."""
    known = all_copies(inferred)
    for path, copy in all_copies(exact).items():
        other = known.get(path, Function(copy.name))
        copy.head, copy.targets = other.head, {position: calls for position, calls in other.targets.items()
                                               if position in copy.counts}
    return exact


def replace_calls(inferred, exact):
    known = all_copies(exact)
    for path, copy in all_copies(inferred).items():
        other = known.get(path, Function(copy.name))
        copy.head, copy.targets = other.head, {position: calls for position, calls in other.targets.items()
                                               if position in copy.counts}
    return inferred


def replace_copies(inferred, exact):
    """Counts that `exact` has nowhere stay as they are; copies that it alone has are left out."""
    known, copies = all_copies(exact), all_copies(inferred)
    sums, truths = collections.Counter(), collections.Counter()  # of what both have
    for path, copy in copies.items():
        for position, count in copy.counts.items():
            sums[copy.name, position] += count
            truths[copy.name, position] += known[path].counts.get(position, 0) if path in known else 0
    for path, copy in copies.items():
        for position in copy.counts:
            key = copy.name, position
            if truths[key]:
                truth = known[path].counts.get(position, 0) if path in known else 0
                copy.counts[position] = round(sums[key] * truth / truths[key])
    return inferred


WAYS = {"blocks": replace_blocks, "calls": replace_calls, "copies": replace_copies}


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in WAYS:
        sys.exit(__doc__)
    inferred, exact = (parse(pathlib.Path(path).read_text().splitlines()) for path in sys.argv[2:4])
    pathlib.Path(sys.argv[4]).write_text(write(WAYS[sys.argv[1]](inferred, exact)))


if __name__ == "__main__":
    main()
