# pgo flags prints flags that build a program; docs/guide/build.md shows what it prints; and the CMake
# package, which reads the same table, compiles with the same options.
. "$(dirname "$0")/../prelude.sh"
need clang-22 clang++-22 gcc python3

printf 'int main(void) { return 0; }\n' > a.c
printf 'main:100:1\n 0: 100\n' > a.proftext
flags() { "$pgo" flags --compiler "$@"; }

# Both compilers accept what they are given, and the options are there.
clang-22 -O2 $(flags clang-22 --profilable --cflags) a.c -fuse-ld=lld $(flags clang-22 --profilable --bolt --ldflags) -o a
"$pgo" show a | grep -F "pseudo probes" > /dev/null || fail "has no probes"
"$pgo" show a | grep -F "can be optimized" > /dev/null || fail "has no relocations"
clang-22 -O2 $(flags clang-22 --profile a.proftext --thin-lto --cflags) -c a.c
clang-22 $(flags clang-22 --profile a.proftext --thin-lto --ldflags) -fuse-ld=lld a.o -o a
gcc -O2 $(flags gcc --profilable --bolt --cflags) a.c $(flags gcc --profilable --bolt --ldflags) -o a

# A profile that is not there yet has a path.
flags clang-22 --profile-path later/a.prof --cflags > later
flags clang-22 --profile a.proftext --cflags | sed 's|a.proftext|later/a.prof|' | diff - later

# Of a compiler that lacks one, the rest; and what is lost.
mkdir bin
cat > bin/clang <<'END'
#!/bin/bash
for argument; do
  [ "$argument" != -icp-lto ] || exit 1
done
exec clang-22 "$@"
END
chmod +x bin/clang
flags bin/clang --profile a.proftext --cflags > shown 2> error
! grep icp-lto shown || fail "names an option that the compiler does not know"
echo "pgo: warning: bin/clang does not support -mllvm -icp-lto: outside LTO, calls of static functions through pointers \
are not promoted" | diff - error

# fails TEXT OPTION...
fails() {
  local code=0
  "$pgo" flags "${@:2}" > shown 2> error || code=$?
  [ $code = 2 ] || { cat shown error; fail "exit code $code"; }
  echo "pgo: error: $1" | diff - error
}
fails "--compiler nowhere: there is no such program" --compiler nowhere --profilable
fails "$(type -P gcc) is GCC, which has no ThinLTO; leave out --thin-lto, or name a clang" \
  --compiler gcc --profilable --thin-lto

# The guide: after each "$ pgo flags", what that prints. It names this profile.
cp a.proftext server.prof
python3 - "$pgo" "$here/../../docs/guide/build.md" <<'END'
import re, subprocess, sys
lines = open(sys.argv[2]).read().splitlines()
found = 0
for number, line in enumerate(lines):
    match = re.match(r"(\s+)\$ pgo (flags .*)", line)
    if not match:
        continue
    found += 1
    shown = []
    for text in lines[number + 1:]:
        if text and not text.startswith(match[1]):
            break
        shown.append(text[len(match[1]):])
    printed = subprocess.run([sys.argv[1], *match[2].split()], capture_output=True, text=True, check=True).stdout
    if "\n".join(shown).strip("\n") != printed.strip("\n"):
        sys.exit(f"docs/guide/build.md:{number + 1}: pgo {match[2]} prints\n{printed}")
if found == 0:
    sys.exit("docs/guide/build.md shows no pgo flags")
END
