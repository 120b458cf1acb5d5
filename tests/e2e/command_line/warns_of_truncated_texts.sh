# Texts have no end mark: where one was probably cut short, each command that reads it says so.
. "$(dirname "$0")/../prelude.sh"

printf 'main:1000:2\n 1: 700\n 2: 300\n' > whole.proftext
head -c -2 whole.proftext > cut.proftext
said='cut.proftext: the last line does not end with a newline: was the file cut short? Its last number may be wrong'
"$pgo" show whole.proftext > shown
if grep -q warning shown; then fail "a whole file is called cut short"; fi
"$pgo" show cut.proftext > shown
grep -F "  warning       $said" shown > /dev/null || { cat shown; fail "pgo show does not say that the file is cut"; }
"$pgo" show cut.proftext --json | python3 -c 'import json, sys
warning, = json.load(sys.stdin)["warnings"]
assert warning["kind"] == "cut-short" and warning["count"] == 1, warning'
"$pgo" merge whole.proftext cut.proftext -o out.proftext 2> merge.log
grep -Fx "pgo: warning: $said" merge.log > /dev/null || { cat merge.log; fail "pgo merge does not say that a file is cut"; }

cat > a.c << 'END'
int main(int argc, char **argv) {
  return argc * 3 +
         (argv != 0);
}
END
cc -g a.c -o a
"$pgo" match ./a --profile cut.proftext > shown 2> match.log
grep -Fx "pgo: warning: $said" match.log > /dev/null || { cat match.log; fail "pgo match does not say that the file is cut"; }

# The maps of gperftools, of a file that python packs.
python3 - << 'END'
import struct
words = [0, 3, 0, 10000, 0, 2, 1, 0x401000, 1, 1, 0x7f0010, 0, 1, 0]
maps = b"00400000-00402000 r-xp 00000000 08:01 5 /bin/a\n007f0000-007f1000 r-xp 00001000 08:01 7 /lib/libc.so.6\n"
whole = struct.pack("<14Q", *words) + maps
open("whole.cpu", "wb").write(whole)
open("cut.cpu", "wb").write(whole[:-70])
END
"$pgo" show whole.cpu > shown
if grep -q warning shown; then fail "a whole file is called cut short"; fi
"$pgo" show cut.cpu > shown
for said in 'the last line of its maps does not end with a newline: was the file cut short?' \
  '1 of 2 stacks have an address that its maps do not list: were the maps cut short, or was a library unloaded?'; do
  grep -F "  warning       cut.cpu: gperftools CPU profile: $said" shown > /dev/null || { cat shown; fail "does not say: $said"; }
done
