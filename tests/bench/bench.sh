# Makes the inputs of the benchmark in DIR (once; a second run finds them there) and runs it.
#
#   bench.sh PGO DIR [--full] [--rounds N] [--only TEXT]
#
# First the conversions beside those of the reference tools (what --rounds and --only are about), merging, what the
# profiles are worth, and last what PC samples are worth, of hardened builds too, and cost; --full
# measures that thoroughly.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pgo=$1
dir=$2
shift 2
full=
if [ "${1-}" = --full ]; then
  full=--full
  shift
fi

# fetch PACKAGE DIRECTORY: once.
fetch() {
  [ -d "$dir/$2" ] || (cd "$dir" && bash "$here/fetch_source.sh" "$1" "$2")
}

bash "$here/make_sqlite.sh" "$pgo" "$dir"
bash "$here/make_many.sh" "$pgo" "$dir"
fetch lua5.4 lua_source
fetch leveldb leveldb_source
fetch libzstd zstd_source
python3 "$here/compare_with_reference_tools.py" "$pgo" "$dir" "$@"
if command -v go > /dev/null; then
  python3 "$here/pprof_bench.py" "$pgo" "$dir/pprofs"
else
  echo "merging and comparing beside go tool pprof: left out: go is not installed"
fi
python3 "$here/win_table.py" "$pgo" "$dir" --bolt
python3 "$here/pc_samples.py" "$pgo" "$dir" $full
python3 "$here/inference_cost.py" "$pgo" "$dir"
