# Sourced by tests of versions after prelude.sh: small profiles, and what a layout must keep.
export PRODPGO_CACHE=$work/cache

# profile FILE COUNT: an LLVM sample profile.
profile() {
  mkdir -p "$(dirname "$1")"
  printf 'main:%d:10\n 1: %d\n 2: 100\n' $(($2 + 100)) "$2" > "$1"
}

# push TAG COUNT: a version with one profile, in the layout `profiles`; prints its digest.
push() {
  profile pushed/server.proftext "$2"
  "$pgo" push pushed/server.proftext "oci-dir:profiles:$1" 2> log
}

# check_layout DIRECTORY: index.json parses, what it names is there, and each blob has the digest that it is named by.
check_layout() {
  python3 - "$1" << 'END'
import hashlib, json, pathlib, sys
layout = pathlib.Path(sys.argv[1])
assert json.loads((layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
blobs = {path.name: path.read_bytes() for path in (layout / "blobs/sha256").iterdir()}
for name, contents in blobs.items():
    assert hashlib.sha256(contents).hexdigest() == name, f"{name} is damaged"
for entry in json.loads((layout / "index.json").read_text())["manifests"]:
    manifest = json.loads(blobs[entry["digest"].removeprefix("sha256:")])
    for blob in [manifest["config"], *manifest["layers"]]:
        assert len(blobs[blob["digest"].removeprefix("sha256:")]) == blob["size"]
END
}

expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

refuses() { # EXPECTED ARGUMENTS...
  local expected=$1 status=0
  shift
  "$pgo" "$@" > text 2> log || status=$?
  expect "exit code of $*" 2 $status
  expect "$*" "pgo: error: $expected" "$(cat log)"
}
