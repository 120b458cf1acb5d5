#!/bin/bash
# The whole job on one machine: a program in production on three hosts, their recordings, one profile,
# the program rebuilt with it, recorded again and BOLTed, and whether each made it faster. One build
# directory, as whoever releases it would have. Usage: demo.sh PGO DIRECTORY
# PGO is bin/pgo of a build tree or an installation, which also has the CMake package.
#
# Records with perf where the machine can record branches, under emulation elsewhere; without BOLT it
# ends at the profile. Everything is left in DIRECTORY. Exit status: 0 when each build takes less CPU time
# than the first, and BOLT's not over 1 % more than the one before it; 1 when not, 2 when something failed.
set -Eeuo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 2 ] || { echo "usage: $0 PGO DIRECTORY" >&2; exit 2; }
pgo=$(realpath "$1")
package=${pgo%/bin/*}
if [ -n "$(ls -A "$2" 2> /dev/null)" ] && [ ! -e "$2/made-by-demo" ]; then
  echo "demo: $2 has files that the demo did not make; remove it, or name another directory" >&2
  exit 2
fi
rm -rf "$2"
mkdir -p "$2"
cd "$2"
: > made-by-demo
trap 'echo "demo: stopped in: $BASH_COMMAND" >&2; exit 2' ERR
export PATH=${pgo%/*}:$PATH CCACHE_DISABLE=1

bold='' plain=''
[ ! -t 1 ] || bold=$'\033[1m' plain=$'\033[0m'
say() { printf '\n%s\n' "$bold$*$plain"; }
show() {  # show COMMAND...: says what is run, runs it
  printf '$ %s\n' "$*"
  "$@" 2>&1
}
release() {  # release PROGRAM [OPTION]...: builds it, and keeps what production runs from now on
  echo "$ cmake -S samples/queryd -B build ${*:2}${2+ }&& cmake --build build && cp build/queryd $1"
  cmake -S "$here/queryd" -B build -G Ninja -DCMAKE_CXX_COMPILER=clang++-22 \
    -DCMAKE_PREFIX_PATH="$package" "${@:2}" > "$1.log" 2>&1 &&
    cmake --build build >> "$1.log" 2>&1 || { cat "$1.log" >&2; false; }
  cp build/queryd "$1"
}
record() {  # record PROGRAM DIRECTORY: on three hosts, each of which uses it in its own way
  mkdir "$2"
  local host=0 kind command
  for kind in shop warehouse reports; do
    host=$((host + 1))
    command="pgo record --engine $engine -o $2/host$host.data -- ./$1 $kind $requests $host"
    echo "$ $command"
    $command > record.log 2>&1 || { cat record.log >&2; false; }
    tail -n 1 record.log
  done
}

say "1. A release that can be profiled"
release queryd.base

say "2. Three hosts run it, each in its own way, and are recorded"
engine='perf --no-clock' requests=2000000  # CPU time is for comparisons of profiles
if ! pgo record --engine $engine -o probe.data -- ./queryd.base shop 1000 > probe.log 2>&1; then
  engine=emulate requests=50000
  sed -En 's/^pgo: error: (.*); (or )?record (on any machine|under emulation).*/\1./p' probe.log
  echo "So branches are recorded under emulation."
fi
rm -f probe.data probe.log
record queryd.base recordings

say "3. All recordings become one profile, and the next release is built with it"
show pgo convert recordings/ --binary queryd.base -o queryd.prof
release queryd.pgo -DPROFILE=queryd.prof

say "4. That one is recorded, and optimized by BOLT"
if [ "$(pgo doctor | grep -cE '^  ok +(llvm-bolt|perf2bolt) ' || true)" = 2 ]; then
  record queryd.pgo recordings.pgo
  show pgo convert recordings.pgo/ --binary queryd.pgo -o queryd.fdata
  release queryd.bolt -DBOLT_PROFILE=queryd.fdata
else
  pgo doctor | grep -E -A 1 '^  [a-z]+ +(llvm-bolt|perf2bolt) ' || true
  echo "Not done, BOLT is missing. On Debian 12: apt-get install bolt-22"
fi

# work PROGRAM: the command that is measured.
work() { echo "./$1 shop 120000 11 && ./$1 warehouse 120000 12 && ./$1 reports 60000 13"; }
# compare BEFORE AFTER LIMIT: prints a line; 0 when AFTER takes less than LIMIT % more CPU time, 1 when it takes more,
# 3 when neither is known.
compare() {
  local result=0
  pgo verify --run-before "$(work "$1")" --run-after "$(work "$2")" --limit "$3" --pairs 21 > verify.log 2>&1 || result=$?
  [ $result != 2 ] || { cat verify.log >&2; exit 2; }
  printf '  %-11s vs. %-11s  CPU time %s\n' "$2" "$1" \
    "$(sed -En 's/^  CPU time .* ([-+]?[0-9.]+ %)  (.*)/\1 (95 % interval: \2)/p' verify.log)"
  grep '^pgo: warning: ' verify.log || true
  return $result
}

say "Each build is run in turn with the one before it, on requests that were not recorded"
echo "$ pgo verify --run-before './queryd.base …' --run-after './queryd.pgo …' --limit 0"
trap - ERR
status=0
compare queryd.base queryd.pgo 0 || status=1
if [ -e queryd.bolt ]; then
  # BOLT may win little here. 1 % is what pgo verify lets a release cost: less can come from where code happens to lie.
  compare queryd.pgo queryd.bolt 1 || [ $? = 3 ] || status=1
  compare queryd.base queryd.bolt 0 || status=1
fi
echo
pgo match build/queryd |
  sed -En 's/^ +(sha256:.*)/  profile         \1/p; s/^  match rate +/  match rate      /p'
[ ! -e queryd.bolt ] ||
  sed -En 's/^  taken branches {2,}(.*[0-9]) {2,}(.*[0-9]) {2,}(.*)/  taken branches  \1, after BOLT \2: \3/p' queryd.bolt.log
echo
echo "Everything is in $PWD."
exit $status
