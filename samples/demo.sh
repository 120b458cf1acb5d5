#!/bin/bash
# The whole job on one machine: a program in production on three hosts, their recordings, one profile,
# the program rebuilt with it, and whether that made it faster. Usage: demo.sh PGO DIRECTORY
# PGO is bin/pgo of a build tree or an installation, which also has the CMake package.
#
# Records with perf where the machine can record branches, under emulation elsewhere. Everything is
# left in DIRECTORY. Exit status: 0 a win, 1 none, 2 something failed.
set -Eeuo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 2 ] || { echo "usage: $0 PGO DIRECTORY" >&2; exit 2; }
pgo=$(realpath "$1")
package=${pgo%/bin/*}
rm -rf "$2"
mkdir -p "$2/recordings"
cd "$2"
trap 'echo "demo: stopped in: $BASH_COMMAND" >&2; exit 2' ERR
export PATH=${pgo%/*}:$PATH CCACHE_DISABLE=1

bold='' plain=''
[ ! -t 1 ] || bold=$'\033[1m' plain=$'\033[0m'
say() { printf '\n%s\n' "$bold$*$plain"; }
show() {  # show COMMAND...: says what is run, runs it
  printf '$ %s\n' "$*"
  "$@" 2>&1
}
build() {  # build DIRECTORY [OPTION]...
  cmake -S "$here/queryd" -B "$1" -G Ninja -DCMAKE_CXX_COMPILER=clang++-22 \
    -DCMAKE_PREFIX_PATH="$package" "${@:2}" > "$1.log"
  cmake --build "$1" >> "$1.log" || { cat "$1.log" >&2; false; }
}

say "1. A release that can be profiled"
printf '$ cmake -S samples/queryd -B baseline && cmake --build baseline\n'
build baseline
ls -l baseline/queryd | awk '{ print $5, "bytes" }'

say "2. Three hosts run it, each in its own way, and are recorded"
engine=perf requests=2000000
if ! pgo record --engine perf -o probe.data -- baseline/queryd shop 1000 > probe.log 2>&1; then
  engine=emulate requests=50000
  sed -n 's/^pgo: error: \(.*\)\. Or record under emulation.*/The processor logs no branches for us (\1)./p' probe.log
  echo "So one that does is emulated."
fi
rm -f probe.data probe.log
host=0
for kind in shop warehouse reports; do
  host=$((host + 1))
  command="pgo record --engine $engine -o recordings/host$host.data --"
  command+=" baseline/queryd $kind $requests $host"
  echo "$ $command"
  $command > host$host.log 2>&1 || { cat host$host.log >&2; false; }
  tail -n 1 host$host.log
done

say "3. All recordings become one profile"
show pgo convert recordings/ --binary baseline/queryd -o queryd.prof -o queryd.proftext
show pgo show --top 5 queryd.prof

say "4. The same sources, rebuilt with the profile"
printf '$ cmake -S samples/queryd -B optimised -DPROFILE=queryd.prof && cmake --build optimised\n'
build optimised "-DPROFILE=$PWD/queryd.prof"
ls -l optimised/queryd | awk '{ print $5, "bytes" }'

say "5. Both, in turn, on requests that were not recorded: CPU time"
trap - ERR
status=0
python3 "$here/paired_runs.py" --pairs 15 baseline/queryd optimised/queryd \
  -- shop 120000 11 -- warehouse 120000 12 -- reports 60000 13 || status=$?
echo
echo "Everything is in $PWD."
exit $status
