# Makes the inputs of the benchmark in DIR (once; a second run finds them there) and runs it.
#
#   bench.sh PGO DIR [--rounds N] [--only TEXT]
#
# First the conversions beside those of the peers, then what the profiles are worth.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pgo=$1
dir=$2
shift 2

# fetch PACKAGE DIRECTORY: once.
fetch() {
  [ -d "$dir/$2" ] || (cd "$dir" && bash "$here/fetch_source.sh" "$1" "$2")
}

bash "$here/make_sqlite.sh" "$pgo" "$dir"
bash "$here/make_many.sh" "$pgo" "$dir"
fetch lua5.4 lua_source
fetch leveldb leveldb_source
python3 "$here/compare_with_peers.py" "$pgo" "$dir" "$@"
python3 "$here/win_table.py" "$pgo" "$dir" --bolt
