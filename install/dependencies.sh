#!/bin/sh
# Sees to it that the packages for one purpose are installed: `dependencies.sh build|demo|test|bench`.
# Quick and silent when all are there. Otherwise it installs what is missing on Debian 12, as root or
# through sudo; anywhere else it lists what is missing and stops.
#
# Reads the distribution from /etc/os-release, or from the file that OS_RELEASE names.
set -eu

# To build pgo.
build='g++ cmake ninja-build ccache pkg-config llvm-22-dev libelf-dev libdeflate-dev libre2-dev libzstd-dev
  liblzma-dev zlib1g-dev libssl-dev libcurl4-openssl-dev libpugixml-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libboost-dev'
# What the demo does besides: compile a program with clang and lld, record it with perf or QEMU, lay it
# out anew with BOLT.
demo='clang-22 lld-22 bolt-22 qemu-user linux-perf gcc libc6-dev python3'
# What the tests need besides: the test framework, sanitizers and libFuzzer, the peers that our output
# is compared with, the checks of layout and code, a proxy with its load, a server of metrics.
test='libgtest-dev libgmock-dev libclang-rt-22-dev llvm-22 llvm-22-tools autofdo binutils
  clang-format-22 clang-tidy-22 make dpkg-dev file libgoogle-perftools4 protobuf-compiler python3-jsonschema zstd
  xz-utils nghttp2-client nghttp2-proxy nghttp2-server prometheus'
# The browser that pages are tested in, and what drives it. Other packages of Node.js than Debian's have npm in them.
test="$test chromium nodejs"
command -v npm >/dev/null || test="$test npm"
# What the benchmark needs besides the demo's: the peers, exact counts, what unpacks and prepares sources, and
# what the tests' part of the build asks for.
bench='llvm-22 valgrind tcl make xz-utils libgtest-dev libgmock-dev'

case "${1-}" in
build) wanted=$build ;;
demo) wanted="$build $demo" ;;
test) wanted="$build $demo $test" ;;
bench) wanted="$build $demo $bench" ;;
*)
  echo "usage: $0 build|demo|test|bench" >&2
  exit 2
  ;;
esac

missing=
if command -v dpkg-query >/dev/null; then
  for package in $wanted; do
    case $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || :) in
    installed*) ;;
    *) missing="$missing $package" ;;
    esac
  done
else
  for package in $wanted; do missing="$missing $package"; done
fi
[ -n "$missing" ] || exit 0

stop() {
  echo "$0: $1" >&2
  echo "Missing, by Debian's names:$missing" >&2
  echo "$2" >&2
  exit 1
}

id=unknown version=
if [ -r "${OS_RELEASE:=/etc/os-release}" ]; then
  id=$(. "$OS_RELEASE" && echo "${ID:-unknown}")
  version=$(. "$OS_RELEASE" && echo "${VERSION_ID-}")
fi
[ "$id $version" = "debian 12" ] || stop \
  "this is $id${version:+ $version}; packages are installed on Debian 12 only." \
  "Install them your way, then run make with DEPENDENCIES=: in its command line."

if [ "$(id -u)" = 0 ]; then
  root=
elif command -v sudo >/dev/null; then
  root=sudo
else
  stop "no root here, and no sudo." "As root: apt-get update && apt-get install$missing"
fi

echo "Installing (this may take some minutes):$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # $root and $missing are lists of words
{
  $root apt-get update -qq &&
    $root apt-get install -qq --yes --no-install-recommends -o DPkg::Lock::Timeout=300 $missing
} >/dev/null || stop "apt-get failed." "As root: apt-get update && apt-get install$missing"
