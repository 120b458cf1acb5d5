#!/usr/bin/env python3
"""Runs pgo on hostile files and checks what docs/reference/limits.md states: how much memory a command takes at most, by the
inflated size of its input; that it ends in time, and with an exit code of its own, never by a signal.

    peak_memory.py PGO DIRECTORY [--only REGEX] [--table]

DIRECTORY is what hostile_files.py has written. --table prints every command with what it took, largest multiple first.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

MB = 1 << 20
# The rule: a command takes as much as it takes for small files, MARGIN, and a multiple of the inflated size of its input.
MARGIN = 16 * MB
MULTIPLE = 128
GRAPH_MULTIPLE = 256  # of comparisons, and of flame graphs
CODES = {"verify": (0, 1, 2, 3)}  # of others (0, 1, 2)
SECONDS = 60  # alone a command takes less than 5


def run(pgo, arguments, directory, log):
    """The peak resident memory in bytes, the exit code, the seconds, and what the command said."""
    with open(directory / log, "wb") as text:
        process = subprocess.Popen([pgo, *arguments], cwd=directory, env={**os.environ, "MALLOC_ARENA_MAX": "2"},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=text)
    start = time.monotonic()
    alarm = threading.Timer(SECONDS, process.kill)
    alarm.start()
    _, status, usage = os.wait4(process.pid, 0)
    alarm.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    said = (directory / log).read_text(errors="replace")
    return usage.ru_maxrss * 1024, process.returncode, time.monotonic() - start, said


def multiple_of(command):
    draws = command[0] in ("diff", "verify", "cost") or any(word.endswith(".html") for word in command)
    return GRAPH_MULTIPLE if draws else MULTIPLE


def fault(file, command, is_first, peak, base, code, seconds, said):
    """What is wrong with how a command ended, or None."""
    if seconds > SECONDS:
        return f"did not end within {SECONDS} seconds"
    if code not in CODES.get(command[0], (0, 1, 2)):
        return f"exit code {code}"
    # A comparison may read the file for both sides.
    size = file["size"] * max(1, command.count(file["path"]))
    if peak > base + MARGIN + multiple_of(command) * size:
        return "too much memory"
    # Else this would be no test of the reader.
    if is_first and (code == 2) != bool(file["refusal"]) or is_first and file["refusal"] not in said:
        return f"said '{said.strip()[:200]}'" + (f", not '{file['refusal']}'" if file["refusal"] else "")
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pgo", type=os.path.abspath)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    # As many threads on any machine.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    files = json.loads((options.directory / "files.json").read_text())
    bases = {arguments[0]: run(options.pgo, arguments, options.directory, "small.log") for arguments in files["small"]}

    def measure(job):
        number, file, arguments = job
        return file, arguments, *run(options.pgo, arguments, options.directory, f"{number}.log")

    commands = [(file, arguments) for file in files["files"] if options.only.search(file["name"])
                for arguments in file["commands"]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(measure, [(number, *command) for number, command in enumerate(commands)]))
    rows = []
    failures = 0
    for file, arguments, peak, code, seconds, said in results:
        base = bases[arguments[0]][0]
        wrong = fault(file, arguments, arguments == file["commands"][0], peak, base, code, seconds, said)
        failures += wrong is not None
        multiple = (peak - base) / (file["size"] * max(1, arguments.count(file["path"])))
        if wrong or options.table:
            rows.append((multiple, f"{multiple:7.1f} x {file['size'] / MB:6.2f} MB {peak / MB:6.0f} MB {seconds:5.1f} s "
                                   f"{code}  {file['name']}: pgo {' '.join(arguments)}{': ' + wrong if wrong else ''}"))
    for _, row in sorted(rows, reverse=True):
        print(row)
    print(f"{len(results)} commands, {failures} failed; small files take",
          ", ".join(f"{name} {base[0] / MB:.0f} MB" for name, base in bases.items()))
    return 1 if failures or not results else 0


if __name__ == "__main__":
    sys.exit(main())
