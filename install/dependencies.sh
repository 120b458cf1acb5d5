#!/bin/sh
# Sees to it that the packages for one purpose are installed: `dependencies.sh build|demo|test|bench|servers`.
# Quick and silent when all are there. Otherwise it installs what is missing on Debian 12, as root or
# through sudo; anywhere else it lists what is missing and stops.
#
# Servers that tests start, checks of templates, and what else Debian does not have come from PyPI (`test`), and from Go's
# and Rust's registries (`servers`), without root: see tests/servers/install.sh. It says what cannot be installed; the tests of that are skipped.
#
# Reads the distribution from /etc/os-release, or from the file that OS_RELEASE names. INSTALL_SERVER names another
# tests/servers/install.sh.
set -eu

# To build pgo.
build='g++ cmake ninja-build ccache pkg-config llvm-22-dev libelf-dev libdeflate-dev libre2-dev libzstd-dev
  liblzma-dev zlib1g-dev libssl-dev libsodium-dev libcurl4-openssl-dev libpugixml-dev libprotobuf-dev protobuf-compiler libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libboost-dev'
# What the demo does besides: compile a program with clang and lld, record it with perf or QEMU, lay it
# out anew with BOLT.
demo='clang-22 lld-22 bolt-22 qemu-user linux-perf gcc libc6-dev python3 patch'
# What the tests need besides: the test framework, sanitizers and libFuzzer, the reference tools that our output
# is compared with, the checks of layout and code, a proxy with its load, a server of metrics, a registry with what
# makes its passwords and certificates, a tool for registries, what the templates of ci-templates run and are checked by,
# shells that complete commands.
test='libgtest-dev libgmock-dev libclang-rt-22-dev llvm-22 llvm-22-tools autofdo binutils
  clang-format-22 clang-tidy-22 make dpkg-dev file libgoogle-perftools4 python3-jsonschema zstd
  xz-utils nghttp2-client nghttp2-proxy nghttp2-server prometheus curl python3-venv
  docker-registry debuginfod apache2-utils openssl skopeo minisign git jq python3-yaml shellcheck systemd man-db zsh fish'
# The build systems besides CMake whose pages have examples, and what Debian's Bazel looks for in packages.
test="$test bazel-bootstrap bazel-platforms bazel-rules-java bazel-rules-proto bazel-skylib meson"
# The browser that pages are tested in, and what drives it. Other packages of Node.js than Debian's have npm in them.
test="$test chromium nodejs"
command -v npm >/dev/null || test="$test npm"
# What the benchmark needs besides the demo's: the reference tools, exact counts, what unpacks and prepares sources, and
# what the tests' part of the build asks for.
bench='llvm-22 valgrind tcl make xz-utils libgtest-dev libgmock-dev'

# Servers and checks, by their folders in tests/servers.
servers=

case "${1-}" in
build) wanted=$build ;;
demo) wanted="$build $demo" ;;
test)
  wanted="$build $demo $test" servers='moto template_schemas'
  # In seconds, where there is a Go.
  ! command -v go >/dev/null || servers="$servers go_containerregistry actionlint buildifier"
  ;;
servers) wanted= servers='moto s3s_fs minio go_containerregistry distribution' ;;
bench) wanted="$build $demo $bench" ;;
*)
  echo "usage: $0 build|demo|test|bench|servers" >&2
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

install_servers() {
  for server in $servers; do
    "${INSTALL_SERVER:-${0%/*}/../tests/servers/install.sh}" "$server" >/dev/null ||
      echo "$0: tests that need $server will be skipped, or fail where tools are required" >&2
  done
}
if [ -z "$missing" ]; then
  install_servers
  exit 0
fi

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
install_servers
