"""pgo doctor asks the compiler for the options that the CMake package uses: each has it, or none.

The package tries its hidden options of LLVM one by one and is silent about those that are missing; doctor
says what is lost without them, if its list is the package's. Options that only the documentation names may
be in doctor's list as well.

Usage: hidden_options_test.py SOURCE_DIRECTORY
"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
package = "".join(path.read_text() for path in sorted((source / "cmake-modules").glob("*.cmake")))
documentation = "".join(path.read_text() for path in sorted((source / "docs").glob("*.md")))
doctor = (source / "pgo/cli/compiler_check.cc").read_text()

listed = re.search(r"HiddenOption kHiddenOptions\[\] = \{(.*?)\n\};", doctor, re.S).group(1)
asked = set(re.findall(r'\{"(-[^"]+)"', listed))
lists = re.findall(r"set\(_PRODPGO_\w*LLVM_OPTIONS\w*\s+(.*?)\s+CACHE", package, re.S)
used = {"-mllvm -" + option for options in lists for option in options.split()}
if not asked or len(lists) < 3:
    sys.exit("the lists are not found: have they moved?")

faults = [f"pgo doctor does not ask for {option}, which the CMake package uses" for option in used - asked]
for option in asked - used:
    if option.startswith("-mllvm ") and option not in documentation:
        faults.append(f"pgo doctor asks for {option}, which nobody uses")
    if not option.startswith("-mllvm ") and option not in package:
        faults.append(f"pgo doctor asks for {option}, which the CMake package does not use")
if faults:
    sys.exit("\n".join(sorted(faults)))
