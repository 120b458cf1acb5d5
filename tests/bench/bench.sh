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
bash "$here/make_sqlite.sh" "$pgo" "$dir"
bash "$here/make_many.sh" "$pgo" "$dir"
bash "$here/make_lua.sh" "$dir"
python3 "$here/compare_with_peers.py" "$pgo" "$dir" "$@"
python3 "$here/win_table.py" "$pgo" "$dir" --bolt
