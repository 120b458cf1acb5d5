# The packages that cpack makes hold a program that runs where only the libraries are that the Debian
# package says it depends on, and a CMake package that is found.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need cpack dpkg-shlibdeps dpkg-deb dpkg-query file unshare

! grep -F -- -fsanitize "$BUILD_DIR/CMakeCache.txt" > /dev/null || skip "sanitizers need more of a machine"

cpack --config "$BUILD_DIR/CPackConfig.cmake" -B "$work" > cpack.log 2>&1 || { cat cpack.log; false; }
deb=$(ls prodpgo_*_*.deb)
dpkg-deb --info "$deb" > info
for package in libllvm22 libelf1 libzstd1 liblzma5 'libstdc\+\+6' libc6; do
  grep -E "^ Depends:.* $package( |,|$)" info > /dev/null || { cat info; fail "does not depend on $package"; }
done
grep -E '^ Recommends: bolt-22, ' info > /dev/null

# A machine of nothing but that: the files of all packages that it needs, and those need.
dependencies() { sed -E 's/^ (Pre-)?Depends: //; s/\([^)]*\)//g; s/\|[^,]*//g; s/, */\n/g' | sed -E 's/:any| //g'; }
grep -E '^ Depends:' info | dependencies > wanted
touch have
while next=$(grep -vxFf have wanted | grep . | head -n 1); [ -n "$next" ]; do
  echo "$next" >> have
  dpkg-query --show --showformat=' Depends: ${Depends}\n Depends: ${Pre-Depends}\n' "$next" | dependencies >> wanted
done
mkdir -p machine/opt machine/usr/lib machine/usr/lib64
ln -s usr/lib machine/lib
ln -s usr/lib64 machine/lib64
while read -r package; do
  dpkg-query --listfiles "$package" | grep -E '\.so(\.[0-9.]+)?$' || true
done < have | while read -r path; do
  mkdir -p "machine${path%/*}"
  cp -a "$path" "machine$path"
done
dpkg-deb --extract "$deb" machine
tar -C machine/opt -xf prodpgo-*.tar.gz

# Templates of CI call this one where it is installed.
[ -e machine/usr/share/prodpgo/bazel/defs.bzl ] || fail "the Bazel rules are not installed"
[ -e machine/usr/share/prodpgo/bazel/debian/rules_cc/WORKSPACE ] || fail "the stand-in for rules_cc is not installed"
[ -x machine/usr/share/prodpgo/ci-templates/push-refresh.sh ] || fail "push-refresh.sh is not installed"

in_machine() {
  if [ "$(id -u)" = 0 ]; then chroot machine "$@"; else unshare --map-root-user chroot machine "$@"; fi
}
in_machine /usr/bin/pgo --version > said 2>&1 || { [ "$(id -u)" = 0 ] || skip "no chroot here"; cat said; false; }
cmp said <("$pgo" --version)
# pgo init finds the templates that were installed with it. (It asks /proc where it is.)
mkdir -p repository/.git
machine/usr/bin/pgo init server --ci github -o repository/pgo.toml 2> said || { cat said; fail "pgo init finds no templates"; }
cmp repository/.github/workflows/prodpgo-refresh.yml machine/usr/share/prodpgo/ci-templates/github/prodpgo-refresh.yml
in_machine /usr/bin/pgo show /usr/bin/pgo > said
grep -F "/usr/bin/pgo: ELF position-independent executable, x86-64" said > /dev/null
in_machine /bin/sh -c : 2> /dev/null && fail "this machine has more than it should"
unpacked=$(cd machine && ls -d opt/prodpgo-*)
in_machine "/$unpacked/bin/pgo" show "/$unpacked/lib/prodpgo/prodpgo_branch_recorder.so" > said
grep -F ": ELF shared library, x86-64" said > /dev/null

# Both have the manual and the completions, which are those that the program prints.
for prefix in machine/usr "machine/$unpacked"; do
  cmp "$prefix/share/man/man1/pgo-merge.1" <("$pgo" manual merge)
  [ "$(ls "$prefix/share/man/man1" | wc -l)" -gt 20 ] || fail "manual pages are missing"
  cmp "$prefix/share/bash-completion/completions/pgo" <("$pgo" completion bash)
  for directory in site-functions vendor-completions; do
    cmp "$prefix/share/zsh/$directory/_pgo" <("$pgo" completion zsh)
  done
  cmp "$prefix/share/fish/vendor_completions.d/pgo.fish" <("$pgo" completion fish)
  [ -e "$prefix/share/doc/prodpgo/CHANGELOG.md" ] || fail "CHANGELOG.md is missing"
done

# Both have a CMake package that is found, and a plugin that the program finds beside it.
project source < /dev/null
for prefix in "$work/machine/usr" "$work/machine/$unpacked"; do
  must_configure "${prefix##*/}" -DCMAKE_PREFIX_PATH="$prefix"
  grep -F "ProdPGO_DIR:PATH=$prefix/lib/cmake/ProdPGO" "${prefix##*/}/CMakeCache.txt" > /dev/null
  if command -v qemu-x86_64 > /dev/null; then
    "$prefix/bin/pgo" record --engine emulate -o recorded -- /bin/true > record.log 2>&1 || { cat record.log; false; }
    rm recorded
  fi
done
