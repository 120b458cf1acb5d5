#!/bin/sh
# Installs a server for tests that Debian does not have, or what checks the templates of ci-templates, once for this
# user, and prints where it is:
#   install.sh moto      moto for S3, in a venv of Debian's python3; prints the venv's python (a minute)
#   install.sh s3s_fs    s3s-fs, by the cargo on PATH (Rust 1.92; several minutes)
#   install.sh minio     MinIO, by the go on PATH (Go 1.24; ten minutes)
#   install.sh go_containerregistry    the registry of go-containerregistry (Go 1.25; a few seconds)
#   install.sh distribution            the registry distribution 3 (Go 1.26; two minutes)
#   install.sh actionlint              actionlint for workflows of GitHub (Go 1.25; half a minute)
#   install.sh buildifier              buildifier for the Bazel rules (Go 1.25; a quarter of a minute)
#   install.sh template_schemas        the schemas of GitLab and Kubernetes, in a venv; prints the venv's python
# With --find it installs nothing, and fails when the server is not there. What is installed is pinned by the
# files beside this one, down to the digests of all that it consists of.
#
# It lies in ~/.cache/prodpgo-tests ($XDG_CACHE_HOME, $PRODPGO_TEST_SERVERS), in a directory named for these files.
# Exit status 3: the machine lacks what it takes; the reason is on standard error.
set -eu

find=
if [ "${1-}" = --find ]; then
  find=yes
  shift
fi
server=${1-}
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
if [ "$#" != 1 ] || [ ! -d "$here/$server" ]; then
  echo "usage: $0 [--find] moto|s3s_fs|minio|go_containerregistry|distribution|actionlint|buildifier|template_schemas" >&2
  exit 2
fi

lacks() {
  echo "$server: $1" >&2
  exit 3
}

store=${PRODPGO_TEST_SERVERS:-${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/prodpgo-tests}
case $server in
moto | template_schemas) pinned=requirements.txt ;;
s3s_fs) pinned='Cargo.toml Cargo.lock src/main.rs' ;;
minio | distribution | actionlint | buildifier) pinned='go.mod go.sum' ;;
go_containerregistry) pinned='go.mod go.sum main.go' ;;
esac
# shellcheck disable=SC2086  # a list of words
digest=$(cd "$here/$server" && cat $pinned | sha256sum | cut -c 1-16)
home=$store/$server-$digest
case $server in
moto | template_schemas) program=$home/bin/python ;;
*) program=$home/$server ;;
esac

# at_least WANTED FOUND: two versions.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# needs_venv, install_venv: for the packages of a folder's requirements.txt.
needs_venv() {
  # Another python3 that is first on PATH may change or lack venv.
  python=/usr/bin/python3
  [ -x $python ] || python=python3
  command -v $python > /dev/null || lacks "python3 is not installed"
  $python -c 'import venv, ensurepip' 2> /dev/null || lacks "python3-venv is not installed"
}
install_venv() {
  $python -m venv --clear "$home" &&
    "$home/bin/python" -m pip install --disable-pip-version-check --quiet --no-deps --require-hashes \
      -r "$here/$server/requirements.txt"
}
check_moto() { needs_venv; }
install_moto() { install_venv; }
check_template_schemas() { needs_venv; }
install_template_schemas() { install_venv; }

check_s3s_fs() {
  command -v cargo > /dev/null || lacks "cargo is not installed"
  found=$(cargo --version | cut -d ' ' -f 2)
  at_least 1.92 "$found" || lacks "cargo $found is older than 1.92"
}
install_s3s_fs() {
  cargo build --quiet --release --locked --manifest-path "$here/s3s_fs/Cargo.toml" --target-dir "$home/target" &&
    mv "$home/target/release/s3s_fs_server" "$program" &&
    rm -rf "$home/target"
}

# needs_go VERSION, build_go PACKAGE: for a server's folder here, which is a module.
needs_go() {
  command -v go > /dev/null || lacks "go is not installed"
  found=$(go env GOVERSION)
  at_least "$1" "${found#go}" || lacks "$found is older than go$1"
}
build_go() {
  (cd "$here/$server" && GOFLAGS=-mod=readonly GOTOOLCHAIN=local go build -trimpath -ldflags '-s -w' -o "$program" "$1")
}
check_minio() { needs_go 1.24; }
install_minio() { build_go github.com/minio/minio; }
check_go_containerregistry() { needs_go 1.25; }
install_go_containerregistry() { build_go .; }
check_distribution() { needs_go 1.26; }
install_distribution() { build_go github.com/distribution/distribution/v3/cmd/registry; }
check_actionlint() { needs_go 1.25; }
install_actionlint() { build_go github.com/rhysd/actionlint/cmd/actionlint; }
check_buildifier() { needs_go 1.25; }
install_buildifier() { build_go github.com/bazelbuild/buildtools/buildifier; }

if [ ! -e "$home/installed" ]; then
  [ -z "$find" ] || exit 1
  "check_$server"
  mkdir -p "$home"
  exec 9> "$home.lock"
  flock 9
  # Another process may have installed it meanwhile.
  if [ ! -e "$home/installed" ]; then
    echo "Installing for tests (this may take some minutes): $server" >&2
    if ! "install_$server" > "$home.log" 2>&1; then
      tail -n 3 "$home.log" >&2
      lacks "it cannot be installed; see $home.log"
    fi
    touch "$home/installed"
  fi
fi
echo "$program"
