# The Debian package installs on a machine that has nothing but the base system and what it depends on, works there, and
# goes away again without a trace. So does the archive. Needs root, debootstrap, and Debian's packages.
. "$(dirname "$0")/../prelude.sh"
need cpack dpkg-shlibdeps

! grep -F -- -fsanitize "$BUILD_DIR/CMakeCache.txt" > /dev/null || skip "sanitizers need more of a machine"
[ "$(id -u)" = 0 ] || skip "debootstrap needs root"
command -v debootstrap > /dev/null || skip "debootstrap is not installed"
. /etc/os-release
[ "${ID-}" = debian ] || skip "this is not Debian"

cpack --config "$BUILD_DIR/CPackConfig.cmake" -B "$work" > cpack.log 2>&1 || { cat cpack.log; false; }
debootstrap --variant=minbase "$VERSION_CODENAME" machine http://deb.debian.org/debian > debootstrap.log 2>&1 ||
  { tail debootstrap.log; skip "debootstrap failed"; }
for suite in "debian $VERSION_CODENAME" "debian $VERSION_CODENAME-updates" "debian-security $VERSION_CODENAME-security"; do
  echo "deb http://deb.debian.org/$suite main"
done > machine/etc/apt/sources.list
in_machine() { chroot machine env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
in_machine apt-get -q update > apt.log 2>&1 || { tail apt.log; skip "no packages can be downloaded"; }

# The files of the package, but for pages that man keeps.
files() { find machine -xdev -path '*pgo*' ! -path 'machine/var/cache/man/*' | sort; }
files > before
cp prodpgo_*.deb machine/prodpgo.deb
in_machine apt-get -q -y --no-install-recommends install /prodpgo.deb > apt.log 2>&1 || { tail -n 20 apt.log; fail "cannot install"; }
in_machine dpkg --verify prodpgo > verify.log
[ ! -s verify.log ] || { cat verify.log; fail "files differ from those of the package"; }

printf 'main;work 10\nmain 1\n' > machine/a.folded
try() { # PREFIX: what a first user does
  in_machine "$1/bin/pgo" --version > said
  cmp said <("$pgo" --version)
  in_machine "$1/bin/pgo" merge /a.folded -o /a.pb.gz > try.log 2>&1 || { cat try.log; fail "cannot merge"; }
  in_machine "$1/bin/pgo" show /a.pb.gz > try.log 2>&1 || { cat try.log; fail "cannot show"; }
  # Without perf, clang and BOLT it says what is missing.
  local status=0
  in_machine "$1/bin/pgo" doctor > doctor.log 2>&1 || status=$?
  [ "$status" -le 1 ] || { cat doctor.log; fail "pgo doctor: exit status $status"; }
  rm machine/a.pb.gz
}
try /usr
in_machine bash -c 'source /usr/share/bash-completion/completions/pgo && complete -p pgo' > /dev/null
in_machine apt-get -q -y --no-install-recommends install man-db > apt.log 2>&1 || { tail apt.log; fail "cannot install man-db"; }
in_machine man pgo-merge > page 2> man.log || { cat man.log; fail "man does not find pgo-merge"; }
grep -q -- '--shard' page || { cat page; fail "this is not the page of pgo merge"; }

in_machine dpkg --purge prodpgo > purge.log 2>&1 || { cat purge.log; fail "cannot remove it"; }
rm machine/prodpgo.deb
files > after
cmp before after || { diff before after; fail "it left files behind"; }

# The archive, with the libraries that the package brought.
mkdir machine/opt/prodpgo
tar -C machine/opt/prodpgo --strip-components=1 -xf prodpgo-*.tar.gz
try /opt/prodpgo
rm -rf machine
