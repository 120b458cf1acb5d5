#!/usr/bin/env python3
"""Keeps the house in order: which folder may include which, and how long files and functions get.

Reads the sources as text; no compiler. Usage: include_arrows_test.py [ROOT]

1. Includes go one way (ARROWS). A folder that is not in the table is an error: add it there, below
   what it uses. So is one in the table that does not exist.
2. LLVM's headers are included only by files of the library pgo_llvm.
3. pgo_core and pgo_llvm list the files of the folders that belong to them, nothing else.
4. No folder or file has a name that invites everything (`util`, `common`, ...).
5. Every file opens with a comment, or is a .cc whose header does.
6. A file stops at 800 lines, a function at 100; the ten longest of each are printed.
"""

import pathlib
import re
import sys

# What each folder may include, besides itself and what those it names may include. The longest
# matching name counts; "x/*" stands for each folder below x, and those do not include one another.
ARROWS = {
    "pgo/base": [],
    "pgo/profile": ["pgo/base"],
    "pgo/elf": ["pgo/profile"],
    "pgo/symbolize": ["pgo/elf"],
    "pgo/infer": ["pgo/symbolize"],
    "pgo/record": ["pgo/profile"],
    "converters/*": ["pgo/elf"],
    "converters/llvm_sample": ["pgo/symbolize"],
    "converters/gcc_auto": ["pgo/symbolize"],
    "bolt": ["pgo/elf"],
    "pgo/cli": ["everything"],
    "tests": ["everything"],
}
LLVM_FOLDERS = ["pgo/symbolize", "pgo/infer", "converters/llvm_sample", "converters/gcc_auto"]
PROJECT = ("pgo/", "converters/", "bolt/", "tests/")
VAGUE = {"util", "utils", "common", "helper", "helpers", "misc", "core", "manager"}
FILE_STOP, FUNCTION_STOP = 800, 100


def owner(path):
    """(folder, what it may include) for `path`, which is relative to the root."""
    folder = path.rpartition("/")[0]
    while folder:
        parent = folder.rpartition("/")[0]
        for name in (folder, parent + "/*"):
            if name in ARROWS:
                return folder, ARROWS[name]
        folder = parent
    return None, []


def may_include(path, target):
    folder, arrows = owner(path)
    to, _ = owner(target)
    seen, todo = {folder}, list(arrows)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += ARROWS.get(name, [])
    return to in seen or ("everything" in seen and to is not None and to != "tests")


def includes(text):
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
        if match:
            yield number, match.group(1)


def without_comments_and_literals(text):
    """`text` with comments, strings and preprocessor lines blanked out, line breaks kept."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'
                       r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
                       re.S | re.M)
    return token.sub(lambda match: "\n" * match.group().count("\n"), text)


def functions(text):
    """(name, first line, lines) of each function body outside of other functions."""
    code = without_comments_and_literals(text)
    closing, stack = {}, []
    for at, char in enumerate(code):
        if char == "{":
            stack.append(at)
        elif char == "}" and stack:
            closing[stack.pop()] = at
    start = at = 0  # `start`: where the declaration that `at` is in begins
    while at < len(code):
        if code[at] in ";}":
            start = at + 1
        elif code[at] == "{" and at in closing:
            head = code[start:at].strip()
            after = code[closing[at] + 1:].lstrip()[:1]
            if re.match(r"(inline )?(namespace|class|struct|union|enum|extern)\b|template\s*<[^{]*>\s*"
                        r"(class|struct|union)\b", head) and "(" not in head:
                start = at + 1
            elif "(" not in head or after in (",", "{", ";", ")"):
                at = closing[at]  # an initialiser
            else:
                name = re.search(r"([\w:~]+|operator\W+)\s*\(", head)
                first = code.count("\n", 0, code.index(head, start)) + 1
                last = code.count("\n", 0, closing[at]) + 1
                yield (name.group(1).strip() if name else "?"), first, last - first + 1
                at = closing[at]
                start = at + 1
        at += 1


def target_files(cmake, library):
    match = re.search(r"add_library\(" + library + r"\s+\w+\s+([^)]*)\)", cmake)
    return set(match.group(1).split()) if match else set()


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__ + "/../../..").resolve()
    files = sorted(path for folder in ("pgo", "converters", "bolt", "tests")
                   for path in (root / folder).rglob("*")
                   if path.suffix in (".h", ".cc", ".c") and path.is_file())
    texts = {path.relative_to(root).as_posix(): path.read_text() for path in files}
    cmake = (root / "CMakeLists.txt").read_text()
    core, llvm = target_files(cmake, "pgo_core"), target_files(cmake, "pgo_llvm")
    broken, file_sizes, function_sizes = [], [], []

    if not texts or not core:
        broken.append(f"{root}: no sources found, or no pgo_core in CMakeLists.txt")
    for name in sorted((core | llvm) - set(texts)):
        broken.append(f"CMakeLists.txt: {name} does not exist")
    for name in sorted(core & llvm):
        broken.append(f"CMakeLists.txt: {name} is in both libraries")

    for name in ARROWS:
        if not any(source.startswith(name.removesuffix("/*") + "/") for source in texts):
            broken.append(f"{name}: has arrows in {sys.argv[0]}, but no sources")
    for name, text in texts.items():
        folder, _ = owner(name)
        if folder is None:
            broken.append(f"{name}: its folder is not in the table of {sys.argv[0]}")
            continue
        if VAGUE & set(re.split(r"[/_.]", name)) - ({"core"} if folder == "tests" else set()):
            broken.append(f"{name}: a vague name; call it after its one noun")
        for line, included in includes(text):
            if included.startswith(PROJECT):
                if not may_include(name, included):
                    broken.append(f"{name}:{line}: {folder} may not include {included}")
                if name in core - llvm and re.sub(r"\.h$", ".cc", included) in llvm:
                    broken.append(f"{name}:{line}: pgo_core may not use {included} of pgo_llvm")
                if included not in texts:
                    broken.append(f"{name}:{line}: {included} does not exist")
            elif included.startswith(("llvm/", "llvm-c/")) and folder != "tests":
                source = re.sub(r"\.h$", ".cc", name)
                if not folder.startswith(tuple(LLVM_FOLDERS)) or source in core:
                    broken.append(f"{name}:{line}: {included} outside of pgo_llvm")
        opens = text.startswith("//") or text.startswith("/*")
        told = name.endswith("_test.cc") or (name.endswith(".cc") and name[:-2] + "h" in texts)
        if not opens and not told:
            broken.append(f"{name}:1: no opening comment that says what this file is for")

        count = text.count("\n")
        file_sizes.append((count, name))
        if count > FILE_STOP:
            broken.append(f"{name}: {count} lines; split it by noun ({FILE_STOP} at most)")
        for function, line, length in functions(text):
            function_sizes.append((length, f"{name}:{line} {function}"))
            if length > FUNCTION_STOP:
                broken.append(f"{name}:{line}: {function} has {length} lines "
                              f"({FUNCTION_STOP} at most)")

    for what, sizes in (("files", file_sizes), ("functions", function_sizes)):
        print(f"The longest {what}, in lines:")
        for size, name in sorted(sizes, reverse=True)[:10]:
            print(f"  {size:4} {name}")
    for message in broken:
        print(message, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
