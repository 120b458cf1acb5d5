# What an ELF file is good for. One program, linked in every way.
. "$(dirname "$0")/../prelude.sh"
need clang-22 "$llvm/llvm-bolt" llvm-objcopy-22 llvm-strip-22

printf 'int f(int x) { return x * 3; }\nint main(int c, char **v) { (void)v; return f(c) == 0; }\n' > a.c
link() { clang-22 -O1 -g -fuse-ld=lld -Wl,--build-id=0x0011223344556677 a.c "$@"; }
# says PATTERN FILE: one line of the answer matches.
says() {
  "$pgo" show "${@:2}" > shown 2>&1 || { cat shown; fail "cannot show $2"; }
  grep -E -- "$1" shown > /dev/null || { cat shown; fail "does not say: $1"; }
}

link -o pie
says '^pie: ELF position-independent executable, x86-64, [0-9.]+ kB, [0-9.]+ (bytes|kB) of code$' pie
says '^  build ID      0011223344556677$' pie
says '^  debug info    in the file$' pie
says '^  symbols       [0-9]+, [0-9]+ of functions$' pie
# What pgo bolt refuses, for the reason that it gives.
says '^  BOLT          refused: it has no relocations, without which functions cannot be moved$' pie
says '^                link with -Wl,--emit-relocs \(in CMake: BOLT of prodpgo_profilable or prodpgo_optimize; in Bazel: bolt = True\), and strip' pie
link -no-pie -o fixed
says ': ELF executable at a fixed address,' fixed
link -static -o static
says ': ELF static executable at a fixed address,' static
link -static-pie -o static_pie
says ': ELF static position-independent executable,' static_pie
link -shared -fPIC -o shared.so
says ': ELF shared library,' shared.so
clang-22 -c -g a.c -o object.o
says ': ELF object file,' object.o
! grep -q BOLT shown || fail "speaks of BOLT, which works on what is linked"
link -Wl,--emit-relocs -o relocs
says '^  BOLT          can be optimized: symbols and relocations were kept$' relocs
says '"relocations": true' relocs --json
link -fpseudo-probe-for-profiling -o probes
says '^  pseudo probes of 2 functions, including inlined ones: conversions count by probe \(or --by-line\)$' probes
says '"functions_with_probes": 2' probes --json
clang-22 -O1 -fuse-ld=lld -Wl,--build-id=none a.c -o bare
says '^  build ID      none: recordings identify it by its file name only; link with -Wl,--build-id$' bare
says '^  debug info    none: counts cannot be assigned to source lines; build with -gline-tables-only -fdebug-info-for-profiling, or -g$' bare

# Debug information elsewhere: found, or named.
llvm-objcopy-22 --only-keep-debug pie pie.debug
says '^pie.debug: ELF debug file, x86-64, [0-9.]+ kB, without the [0-9.]+ (bytes|kB) of code$' pie.debug
says '^  use           --debug-file beside the stripped --binary with this build ID$' pie.debug
says '^  build ID      0011223344556677$' pie.debug
says '^  debug info    in the file$' pie.debug
! grep -q BOLT shown || fail "speaks of BOLT, which needs code"
objcopy --only-keep-debug relocs relocs.debug
says '^relocs.debug: ELF debug file, ' relocs.debug
says '"kind": "debug file"' relocs.debug --json
printf '1 main 0 1 main 4 0 1\n' > some.fdata
status=0
"$pgo" bolt relocs.debug -o x --profile some.fdata --on-failure error 2> refused.log || status=$?
[ "$status" != 0 ]
grep -F "relocs.debug: is a debug file, without code; give the unstripped file that it was split from" refused.log > /dev/null ||
  { cat refused.log; fail "another refusal"; }
llvm-strip-22 -o stripped pie
says '^  debug info    none: counts cannot be assigned to source lines; it is stripped: give the file as it was linked, or name its debug file with --debug-file$' stripped
llvm-objcopy-22 --add-gnu-debuglink=pie.debug stripped
says '^  debug info    in .*/pie.debug$' stripped
says '^  symbols       none: it is stripped$' stripped
says '^  BOLT          refused: it is stripped: without its symbol table llvm-bolt finds no functions$' stripped
mkdir elsewhere
mv pie.debug elsewhere
says '^  debug info    not found; it should be in pie.debug \(.gnu_debuglink\): name it with --debug-file$' stripped
says '^  debug info    in elsewhere/pie.debug$' stripped --debug-file elsewhere/pie.debug
mkdir -p root/.build-id/00
mv elsewhere/pie.debug root/.build-id/00/11223344556677.debug
says '^  debug info    in root/.build-id/00/11223344556677.debug$' stripped --debug-root root

# BOLTed, with and without its table.
"$llvm/llvm-bolt" relocs -o bolted > bolt.log 2>&1
says '^  BOLT          made by llvm-bolt, without an address translation table \(-enable-bat\); stripping also removes it$' bolted
says '"bolted": true' bolted --json
says '"address_translation": false' bolted --json
