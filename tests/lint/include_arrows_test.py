#!/usr/bin/env python3
"""Keeps the house in order: which folder may include which, and how long files and functions get.

Reads the sources as text; no compiler. Usage: include_arrows_test.py [ROOT]

1. Includes go one way (COMPONENTS). A folder that is not in the table is an error: add it there, below
   what it uses. So is one in the table that does not exist.
2. LLVM's headers are included only where the table says so, and pgo_core uses nothing of the other
   libraries.
3. The CMakeLists.txt of each folder names each of its sources, once, for a library of the table.
4. No folder or file has a name that invites everything (`util`, `common`, ...).
5. Every file opens with a comment, or is a .cc whose header does.
6. What a hostile file can crash or stall in LLVM or toml++ is used in one file (DOORS), which checks first.
7. A file stops at 800 lines, a function at 100; the ten longest of each are printed.
8. A unit test has a namespace named for its file, since those of a folder are compiled as one unit.
9. What protoc makes of NAME.proto is included by NAME_messages.cc alone: its headers compile slowly.
10. No functions of the C library whose last digits differ between systems (LIBM): results have the same bytes
   on every machine.
"""

import pathlib
import re
import sys

# For each folder: the library that it is part of, and what it may include, besides itself and what those
# it names may include. The longest matching name counts; "x/*" stands for each folder below x, and those
# do not include one another.
COMPONENTS = {
    "pgo/base": ("pgo_core", []),
    "pgo/ci": ("pgo_core", ["pgo/base"]),
    "pgo/config": ("pgo_core", ["pgo/profile"]),
    "pgo/profile": ("pgo_core", ["pgo/base"]),
    "pgo/elf": ("pgo_core", ["pgo/profile"]),
    "pgo/elf/bolt": ("pgo_core", ["pgo/elf"]),
    "converters/*": ("pgo_core", ["pgo/elf"]),
    "converters/perf_data/stacks": ("pgo_core", ["converters/perf_data", "pgo/elf"]),
    "converters": ("pgo_core", ["converters/*", "converters/perf_data/stacks"]),  # the table of formats
    "pgo/record": ("pgo_core", ["pgo/elf"]),
    "pgo/signature": ("pgo_core", ["pgo/base"]),
    "pgo/source": ("pgo_core", ["converters"]),
    "pgo/registry": ("pgo_core", ["pgo/source"]),
    "pgo/net": ("pgo_net", ["pgo/base"]),
    "pgo/remote_registry": ("pgo_net", ["pgo/net", "pgo/registry"]),
    "pgo/store_access": ("pgo_net", ["pgo/net", "pgo/source"]),
    "pgo/stores/*": ("pgo_net", ["pgo/store_access"]),
    "bolt": ("pgo_core", ["converters", "pgo/elf/bolt"]),
    "pgo/code": ("pgo_llvm", ["pgo/elf"]),
    "pgo/dwarf": ("pgo_llvm", ["pgo/code"]),
    "pgo/binary": ("pgo_llvm", ["pgo/dwarf", "pgo/elf/bolt", "pgo/source"]),
    "pgo/infer": ("pgo_llvm", ["pgo/code"]),
    "pgo/symbolize": ("pgo_llvm", ["pgo/binary"]),
    "converters/llvm_sample": ("pgo_llvm", ["pgo/symbolize"]),
    "converters/gcc_auto": ("pgo_llvm", ["pgo/symbolize"]),
    "pgo/ingest": ("pgo_app", ["pgo/symbolize", "pgo/infer"]),
    "pgo/stacks": ("pgo_app", ["pgo/ingest"]),
    "pgo/convert": ("pgo_app", ["pgo/stacks", "converters/llvm_sample", "converters/gcc_auto", "bolt"]),
    "pgo/merge": ("pgo_app", ["pgo/convert"]),
    "pgo/match": ("pgo_app", ["pgo/symbolize", "converters/llvm_sample"]),
    "pgo/verify": ("pgo_app", ["pgo/base"]),
    "pgo/diff": ("pgo_app", ["pgo/convert", "pgo/verify", "pgo/config"]),
    "pgo/verdict": ("pgo_app", ["pgo/diff", "pgo/match"]),
    "pgo/cost": ("pgo_app", ["pgo/diff"]),
    "pgo/paired_runs": ("pgo_app", ["pgo/record", "pgo/verdict"]),
    "pgo/recording": ("pgo_app", ["pgo/convert", "pgo/record"]),
    "pgo/fetch": ("pgo_app", ["pgo/merge", "pgo/diff"]),
    "pgo/upload": ("pgo_app", ["pgo/stacks"]),
    "pgo/capture": ("pgo_app", ["pgo/upload", "pgo/record"]),
    "pgo/units": ("pgo_app", ["pgo/diff"]),
    "pgo/flags": ("pgo_app", ["pgo/source"]),
    "pgo/postlink": ("pgo_app", ["pgo/ingest", "converters/llvm_sample", "bolt"]),
    "pgo/show": ("pgo_app", ["pgo/registry", "pgo/ingest", "pgo/match", "converters/llvm_sample", "converters/gcc_auto", "bolt"]),
    "pgo/doctor": ("pgo_app", ["pgo/match", "pgo/flags", "pgo/record", "bolt"]),
    "pgo/versions": ("pgo_app", ["pgo/registry", "pgo/show", "pgo/signature"]),
    "pgo/archive": ("pgo_app", ["pgo/versions"]),
    "pgo/delivery": ("pgo_app", ["pgo/recording", "pgo/capture"]),
    "pgo/lock_diff": ("pgo_app", ["pgo/versions"]),
    "pgo/refresh": ("pgo_app", ["pgo/fetch", "pgo/match", "pgo/lock_diff", "pgo/archive"]),
    "pgo/report": ("pgo_app", ["pgo/convert", "pgo/merge", "pgo/match", "pgo/show", "pgo/flags", "pgo/postlink", "pgo/doctor", "pgo/diff", "pgo/verdict", "pgo/paired_runs", "pgo/cost", "pgo/recording", "pgo/fetch", "pgo/refresh", "pgo/delivery", "pgo/capture"]),
    "pgo/cli/manual": ("pgo", ["pgo/base"]),
    "pgo/cli/terminal": ("pgo", ["pgo/report"]),
    "pgo/cli/arguments": ("pgo", ["pgo/cli/manual", "pgo/cli/terminal", "pgo/units", "pgo/stores/*", "pgo/remote_registry"]),
    "pgo/cli/commands": ("pgo", ["pgo/cli/arguments", "pgo/ci"]),
    "pgo/cli": ("pgo", ["pgo/cli/commands"]),
    "tests": ("tests", ["everything"]),
}
# Sources without LLVM in folders of pgo_llvm: telling formats apart, and GCC's own format.
WITHOUT_LLVM = ("converters/llvm_sample/llvm_sample_format", "converters/gcc_auto/gcc_auto_profile")
LLVM_FOLDERS = ["pgo/code", "pgo/dwarf", "pgo/binary", "pgo/symbolize", "pgo/infer", "pgo/match", "pgo/show", "pgo/lock_diff",
                "pgo/flags", "converters/llvm_sample",
                "converters/gcc_auto"]
# What only these files may name: everything else uses what they offer.
DOORS = {
    r"llvm/Demangle/|__cxa_demangle|cxxabi\.h":
        ("pgo/code/cxx_name.cc", "pgo/code/demangled_name.cc"),
    r"getLineTableForUnit|DWARFDebugLine::parse": ("pgo/dwarf/frame_table.cc",),
    r"DWARFDebugLine::Prologue": ("pgo/dwarf/file_paths.cc",),
    r"toml\+\+/|\btoml::": ("pgo/config/config.cc",),  # which also compiles slowly
    r"boost/math/": ("pgo/verify/distribution.cc",),  # calls LIBM: the last digits of p may differ
}
# What C libraries need not round correctly. IEEE 754 fixes sqrt, fma, rounding and remainders.
LIBM = re.compile(r"(?<![\w.>:])(?:std::|::)?(?:a?(?:sin|cos|tan)h?|atan2|exp2?|expm1|log(?:2|10|1p)?|pow|cbrt|hypot|"
                  r"erfc?|[lt]gamma)[fl]?\s*\(")
# What these compute is no result.
LIBM_EXCEPTIONS = ("pgo/net/retry_pause.cc",)  # how long to wait
PROJECT = ("pgo/", "converters/", "bolt/", "tests/")
VAGUE = {"util", "utils", "common", "helper", "helpers", "misc", "core", "manager"}
FILE_STOP, FUNCTION_STOP = 800, 100


def owner(path):
    """The folder of `path`, which is relative to the root, and its name in COMPONENTS; or two times None."""
    folder = path.rpartition("/")[0]
    while folder:
        parent = folder.rpartition("/")[0]
        for name in (folder, parent + "/*"):
            if name in COMPONENTS:
                return folder, name
        folder = parent
    return None, None


def library(path):
    """The library that the source or header `path` is part of."""
    if path.rpartition(".")[0] in WITHOUT_LLVM:
        return "pgo_core"
    return COMPONENTS[owner(path)[1]][0]


def may_include(path, target):
    folder, component = owner(path)
    to, to_component = owner(target)
    seen, todo = set(), list(COMPONENTS[component][1])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += COMPONENTS.get(name, ("", []))[1]
    if to is None:
        return False
    if target.rpartition(".")[0] in WITHOUT_LLVM:
        to_component = "converters/*"
    return to == folder or to in seen or to_component in seen or ("everything" in seen and to != "tests")


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
                at = closing[at]  # an initializer
            else:
                name = re.search(r"([\w:~]+|operator\W+)\s*\(", head)
                first = code.count("\n", 0, code.index(head, start)) + 1
                last = code.count("\n", 0, closing[at]) + 1
                yield (name.group(1).strip() if name else "?"), first, last - first + 1
                at = closing[at]
                start = at + 1
        at += 1


def listed_sources(root):
    """[(library, source)] as the CMakeLists.txt of all folders have them, with paths from the root."""
    found = []
    for top in ("pgo", "converters", "bolt"):
        for cmake in sorted((root / top).rglob("CMakeLists.txt")):
            folder = cmake.parent.relative_to(root).as_posix()
            text = re.sub(r"#.*", "", cmake.read_text())
            lists = dict(re.findall(r"set\((\w+)\s+([^)]*)\)", text))
            for target, names in re.findall(r"target_sources\((\w+)\s+PRIVATE\s+([^)]*)\)", text):
                for name in re.sub(r"\$\{(\w+)\}", lambda m: lists.get(m.group(1), ""), names).split():
                    found.append((target, f"{folder}/{name}"))
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__ + "/../../..").resolve()
    files = sorted(path for folder in ("pgo", "converters", "bolt", "tests")
                   for path in (root / folder).rglob("*")
                   if path.suffix in (".h", ".cc", ".c") and path.is_file())
    texts = {path.relative_to(root).as_posix(): path.read_text() for path in files}
    broken, file_sizes, function_sizes = [], [], []

    listed = listed_sources(root)
    if not texts or not listed:
        broken.append(f"{root}: no sources found, or none in its CMakeLists.txt files")
    sources = [source for _, source in listed]
    for target, source in sorted(set(listed)):
        if source not in texts:
            broken.append(f"CMakeLists.txt: {source} does not exist")
        elif sources.count(source) > 1:
            broken.append(f"CMakeLists.txt: {source} is listed twice")
        elif owner(source)[1] and library(source) != target:
            broken.append(f"CMakeLists.txt: {source} is part of {library(source)}, not of {target}")
    for name in texts:
        if name.endswith(".cc") and not name.startswith("tests/") and name not in sources:
            broken.append(f"CMakeLists.txt: {name} is in no library")

    for name in COMPONENTS:
        if not any(source.startswith(name.removesuffix("*").rstrip("/") + "/") for source in texts):
            broken.append(f"{name}: is in the table of {sys.argv[0]}, but has no sources")
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
                elif (library(name) == "pgo_core" and owner(included)[1] and
                      library(included) != "pgo_core"):
                    broken.append(f"{name}:{line}: pgo_core may not use {included} of {library(included)}")
                if included.endswith(".pb.h"):
                    message = included.removesuffix(".pb.h")
                    if not (root / f"{message}.proto").is_file():
                        broken.append(f"{name}:{line}: {included} is made of no .proto file")
                    elif name != f"{message}_messages.cc":
                        broken.append(f"{name}:{line}: {included} is for {message}_messages.cc alone")
                elif included not in texts:
                    broken.append(f"{name}:{line}: {included} does not exist")
            elif included.startswith(("llvm/", "llvm-c/")) and folder != "tests":
                if folder not in LLVM_FOLDERS or library(name) == "pgo_core":
                    broken.append(f"{name}:{line}: {included} outside of pgo_llvm")
        for pattern, doors in DOORS.items():
            if folder != "tests" and not folder.startswith("tests/") and name not in doors:
                for match in re.finditer(pattern, text):
                    line = text.count("\n", 0, match.start()) + 1
                    broken.append(f"{name}:{line}: {match.group()} belongs in {' or '.join(doors)}")
        if folder != "tests" and not folder.startswith("tests/") and name not in LIBM_EXCEPTIONS:
            code = without_comments_and_literals(text)
            for match in LIBM.finditer(code):
                line = code.count("\n", 0, match.start()) + 1
                broken.append(f"{name}:{line}: {match.group()}): C libraries differ in its last digits; use "
                              "pgo/base/portable_math.h")
        opens = text.startswith("//") or text.startswith("/*")
        told = name.endswith("_test.cc") or (name.endswith(".cc") and name[:-2] + "h" in texts)
        if not opens and not told:
            broken.append(f"{name}:1: no opening comment that says what this file is for")

        if name.startswith("tests/unit/") and name.endswith("_test.cc"):
            own = pathlib.PurePath(name).stem
            if not re.search(rf"^namespace pgo(::\w+)?::{own} \{{$", text, re.M):
                broken.append(f"{name}: no namespace pgo::{own}, which keeps its names apart from its neighbours'")

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
