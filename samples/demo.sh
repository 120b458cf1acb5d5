#!/bin/bash
# The life of a service on one machine, with a store and a registry in directories: releases of queryd, three hosts
# that run and record them, the weekly job, builds with its profiles, a release that gets slower, and the way back.
# Usage: demo.sh PGO DIRECTORY
# PGO is bin/pgo of a build tree or an installation, which also has the CMake package. DIRECTORY becomes the service's
# repository; everything is left there. This page is the story; `demo/` has pgo.toml, the two changes of the sources, and
# how releases, hosts and comparisons work.
#
# Records branches with perf where the machine can, under emulation elsewhere. Without BOLT, it leaves out week 2. Where
# perf cannot record CPU time, the slower release is found by running it, and its function is not named.
# Exit status: 0 when all verdicts are the expected ones: each optimized build takes less CPU time than the first, BOLT's
# not certainly over 1 % more than the one before it, the good release does not fail, and the slower one fails; 1 when
# not, 2 when something failed.
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
cp -r "$here"/queryd/* "$2"
cd "$2"
: > made-by-demo
trap 'echo "demo: stopped in: $BASH_COMMAND" >&2; exit 2' ERR
export PATH=${pgo%/*}:$PATH CCACHE_DISABLE=1 CMAKE_PREFIX_PATH=$package PRODPGO_CACHE=$PWD/cache
# Frame pointers: for the stacks of the flame graph.
export CXX=clang++-22 CMAKE_GENERATOR=Ninja CXXFLAGS=-fno-omit-frame-pointer
for part in terminal releases hosts comparison; do . "$here/demo/$part.sh"; done

status=0
unexpected() { echo "demo: $*" >&2; status=1; }
has_bolt=$(pgo doctor | grep -cE '^  ok +(llvm-bolt|perf2bolt) ' || true)
cp "$here/demo/pgo.toml" .
if [ "$has_bolt" != 2 ]; then
  echo 'max-overlap = 100  # pin the profile of each week, even if it is like the one before' >> pgo.toml
fi
# What matters in the output of `pgo refresh`.
verdict='^queryd: |^  (profiles|builds|compile profile|BOLT profile|recorded build|version) |^pgo: warning: |^  [a-z-]+ .* (ok|failed|not checked)$|GATE'

echo "This takes about three minutes. Everything will be in $PWD."
say "Week 1: build a release that can be profiled, and archive it, to convert its recordings later"
echo "$ export PATH=${pgo%/*}:\$PATH CMAKE_PREFIX_PATH=$CMAKE_PREFIX_PATH PRODPGO_CACHE=$PRODPGO_CACHE"
echo "$ export CXX=$CXX CMAKE_GENERATOR=$CMAKE_GENERATOR CXXFLAGS=$CXXFLAGS"
release queryd.base

say "Three hosts run the release under different loads, record it, and copy the recordings into the store"
choose_engine queryd.base
record queryd.base

say "The weekly job makes profiles from the recordings, checks them, and pins them in pgo.lock"
show '^[^#]' cat pgo.toml
show "$verdict" pgo refresh

say "Build the next release with the pinned profile; LOCK is an option of the sample's CMakeLists.txt"
show '^pgo: ' pgo pull --locked
release queryd.pgo -DLOCK=pgo.lock
good=queryd.pgo

if [ "$has_bolt" = 2 ]; then
  say "Week 2: that release is recorded, so the job can pin a BOLT profile that fits it"
  show . sed -i 's/^outputs = .*/outputs = ["llvm", "bolt"]/' pgo.toml
  a_week_passes
  record queryd.pgo
  show "$verdict" pgo refresh
  show '^pgo: ' pgo pull --locked
  release queryd.bolt
  good=queryd.bolt
else
  say "Week 2 is left out: BOLT is missing. On Debian 12: apt-get install bolt-22"
fi

say "Week 3: the sources change, pgo.lock does not. pgo verify runs both releases alternately"
change lists-with-room.patch
release queryd.week3
echo "$ pgo verify --run-before './$good …' --run-after './queryd.week3 …'"
compare $good queryd.week3 1
sed -n 's/^  verdict /&/p' verify.log
echo "  CPU time      $(change_of_time)"
[ $code != 1 ] || unexpected "the release of week 3 is slower than the one before"

say "The hosts run and record this release, and the weekly job pins new profiles"
a_week_passes
record queryd.week3
show "$verdict" pgo refresh
show '^pgo: ' pgo pull --locked

say "Week 4: a canary gets a change that makes one function slower"
change limit-of-lines.patch
release queryd.week4
if perf record -q -e cpu-clock:u -o probe.data true > output.log 2>&1; then
  record_cpu_time queryd.week3
  record_cpu_time queryd.week4
  judge '^pgo: (pass|fail|inconclusive)' pgo verify cpu/queryd.week3 cpu/queryd.week4 --binary-from dir:builds \
    --path-template '{host}.data' -o regression.html
else
  echo "perf cannot record CPU time here, so pgo verify runs both releases alternately."
  compare queryd.week3 queryd.week4 1
  sed -n 's/^  verdict /&/p' verify.log
fi
[ $code = 1 ] || unexpected "pgo verify did not find the slower release"

say "Roll back the change, and the profiles that were pinned last"
show . pgo pin queryd --previous
change limit-of-lines.patch -R
release queryd.back
judge . cmp queryd.back queryd.week3
[ $code = 0 ] && echo "This build has the same bytes as that of week 3." || unexpected "the build after the rollback is not that of week 3"

say "The gain: pgo verify runs two builds alternately, on requests that were not recorded"
print_comparison queryd.base queryd.pgo 0
[ $code = 0 ] || status=1
if [ -e queryd.bolt ]; then
  # BOLT may win little here. 1 % is what pgo verify lets a release cost: less can come from where code happens to lie.
  print_comparison queryd.pgo queryd.bolt 1
  [ $code != 1 ] || status=1
  print_comparison queryd.base queryd.bolt 0
  [ $code = 0 ] || status=1
fi
echo
echo "The last build, queryd.back:"
pgo match build/queryd | sed -En 's/^ +(sha256:.*)/  profile         \1/p; s/^  match rate +/  match rate      /p'
[ ! -e queryd.bolt ] ||
  sed -En 's/^  taken branches {2,}(.*[0-9]) {2,}(.*[0-9]) {2,}(.*)/  taken branches  \1, after BOLT \2: \3/p' queryd.bolt.log
echo
echo "Everything is in $PWD."
[ ! -e regression.html ] || echo "Open regression.html in a browser: it has the flame graph of week 4 and the functions that grew."
exit $status
