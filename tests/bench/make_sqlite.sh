# Makes DIR/sqlite, DIR/sqlite_small.perf (87 MB) and DIR/sqlite_big.perf (0.9 GB): SQLite's own benchmark,
# speedtest1, built from Debian's source package and recorded under emulation.
#
#   make_sqlite.sh PGO DIR
#
# The package is fetched through the sources that this machine already trusts, read as deb-src, with lists
# and cache in DIR: nothing of the system is changed. Where that is not possible, SQLITE_SOURCE names a
# directory with sqlite3.c and test/speedtest1.c.
set -euo pipefail
pgo=$(realpath "$1")
mkdir -p "$2"
cd "$2"

# In: the machine's own lists of packages. Out: ./apt/sources, the same for source packages.
write_source_lists() {
  local list
  mkdir -p apt/sources apt/lists/partial apt/cache/archives/partial
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -e "$list" ] || continue
    grep -q 'debian.org' "$list" || continue
    sed 's/^Types:.*/Types: deb-src/' "$list" > "apt/sources/$(basename "$list")"
  done
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$list" ] || continue
    sed -n '/debian.org/s/^deb /deb-src /p' "$list" > "apt/sources/$(basename "$list" .list).list"
  done
}

fetch_source() {
  local apt="apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$PWD/apt/sources
    -o Dir::State::lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache"
  write_source_lists
  $apt update && $apt source --download-only sqlite3 2> apt/log || {
    echo "make_sqlite.sh: no source package sqlite3 from the sources of this machine; get SQLite's source" \
      "tree, run 'make sqlite3.c' in it, and set SQLITE_SOURCE to it" >&2
    exit 2
  }
  command -v tclsh > /dev/null || {
    echo "make_sqlite.sh: SQLite's own build needs tclsh: apt-get install tcl" >&2
    exit 2
  }
  mkdir -p sqlite_source
  tar xf sqlite3_*.orig.tar.xz --strip-components=1 -C sqlite_source
  (cd sqlite_source && ./configure --disable-tcl && make sqlite3.c) > sqlite_source.log 2>&1
}

if [ ! -x sqlite ]; then
  if [ -z "${SQLITE_SOURCE:-}" ]; then
    [ -s sqlite_source/sqlite3.c ] || fetch_source
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
