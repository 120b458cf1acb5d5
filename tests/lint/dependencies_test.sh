#!/bin/bash
# install/dependencies.sh installs what is missing, only that, and only where it should; elsewhere it
# lists what is missing. Runs it among stand-ins for dpkg-query, apt-get, sudo and id.
set -euo pipefail
script=$(cd "$(dirname "$0")/../.." && pwd)/install/dependencies.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  cat said >&2
  exit 1
}

# stand_in NAME COMMANDS: a program of that name.
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" > "bin/$1"
  chmod +x "bin/$1"
}

# A machine with everything but what the arguments name; $uid is the user.
machine() {
  rm -rf bin log
  mkdir bin
  for tool in sh cat printf; do ln -s "$(command -v $tool)" "bin/$tool"; done
  stand_in dpkg-query "case \" $* \" in *\" \$3 \"*) exit 1 ;; *) echo installed ;; esac"
  stand_in apt-get 'echo "apt-get $*" >> log'
  stand_in id 'echo '"$uid"
  stand_in install_server 'echo "server $1" >> servers'
  rm -f servers
}

# run STATUS PURPOSE: runs the script on that machine.
run() {
  local status=0
  PATH=$work/bin OS_RELEASE=$work/os-release INSTALL_SERVER=install_server "$work/bin/sh" "$script" "$2" > said 2>&1 || status=$?
  [ "$status" = "$1" ] || fail "exit status $status instead of $1"
}

says() { grep -qxF -- "$1" said || fail "not said: $1"; }
installed() { [ "$(cat servers 2> /dev/null)" = "$1" ] || fail "servers: $(cat servers 2> /dev/null)"; }
logged() { [ "$(cat log 2> /dev/null)" = "$1" ] || fail "ran: $(cat log 2> /dev/null)"; }

printf 'ID=debian\nVERSION_ID="12"\n' > os-release

uid=1000 machine none
run 0 test
[ ! -s said ] || fail "not silent when all is there"
logged ""
installed "server moto
server template_schemas"

# After the packages that it needs.
uid=0 machine python3-venv
stand_in install_server '{ cat log; echo "server $1"; } >> servers; exit 3'
run 0 test
says "$script: tests that need moto will be skipped, or fail where tools are required"
installed "apt-get update -qq
apt-get install -qq --yes --no-install-recommends -o DPkg::Lock::Timeout=300 python3-venv
server moto
apt-get update -qq
apt-get install -qq --yes --no-install-recommends -o DPkg::Lock::Timeout=300 python3-venv
server template_schemas"

uid=1000 machine none
run 0 servers
installed "server moto
server s3s_fs
server minio
server go_containerregistry
server distribution"

# Where there is a Go.
uid=1000 machine none
stand_in go ''
run 0 test
installed "server moto
server template_schemas
server go_containerregistry
server actionlint
server buildifier"

uid=0 machine ccache lld-22
run 0 demo
says "Installing (this may take some minutes): ccache lld-22"
logged "apt-get update -qq
apt-get install -qq --yes --no-install-recommends -o DPkg::Lock::Timeout=300 ccache lld-22"

uid=0 machine lld-22   # the demo's, not the build's
run 0 build
logged ""
installed ""

uid=1000 machine ccache
stand_in sudo 'echo sudo >> log; exec "$@"'
run 0 build
logged "sudo
apt-get update -qq
sudo
apt-get install -qq --yes --no-install-recommends -o DPkg::Lock::Timeout=300 ccache"

uid=1000 machine ccache g++
run 1 build
says "$script: no root here, and no sudo."
says "Missing, by Debian's names: g++ ccache"
says "As root: apt-get update && apt-get install g++ ccache"
logged ""

uid=0 machine g++
stand_in apt-get 'exit 100'
run 1 build
says "$script: apt-get failed."

printf 'ID=ubuntu\nVERSION_ID="24.04"\n' > os-release
uid=0 machine g++
run 1 build
says "$script: this is ubuntu 24.04; packages are installed on Debian 12 only."
says "Missing, by Debian's names: g++"
logged ""
uid=0 machine none
run 0 build

printf 'ID=arch\n' > os-release
uid=0 machine none
rm bin/dpkg-query
run 1 build
says "$script: this is arch; packages are installed on Debian 12 only."
grep -q "llvm-22-dev" said || fail "no list where dpkg-query is missing"

uid=0 machine none
run 2 everything
says "usage: $script build|demo|test|bench|servers"
