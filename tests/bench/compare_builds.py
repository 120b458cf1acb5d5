#!/usr/bin/env python3
"""Compares what two builds of `pgo` convert: the bytes of their outputs, and their CPU time.

    compare_builds.py OLD NEW DIR... [--formats llvm-text,preagg] [--rounds N] [--keep DIR] [--failures]

Converts each recording (perf.data) and pprof profile below the directories into each of the formats, with the same
arguments. Their binaries are found below the same directories: by the build IDs that `NEW show` tells (of several files
with one build ID, the largest), or by path. A file with the contents of an earlier one is left out, and so are pprof
profiles of a directory after the first ten: a fleet may have thousands.

Each line is a difference: other bytes, or only one of both builds converts the input. Conversions that fail in both are
only counted, or listed with --failures. --keep copies both outputs of each difference. At the end is the ratio of CPU
times, new to old, of what both convert; both run in turn, in alternating order. Exits with 1 if anything differs.

e.g. the recordings that the end-to-end tests made:
    compare_builds.py old/pgo build/release/bin/pgo build/release/tests/e2e
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

FORMATS = "llvm-text,llvm,gcc,gcc-13,preagg,addr"
MOST_PPROFS = 10  # of one directory
NT_GNU_BUILD_ID = b"\x03\0\0\0GNU\0"


def build_id(data):
    """The build ID of an ELF file, from its note; empty without one."""
    at = data.find(NT_GNU_BUILD_ID)
    size = int.from_bytes(data[at - 4:at], "little") if at >= 4 else 0
    begin = at + len(NT_GNU_BUILD_ID)
    return data[begin:begin + size] if 8 <= size <= 20 else b""


def files_below(directories):
    return sorted({path for directory in directories for path in pathlib.Path(directory).resolve().rglob("*")
                   if path.is_file() and not path.is_symlink() and path.stat().st_size > 0})


def is_recording(path):
    with open(path, "rb") as file:
        return file.read(8) == b"PERFILE2"


def find_inputs(files):
    """Recordings and pprof profiles, each content once."""
    seen, pprofs, inputs = set(), {}, []
    for path in files:
        is_pprof = path.name.endswith((".pb.gz", ".pb", ".pprof"))
        if not is_pprof and not is_recording(path):
            continue
        if is_pprof and pprofs.setdefault(path.parent, 0) == MOST_PPROFS:
            continue
        digest = hashlib.sha256(path.read_bytes()).digest()
        if digest in seen:
            continue
        seen.add(digest)
        inputs.append(path)
        if is_pprof:
            pprofs[path.parent] += 1
    return inputs


def find_binaries(files):
    """{build ID: path of the largest ELF file that has it}; without stripped files and debug files."""
    binaries = {}
    for path in files:
        with open(path, "rb") as file:
            if file.read(4) != b"\x7fELF" or path.suffix == ".debug":
                continue
        data = path.read_bytes()
        identity = build_id(data) if b"\0.symtab\0" in data else b""
        known = binaries.get(identity)
        if identity and (known is None or path.stat().st_size > known.stat().st_size):
            binaries[identity] = path
    return binaries


def binaries_of(path, pgo, binaries):
    """The binaries that have samples in an input, by what `pgo show` tells of it."""
    shown = subprocess.run([pgo, "show", "--json", "--top", "1000", path], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, check=False)
    try:
        contents = json.loads(shown.stdout)
    except ValueError:
        return []
    paths = set(binaries.values())
    found = set()
    for row in [*contents.get("files", []), *contents.get("builds", [])]:
        identity, ran = bytes.fromhex(row["build_id"]), pathlib.Path(row["path"])
        if identity in binaries:
            found.add(binaries[identity])
        elif not identity and ran in paths:
            found.add(ran)
    return sorted(found)


class Run:
    """One conversion: its files by name, its CPU seconds, the last line it printed."""

    def __init__(self, pgo, path, output, binaries):
        with tempfile.TemporaryDirectory() as scratch:
            command = [pgo, "convert", path]
            for binary in binaries:
                command += ["--binary", binary]
            name = "%i" if len(binaries) > 1 and output in ("preagg", "fdata") else "out"
            process = subprocess.Popen([*command, "-o", f"{output}:{scratch}/{name}"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
            errors = process.stderr.read()
            process.stderr.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = usage.ru_utime + usage.ru_stime
            self.status = process.returncode
            self.says = next((line for line in errors.splitlines() if "error" in line), f"exit status {self.status}")
            self.files = {file.name: file.read_bytes() for file in pathlib.Path(scratch).iterdir()}


def difference(old, new):
    """How two runs differ; empty if they do not."""
    if old.status != 0 and new.status != 0:
        return ""
    if old.status != 0:
        return f"only NEW converts it; OLD: {old.says}"
    if new.status != 0:
        return f"only OLD converts it; NEW: {new.says}"
    if old.files.keys() != new.files.keys():
        return f"other files: {sorted(old.files)}, {sorted(new.files)}"
    names = [name for name in sorted(old.files) if old.files[name] != new.files[name]]
    sizes = [f"{len(old.files[name])} and {len(new.files[name])} bytes" for name in names]
    return "other bytes: " + "; ".join(sizes) if names else ""


def keep(directory, number, runs):
    for side, run in zip(("old", "new"), runs):
        for name, data in run.files.items():
            path = pathlib.Path(directory, str(number), side, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("directories", nargs="+", metavar="dir")
    parser.add_argument("--formats", default=FORMATS, help=f"default: {FORMATS}")
    parser.add_argument("--rounds", type=int, default=1, help="of each conversion; more make the ratio surer")
    parser.add_argument("--keep", type=pathlib.Path, help="outputs that differ, in DIR/NUMBER/{old,new}")
    parser.add_argument("--failures", action="store_true", help="list conversions that fail in both")
    options = parser.parse_args()
    programs = [str(path.resolve()) for path in (options.old, options.new)]
    if options.keep:
        shutil.rmtree(options.keep, ignore_errors=True)

    files = files_below(options.directories)
    binaries = find_binaries(files)
    same = neither = different = turn = 0
    pairs = []  # of CPU seconds, old and new
    for path in find_inputs(files):
        of_input = binaries_of(path, programs[1], binaries)
        for output in options.formats.split(","):
            for _ in range(options.rounds):
                turn += 1
                runs = [None, None]
                for side in (0, 1) if turn % 2 == 0 else (1, 0):
                    runs[side] = Run(programs[side], path, output, of_input)
                if all(run.status == 0 for run in runs):
                    pairs.append([run.seconds for run in runs])
            if how := difference(*runs):
                different += 1
                print(f"{different}. {path} to {output}: {how}", flush=True)
                if options.keep:
                    keep(options.keep, different, runs)
            elif runs[0].status == 0:
                same += 1
            else:
                neither += 1
                if options.failures:
                    print(f"{path} to {output} fails in both: {runs[1].says}", flush=True)
    print(f"{same} conversions give the same bytes, {different} differ, {neither} fail in both")
    ratios = [new / old for old, new in pairs if old > 0]
    if ratios:
        old, new = (sum(seconds) for seconds in zip(*pairs))
        print(f"CPU time: {old:.2f} s and {new:.2f} s, ratio {new / old:.3f}; median of {len(ratios)} ratios "
              f"{statistics.median(ratios):.3f}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
