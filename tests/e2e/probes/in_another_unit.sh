# Only one of two units has probes, and it is not the one that runs: the error says so, and --by-line helps.
. "$(dirname "$0")/../oracle.sh"
need clang-22

printf 'int idle(int x) { return x + 1; }\n' > idle.c
printf 'int idle(int);\nint main(int c, char **v) { (void)v; long s = 0; for (int i = 0; i < 200000; i++) if (i %% 3) s += i ^ c; return c > 5 ? idle(c) : s == 42; }\n' > busy.c
flags="-O1 -gline-tables-only -fdebug-info-for-profiling"
clang-22 $flags -fpseudo-probe-for-profiling -c idle.c
clang-22 $flags -c busy.c
clang-22 -fuse-ld=lld -Wl,--build-id idle.o busy.o -o prog
record prog.perf ./prog
status=0
"$pgo" convert prog.perf --binary prog -o out.prof > log 2>&1 || status=$?
[ "$status" = 2 ] || { cat log; fail "exit status $status"; }
grep -F 'no code that ran has pseudo probes; is all of it in libraries that were built without -fpseudo-probe-for-profiling? --by-line counts by line' \
  log > /dev/null || { cat log; fail "the reason is not said"; }
[ ! -e out.prof ]
"$pgo" convert prog.perf --binary prog --by-line -o llvm-text:line.text
grep '^main:' line.text > /dev/null
