# The forms of docs/guide/build.md for Make, Meson and scripts, as they are there: profilable first, then with a profile, and
# again with another one.
. "$(dirname "$0")/../prelude.sh"
need clang++-22 make meson ninja python3 qemu-x86_64
PATH=$(dirname "$pgo"):$PATH
unset CXX CXXFLAGS LDFLAGS MAKEFLAGS

# form FIRST_LINE: the indented text of the guide that begins so.
form() {
  python3 - "$here/../../docs/guide/build.md" "$1" << 'END'
import sys
lines = open(sys.argv[1]).read().splitlines()
at = lines.index("    " + sys.argv[2])
while at < len(lines) and lines[at].startswith("    "):
    print(lines[at][4:])
    at += 1
END
}
mkdir source
cat > source/engine.cc << 'END'
static int __attribute__((noinline)) inner(int x) { return x % 3 == 0 ? x * 7 : x + 1; }
int engine(int x) { return inner(x) + inner(x + 1); }
END
cat > source/server.cc << 'END'
#include <cstdio>
int engine(int x);
int main() {
  unsigned sum = 0;
  for (int i = 0; i < 100000; i++) sum += static_cast<unsigned>(engine(i));
  std::printf("%u\n", sum);
}
END
for kind in make meson script; do cp -r source $kind; done
form "CXX = clang++-22" > make/Makefile
form "project('server', 'cpp', default_options: ['optimization=2'])" > meson/meson.build
form "set -eu" > script/build.sh
make_build() { make -C make server; }
meson_build() {
  if [ -d meson/build ]; then
    [ "${1-}" != again ] || meson setup --reconfigure meson/build meson || return
  else
    CXX=clang++-22 meson setup meson/build meson
  fi
  ninja -v -C meson/build
  cp meson/build/server meson/server
}
script_build() { (cd script && sh -x build.sh); }

for kind in make meson script; do
  ${kind}_build > log 2>&1 || { cat log; fail "$kind does not build"; }
  "$pgo" show $kind/server > shown
  grep -F "pseudo probes" shown > /dev/null || { cat shown; fail "$kind: not profilable"; }
  grep -F "can be optimized" shown > /dev/null || fail "$kind: not for BOLT"
  "$pgo" record --engine emulate --period "$(period 503)" -o $kind.data -- $kind/server > record.log 2>&1
  "$pgo" convert $kind.data --binary $kind/server -o $kind/server.prof 2> convert.log || { cat convert.log; fail "cannot convert"; }
  # Without flags, it would be built without the profile.
  mkdir -p broken
  printf '#!/bin/sh\nexit 2\n' > broken/pgo
  chmod +x broken/pgo
  ! PATH=$work/broken:$PATH ${kind}_build again > log 2>&1 || { cat log; fail "$kind: builds although pgo flags fails"; }
  sleep 1.1  # Make goes by the time
  ${kind}_build again > log 2>&1 || { cat log; fail "$kind does not build with the profile"; }
  grep -F -- "-fprofile-sample-use=" log > /dev/null || { cat log; fail "$kind: the profile is not used"; }
  "$pgo" match $kind/server --profile $kind/server.prof --min-match 99 --error
  if [ $kind = meson ]; then  # in another directory, the names of static functions are the same
    CXX=clang++-22 meson setup meson/other/deep/build meson > log 2>&1 && ninja -C meson/other/deep/build >> log 2>&1 ||
      { cat log; fail "does not build elsewhere"; }
    "$pgo" match meson/other/deep/build/server --profile meson/server.prof --min-match 99 --error
  fi
  ! grep -F "unused during compilation" log || fail "$kind: gives the linker options of the compiler"
  sleep 1.1
  printf 'main:1000:1\n 3: 1\n' > $kind/server.prof
  ${kind}_build > log 2>&1 || { cat log; fail "$kind does not build with another profile"; }
  [ "$(grep -c -- "-fprofile-sample-use=.* -c " log)" = 2 ] || { cat log; fail "$kind: not built again"; }
done
