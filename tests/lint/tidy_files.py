#!/usr/bin/env python3
"""Runs clang-tidy on the C++ files of the product, but on none that passed before as it is now.

    tidy_files.py ROOT BUILD_DIRECTORY

BUILD_DIRECTORY has compile_commands.json. For each file without findings, an empty file is made in
BUILD_DIRECTORY/passed. Its name is a hash of what clang-tidy read: the file, what it includes of this
tree, .clang-tidy, the command and the version of clang-tidy. So a run that was interrupted is continued
by the next. Headers of the system are not hashed: remove the directory after their update.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

CLANG_TIDY = "clang-tidy-22"
OPTIONS = ["--quiet", "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-deprecated-declarations"]
FOLDERS = ("pgo", "converters", "bolt")
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


class Contents:
    """Hashes of files, and which files of the tree they include."""

    def __init__(self, root):
        self.root = root
        self.known = {}

    def file(self, name):
        """(hash, names of the included files) of a file of the tree; None where there is none."""
        if name not in self.known:
            path = self.root / name
            if not path.is_file():
                self.known[name] = None
            else:
                data = path.read_bytes()
                beside = pathlib.PurePath(name).parent
                included = []
                for include in INCLUDE.findall(data):
                    included += [include.decode(), str(beside / include.decode())]
                self.known[name] = (hashlib.sha256(data).hexdigest(), included)
        return self.known[name]

    def key(self, name, context):
        """A hash of `context`, of the file, and of all files of the tree that it includes, directly or not."""
        read, waiting = {}, [name]
        while waiting:
            one = waiting.pop()
            if one in read or not self.file(one):
                continue
            read[one], included = self.file(one)
            waiting += included
        text = "\n".join([context, name] + [f"{one} {read[one]}" for one in sorted(read)])
        return hashlib.sha256(text.encode()).hexdigest()


def check(root, build, name):
    """(whether clang-tidy found nothing, what it printed)"""
    run = subprocess.run([CLANG_TIDY, "-p", build, *OPTIONS, root / name],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return run.returncode == 0, run.stdout


def main(root, build):
    root, build = pathlib.Path(root).resolve(), pathlib.Path(build).resolve()
    passed = build / "passed"
    passed.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, text=True, check=True).stdout
    context = "\n".join([version, (root / ".clang-tidy").read_text(), *OPTIONS])
    commands = {entry["file"]: entry["command"].replace(str(root), "")
                for entry in json.loads((build / "compile_commands.json").read_text())}
    names = sorted(str(path.relative_to(root)) for folder in FOLDERS for path in (root / folder).rglob("*.cc"))

    def key(contents, name):
        return contents.key(name, context + commands.get(str(root / name), ""))

    contents = Contents(root)
    keys = {name: key(contents, name) for name in names}
    to_check = [name for name in names if not (passed / keys[name]).exists()]
    print(f"{len(names)} files, {len(names) - len(to_check)} of them passed before", flush=True)

    failed = []
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        runs = {pool.submit(check, root, build, name): name for name in to_check}
        for run in concurrent.futures.as_completed(runs):
            name = runs[run]
            clean, printed = run.result()
            if not clean:
                failed.append(name)
                print(f"{name}:\n{printed}", flush=True)
            elif key(Contents(root), name) == keys[name]:  # not edited meanwhile
                (passed / keys[name]).touch()
    if failed:
        print("clang-tidy has findings in:", *sorted(failed), sep="\n  ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
