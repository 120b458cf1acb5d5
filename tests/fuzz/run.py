#!/usr/bin/env python3
"""Runs the fuzz targets, each until it has used --seconds of processor time in all sittings together: beside other work
it then runs longer.

    run.py build/asan/tests/fuzz --seconds 1200 [--targets convert_fuzz show_fuzz]

Beside the targets it keeps, for the next sitting: corpus/TARGET (the inputs worth keeping; libFuzzer's own),
TARGET.progress (seconds, executions, coverage) and crashes/TARGET (the inputs that a target failed on). It may be
interrupted at any time; what was done counts. At the end, and when it is interrupted, it prints a table.

Exit status: 0; 1 when an input is in crashes (remove it once it is a unit test and mended), or when a target
could not run; 130 when it was interrupted.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

SAVE_EVERY = 10  # seconds
TICKS = os.sysconf("SC_CLK_TCK")
STALLED = 300  # seconds without any processor time; libFuzzer itself ends inputs that take too long
EMPTY = {"seconds": 0.0, "executions": 0, "coverage": 0, "sittings": 0}
# "#4096	pulse  cov: 12 ft: 34 corp: 5/67b ... exec/s: 2048"
STATUS = re.compile(r"^#(\d+)\s.*\bcov: (\d+)")


class Target:
    def __init__(self, program):
        self.program = program
        self.name = program.name
        self.corpus = program.parent / "corpus" / self.name
        self.crashes = program.parent / "crashes" / self.name
        self.file = program.parent / f"{self.name}.progress"
        self.progress = dict(EMPTY)
        if self.file.exists():
            self.progress.update(json.loads(self.file.read_text()))
        self.failure = ""

    def crash_inputs(self):
        return sorted(self.crashes.iterdir()) if self.crashes.is_dir() else []

    def save(self, before, seconds, executions, coverage):
        self.progress = {
            "seconds": round(before["seconds"] + seconds, 1),
            "executions": before["executions"] + executions,
            "coverage": max(before["coverage"], coverage),
            "sittings": before["sittings"] + 1,
        }
        complete = self.file.with_suffix(".progress.new")
        complete.write_text(json.dumps(self.progress) + "\n")
        complete.replace(self.file)

    def run(self, total, stalled):
        left = total - self.progress["seconds"]
        if left <= 0:
            return
        for directory in self.corpus, self.crashes:
            directory.mkdir(parents=True, exist_ok=True)
        known = self.crash_inputs()
        before, seconds, executions, coverage = self.progress, 0.0, 0, 0
        # A session of its own: an interrupt is for us, and the target ends as we ask it to.
        process = subprocess.Popen(
            [self.program, "-print_final_stats=1", "-rss_limit_mb=2048", "-timeout=60", "-report_slow_units=60",
             f"-artifact_prefix={self.crashes}/", self.corpus],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
            start_new_session=True)
        last = []

        def read_status():
            nonlocal last, executions, coverage
            for line in process.stderr:
                last = last[-60:] + [line]
                if status := STATUS.match(line):
                    executions, coverage = int(status[1]), int(status[2])
                elif line.startswith("stat::number_of_executed_units:"):
                    executions = int(line.split()[1])

        reader = threading.Thread(target=read_status, daemon=True)
        reader.start()
        saved, worked = 0.0, time.monotonic()
        try:
            while process.poll() is None:
                if (now := processor_seconds(process.pid)) > seconds:
                    seconds, worked = now, time.monotonic()
                elif time.monotonic() - worked > stalled:
                    self.failure = "hangs"
                    break
                if seconds >= left:
                    process.send_signal(signal.SIGUSR1)  # libFuzzer ends after the input that it runs
                if seconds - saved >= SAVE_EVERY:
                    self.save(before, seconds, executions, coverage)
                    saved = seconds
                try:
                    process.wait(1)
                except subprocess.TimeoutExpired:
                    pass
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            reader.join()
            self.save(before, seconds, executions, coverage)
        if process.returncode != 0:
            self.failure = self.failure or f"exit status {process.returncode}"
            sys.stderr.write("".join(last))
            if self.crash_inputs() == known:
                self.failure += ", and no input is kept"


def processor_seconds(pid):
    """User and system time so far; 0 when there is no such process any more."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def print_table(targets):
    print(f"{'TARGET':32} {'SECONDS':>8} {'EXECUTIONS':>12} {'COVERAGE':>9} {'CORPUS':>7} {'CRASHES':>8}")
    for target in targets:
        done = target.progress
        inputs = sum(1 for path in target.corpus.rglob("*") if path.is_file()) if target.corpus.is_dir() else 0
        print(f"{target.name:32} {done['seconds']:8.0f} {done['executions']:12} {done['coverage']:9} {inputs:7} "
              f"{len(target.crash_inputs()):8}" + (f"  {target.failure}" if target.failure else ""))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=1200)
    parser.add_argument("--targets", nargs="*")
    parser.add_argument("--stalled", type=float, default=STALLED, help="seconds without processor time until a target "
                        "is taken to hang")
    arguments = parser.parse_args()
    directory = arguments.directory.resolve()
    programs = sorted(path for path in directory.glob("*_fuzz") if path.is_file())
    if arguments.targets:
        unknown = set(arguments.targets) - {program.name for program in programs}
        if unknown:
            sys.exit(f"run.py: there is no target {', '.join(sorted(unknown))} in {directory}")
        programs = [program for program in programs if program.name in arguments.targets]
    if not programs:
        sys.exit(f"run.py: there are no targets in {directory}")
    targets = [Target(program) for program in programs]
    status = 0
    try:
        for target in targets:
            target.run(arguments.seconds, arguments.stalled)
    except KeyboardInterrupt:
        status = 130
    print_table(targets)
    failed = any(target.failure or target.crash_inputs() for target in targets)
    return status or (1 if failed else 0)


if __name__ == "__main__":
    sys.exit(main())
