#!/bin/bash
# The Bazel rules are formatted and without warnings of buildifier. It also parses what only newer versions of Bazel load
# (MODULE.bazel, extension.bzl), which no test runs: each name that these load or pass on is defined where they say.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

buildifier=$("$root/tests/servers/install.sh" --find buildifier) || {
  [ "${PRODPGO_TOOLS-}" != required ] || fail "buildifier is not installed (install/dependencies.sh test)"
  echo "SKIPPED: buildifier is not installed (install/dependencies.sh test)"
  exit 77
}
"$buildifier" --mode=check --lint=warn -r "$root/bazel" "$root/tests/e2e/bazel" "$root/samples/queryd" >&2 ||
  fail "run: $buildifier --mode=fix -r bazel"

# Each load() of a file here: it exists, and defines the name.
cd "$root/bazel"
python3 - << 'END'
import pathlib
import re
import sys

for path in sorted(pathlib.Path(".").glob("*.b*z*l*")):
    for file, names in re.findall(r'^load\("//:([a-z_]+\.bzl)", ([^)]*)\)', path.read_text(), re.M):
        if not pathlib.Path(file).exists():
            sys.exit(f"FAILED: {path} loads {file}, which does not exist")
        for name in re.findall(r'"(\w+)"', names):
            if not re.search(rf"^(def )?{name}\b", pathlib.Path(file).read_text(), re.M):
                sys.exit(f"FAILED: {path} loads {name} of {file}, which does not define it")

# What the module extension and the WORKSPACE form call has the arguments that they give.
extension = pathlib.Path("extension.bzl").read_text()
repositories = pathlib.Path("repositories.bzl").read_text()
parameters = re.findall(r"(\w+)(?: = [^,]*)?(?:, |$)", re.search(r"def declare_profile\((.*)\):", repositories)[1])
tools = re.findall(r'^        "(\w+)": attr\.', pathlib.Path("tools_repository.bzl").read_text(), re.M) + ["name"]
for function, known in (("declare_profile", parameters), ("prodpgo_tools", tools)):
    given = re.findall(r"(\w+) =", re.search(rf" {function}\(([^)]*)\)", extension)[1])
    if len(given) < 2 or not set(given) <= set(known):
        sys.exit(f"FAILED: extension.bzl gives {function} {given}, and it has {known}")

# One version: that of the project.
version = re.search(r"^project\(prodpgo.* VERSION ([0-9.]+)", pathlib.Path("../CMakeLists.txt").read_text(), re.M | re.I)[1]
if f'version = "{version}"' not in pathlib.Path("MODULE.bazel").read_text():
    sys.exit(f"FAILED: MODULE.bazel does not have the version {version}")
END
