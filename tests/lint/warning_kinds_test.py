#!/usr/bin/env python3
"""A kind of warnings that the libraries decide by is a named constant: contains("matched-by-name") would go on without a
word when the place that warns gets another name for it.

Reads the sources as text; no compiler. Usage: warning_kinds_test.py [ROOT]
"""

import re

import checked_sources

FOLDERS = ("pgo", "converters", "bolt")
DECISION = re.compile(r'\b(?:entries\(\)|diagnostics|warnings)\s*\.\s*(?:contains|find|count|at)\(\s*"([^"]*)"')


def faults(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cc", ".h"):
                continue
            text = path.read_text(encoding="utf-8")
            for found in DECISION.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{path.relative_to(root)}:{line}: the kind \"{found[1]}\" decides: make it a named constant"


EXAMPLE = {
    "bolt/a.cc": """if (result.diagnostics.contains(
        "odd")) f();
d.warn("odd", "text");
g(profile.diagnostics.entries().find("odd"), diagnostics.contains(kOdd), names.contains("x"));
""",
}

checked_sources.main(faults, EXAMPLE, [
    'bolt/a.cc:1: the kind "odd" decides: make it a named constant',
    'bolt/a.cc:4: the kind "odd" decides: make it a named constant',
])
