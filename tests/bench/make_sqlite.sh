# Makes DIR/sqlite, DIR/sqlite_small.perf (87 MB) and DIR/sqlite_big.perf (0.9 GB): SQLite's own benchmark,
# speedtest1, built from Debian's source package and recorded under emulation.
#
#   make_sqlite.sh PGO DIR
#
# Where the package cannot be fetched, SQLITE_SOURCE names a directory with sqlite3.c and test/speedtest1.c.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pgo=$(realpath "$1")
mkdir -p "$2"
cd "$2"

build_source() {
  bash "$here/fetch_source.sh" sqlite3 sqlite_source
  command -v tclsh > /dev/null || {
    echo "make_sqlite.sh: SQLite's own build needs tclsh: apt-get install tcl" >&2
    exit 2
  }
  (cd sqlite_source && ./configure --disable-tcl && make sqlite3.c) > sqlite_source.log 2>&1
}

if [ ! -x sqlite ]; then
  if [ -z "${SQLITE_SOURCE:-}" ]; then
    [ -s sqlite_source/sqlite3.c ] || build_source
    SQLITE_SOURCE=$PWD/sqlite_source
  fi
  clang-22 -O2 -gline-tables-only -fdebug-info-for-profiling -funique-internal-linkage-names -fuse-ld=lld \
    -Wl,--emit-relocs -Wl,--build-id -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I"$SQLITE_SOURCE" \
    "$SQLITE_SOURCE/sqlite3.c" "$SQLITE_SOURCE/test/speedtest1.c" -lm -o sqlite
fi

# record NAME PERIOD: a sample of 32 branches takes 816 bytes; speedtest1 takes 530 million branches.
record() {
  [ -s "$1" ] || "$pgo" record --engine emulate --period "$2" -o "$1" -- ./sqlite --size 30 :memory: > "$1.log" 2>&1
}
record sqlite_small.perf 5003
record sqlite_big.perf 461
