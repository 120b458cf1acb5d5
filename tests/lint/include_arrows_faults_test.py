#!/usr/bin/env python3
"""include_arrows_test.py finds each fault it is there for, in a small tree made on the spot."""

import pathlib
import subprocess
import sys
import tempfile

from include_arrows_test import COMPONENTS

CHECK = pathlib.Path(__file__).with_name("include_arrows_test.py")
GOOD = {
    "pgo/base/CMakeLists.txt": "target_sources(pgo_core PRIVATE\n  a.cc\n)\n",
    "pgo/symbolize/CMakeLists.txt": "set(some b.cc)\ntarget_sources(pgo_llvm PRIVATE ${some})\n",
    "pgo/cli/CMakeLists.txt": "target_sources(pgo PRIVATE main.cc)\n",
    "pgo/base/a.h": "// What a is.\n#pragma once\n",
    "pgo/base/a.cc": '#include "pgo/base/a.h"\n#include <vector>\n',
    "pgo/symbolize/b.h": "// What b is.\n",
    "pgo/symbolize/b.cc": '// What b is.\n#include <llvm/MC/X.h>\n#include "pgo/base/a.h"\n',
    "pgo/cli/main.cc": '// What main is.\n#include "pgo/symbolize/c.h"\n',
    "pgo/symbolize/c.h": "// What c is.\n",
    "pgo/net/retry_pause.cc": "// P.\ndouble y = std::exp2(3);\n",
    "pgo/net/CMakeLists.txt": "target_sources(pgo_net PRIVATE retry_pause.cc)\n",
    "converters/format.h": '// What format is.\n#include "converters/llvm_sample/llvm_sample_format.h"\n',
    "converters/llvm_sample/llvm_sample_format.h": "// What the form is.\n",
} | {f"{component.replace('*', 'any')}/e.h": "// What e is.\n" for component in COMPONENTS
     if component not in ("pgo/base", "pgo/symbolize", "pgo/cli", "converters")}
LONG = "// Long.\nint f(int a) {\n" + "  a++;\n" * 100 + "}\n"
FAULTS = [
    ({"pgo/base/a.cc": '#include "pgo/symbolize/c.h"\n'}, "pgo/base/a.cc:1: pgo/base may not include pgo/symbolize/c.h"),
    ({"pgo/base/a.cc": '#include "pgo/base/none.h"\n'}, "pgo/base/a.cc:1: pgo/base/none.h does not exist"),
    ({"pgo/base/a.cc": '#include "pgo/base/m.pb.h"\n'}, "pgo/base/a.cc:1: pgo/base/m.pb.h is made of no .proto file"),
    ({"pgo/base/a.cc": '#include "pgo/base/m.pb.h"\n', "pgo/base/m.proto": "// M.\n"},
     "pgo/base/a.cc:1: pgo/base/m.pb.h is for pgo/base/m_messages.cc alone"),
    ({"converters/x/x.h": '// X.\n#include "converters/y/y.h"\n', "converters/y/y.h": "// Y.\n"},
     "converters/x/x.h:2: converters/x may not include converters/y/y.h"),
    ({"converters/perf_data/x.h": '// X.\n#include "converters/perf_data/stacks/e.h"\n'},
     "converters/perf_data/x.h:2: converters/perf_data may not include converters/perf_data/stacks/e.h"),
    ({"pgo/base/a.cc": '#include "llvm/MC/X.h"\n'}, "pgo/base/a.cc:1: llvm/MC/X.h outside of pgo_llvm"),
    ({"converters/gcc_auto/gcc_auto_profile.h": '// G.\n#include "pgo/symbolize/c.h"\n'},
     "converters/gcc_auto/gcc_auto_profile.h:2: pgo_core may not use pgo/symbolize/c.h of pgo_llvm"),
    ({"pgo/cli/CMakeLists.txt": "target_sources(pgo PRIVATE main.cc main.cc)\n"},
     "CMakeLists.txt: pgo/cli/main.cc is listed twice"),
    ({"pgo/base/CMakeLists.txt": "target_sources(pgo_core PRIVATE a.cc gone.cc)\n"},
     "CMakeLists.txt: pgo/base/gone.cc does not exist"),
    ({"pgo/base/CMakeLists.txt": "target_sources(pgo_llvm PRIVATE a.cc)\n"},
     "CMakeLists.txt: pgo/base/a.cc is part of pgo_core, not of pgo_llvm"),
    ({"pgo/base/CMakeLists.txt": "# target_sources(pgo_core PRIVATE a.cc)\n"},
     "CMakeLists.txt: pgo/base/a.cc is in no library"),
    ({"pgo/base/string_util.h": "// U.\n"}, "pgo/base/string_util.h: a vague name; call it after its one noun"),
    ({"bolt/e.h": None}, "bolt: is in the table of "),
    ({"pgo/new/x.h": "// N.\n"}, "pgo/new/x.h: its folder is not in the table of"),
    ({"pgo/symbolize/c.h": "int x;\n"}, "pgo/symbolize/c.h:1: no opening comment that says what this file is for"),
    ({"pgo/symbolize/c.h": "// C.\n#include <llvm/Demangle/Demangle.h>\n"},
     "pgo/symbolize/c.h:2: llvm/Demangle/ belongs in pgo/code/cxx_name.cc or pgo/code/demangled_name.cc"),
    ({"pgo/symbolize/c.h": "// std::log(x)\ndouble y = a.log(1) + portable_log(2) + std::sqrt(3) + std::expm1(4);\n"},
     "pgo/symbolize/c.h:2: std::expm1(): C libraries differ in its last digits; use pgo/base/portable_math.h"),
    ({"pgo/symbolize/c.h": "// C.\n\ndouble y = pow (x, 2);\n"}, "pgo/symbolize/c.h:3: pow (): "),
    ({"pgo/symbolize/c.h": "// Long.\n" * 801}, "pgo/symbolize/c.h: 801 lines; split it by noun (800 at most)"),
    ({"tests/unit/base/a_test.cc": "namespace pgo::b_test {\nnamespace {\n"},
     "tests/unit/base/a_test.cc: no namespace pgo::a_test, which keeps its names apart from its neighbours'"),
    ({"pgo/symbolize/c.h": LONG}, "pgo/symbolize/c.h:2: f has 102 lines (100 at most)"),
]


def check(files):
    """(exit status, what was said) for GOOD with `files` put over it, or taken from it (None)."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in (GOOD | files).items():
            if text is None:
                continue
            path = pathlib.Path(directory, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, CHECK, directory], capture_output=True, text=True)
        return run.returncode, run.stderr


def main():
    failures = []
    if check({}) != (0, ""):
        failures.append(f"a good tree: {check({})}")
    for files, message in FAULTS:
        status, said = check(files)
        if status != 1 or not said.startswith(message) or said.count("\n") != 1:
            failures.append(f"expected: {message}\n     got: {status} {said}")
    print("\n".join(failures) or f"{len(FAULTS)} faults found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
