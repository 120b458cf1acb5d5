#!/usr/bin/env python3
"""What a file is, the table of converters/format.cc says: outside of converters/, nothing calls a function that it detects a
format with. Formats are tried in one order there, so one file is the same thing for every command.

Reads the sources as text; no compiler. Usage: format_table_test.py [ROOT]
"""

import re
import sys

import checked_sources

TABLE = "converters/format.cc"
FOLDERS = ("pgo", "bolt")
DETECTED = re.compile(r"\{Format::k\w+,\s*(?:\w+::)*(is_\w+)")


def faults(root):
    table = (root / TABLE).read_text(encoding="utf-8")
    names = sorted(set(DETECTED.findall(table)) - {"is_elf"})  # ElfImage's own
    if not names:
        sys.exit(f"{TABLE} detects nothing: has its form changed?")
    call = re.compile(r"\b(" + "|".join(names) + r")\(")
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.cc")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if found := call.search(line):
                    yield f"{path.relative_to(root)}:{number}: {found[1]}() is for {TABLE}: ask detect_format()"


EXAMPLE = {
    TABLE: """constexpr FormatInfo kFormats[] = {
    {Format::kPerfData, perf_data::is_perf_data, "a", "recording"},
    {Format::kFdata, is_fdata},
    {Format::kGo, nullptr},
};
""",
    "pgo/a.cc": "if (perf_data::is_perf_data(bytes)) f();\nis_fdata_of(bytes);\n",
}

checked_sources.main(faults, EXAMPLE, [f"pgo/a.cc:1: is_perf_data() is for {TABLE}: ask detect_format()"])
