# Sourced by tests of `pgo refresh` for the project of cmake_prelude.sh, after that: the service `small`, whose BOLT profiles
# are of the configuration `clang`. Its hosts put recordings into `store`, and its releases are in the archive `builds`.
need "$llvm/llvm-bolt" "$llvm/perf2bolt" "$llvm/llvm-readelf" python3
export PRODPGO_CACHE=$work/cache

# service [LINE]...: pgo.toml, with these lines, too.
service() {
  cat > pgo.toml << 'TOML'
[service.small]
source = "dir:store"
path-template = "{hour}/{host}.data"
binaries = "dir:builds"
registry = "oci-dir:registry"
outputs = "bolt"
configuration = "clang"
TOML
  printf '%s\n' "$@" >> pgo.toml
}

# record PROGRAM HOUR: one recording in the store.
record() {
  mkdir -p "store/$2"
  "$pgo" record --engine emulate --period "$(period 31)" -o "store/$2/web-1.data" -- "$1" 20000 > record.log 2>&1 ||
    skip "cannot record under emulation: $(tail -n 1 record.log)"
}

# refresh [ARGUMENT]...: what it prints is in `text` and `log`.
refresh() { "$pgo" refresh "$@" > text 2> log || { cat text log; fail "cannot refresh"; }; }
