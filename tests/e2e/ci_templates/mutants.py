#!/usr/bin/env python3
"""Breaks a template in each of its shell lines: `mutants.py FILE DIRECTORY` writes DIRECTORY/N, copies with one line
broken, and prints "N: the line" for each. Of FILE, which may be YAML or a shell script, it takes the steps of `run` and
`script`, but for those that only prepare the machine (a name that begins with Prepare; before_script).

A command becomes `:`; a condition becomes true in one copy, and false in another.
"""
import pathlib
import re
import sys

import yaml

# Lines whose absence changes nothing that a test could see: the code is 0 anyway when pgo succeeds.
SAME = ["code=0", "fi", "else", "case $code in", "esac", "exit $code", "set -eu"]


def commands_of_yaml(text):
    """The first and the last line of each command in a YAML text, from 0."""
    def scalars(node, key=""):
        if isinstance(node, yaml.MappingNode):
            names = {k.value: v for k, v in node.value}
            if names.get("name") is None or not str(names["name"].value).startswith("Prepare"):
                for k, v in node.value:
                    yield from scalars(v, k.value)
        elif isinstance(node, yaml.SequenceNode):
            for item in node.value:
                yield from scalars(item, key)
        elif key in ("run", "script"):
            yield node
    for node in scalars(yaml.compose(text)):
        first, end = node.start_mark.line, node.end_mark.line
        if node.style == "|":
            yield from joined(text.splitlines(), range(first + 1, end))
        else:
            yield first, end


def joined(lines, numbers):
    """Lines of shell, with those that continue them."""
    first = None
    for number in numbers:
        first = number if first is None else first
        if not lines[number].rstrip().endswith(("\\", "|")):
            yield first, number
            first = None


def broken(line):
    """A line with other commands, and nothing else changed."""
    match = re.fullmatch(r"(\s*(?:- )?(?:run: )?)(.*)", line)
    start, command = match.groups()
    if condition := re.fullmatch(r"(if|\[) .*?(; then|\|\| exit 0)(.*)", command):
        keyword, rest = condition[1], condition[2] + condition[3]
        for word in ("true", "false"):
            yield start + (f"if {word}{rest}" if keyword == "if" else f"{word} {rest}")
    elif case := re.fullmatch(r"(\w+\)) .* ;;", command):
        yield f"{start}{case[1]} : ;;"
    else:
        yield start + "':'" if start.endswith(("- ", "run: ")) else start + ":"


path, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
lines = path.read_text().splitlines()
commands = commands_of_yaml(path.read_text()) if path.suffix == ".yml" else joined(lines, range(1, len(lines)))
number = 0
directory.mkdir(parents=True)
for first, last in commands:
    text = lines[first].strip().removeprefix("- ")
    if not text or text.startswith("#") or re.sub(r"\s# .*", "", text) in SAME:
        continue
    for replacement in broken(lines[first]):
        number += 1
        (directory / str(number)).write_text("\n".join(lines[:first] + [replacement] + lines[last + 1:]) + "\n")
        print(f"{number}: {replacement.strip()}   instead of   {text}")
