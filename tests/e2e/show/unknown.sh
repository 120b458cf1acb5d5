# A file that is not known: the error says what was found, and nothing is guessed from its name.
. "$(dirname "$0")/../prelude.sh"
need zstd

refuse() {
  local status=0
  "$pgo" show "${@:2}" > shown 2>&1 || status=$?
  [ "$status" = 2 ] || fail "exit status $status for $2"
  [ "$(cat shown)" = "pgo: error: $1" ] || { cat shown; fail "expected: $1"; }
}
known="which is none of the known formats: perf.data, ELF, LLVM sample profiles, GCC's auto-profiles, BOLT's fdata and YAML, pre-aggregated traces, address profiles, pprof, gperftools' CPU profiles, folded stacks"

echo "Dear profile," > letter.prof
refuse "letter.prof: begins with 'Dear pro', $known" letter.prof
printf '\001\002\377' > bytes.fdata
refuse "bytes.fdata: begins with 01 02 ff, $known" bytes.fdata
: > empty.perf
refuse "empty.perf: is empty; was it cut short, or never finished?" empty.perf
gzip -nc letter.prof > letter.gz
refuse "letter.gz: is compressed by gzip, and what is inside begins with 'Dear pro', $known" letter.gz
head -c 20 letter.gz > cut.gz
refuse "cut.gz: gzip member 1, at byte 0, is damaged or cut short" cut.gz
gzip -nc empty.perf > nothing.gz
refuse "nothing.gz: is compressed by gzip, but its contents are empty; was it cut short, or never finished?" nothing.gz
printf 'main:1:1\n' | zstd -qc > a.zst
refuse "a.zst: is compressed by zstd (LLVM sample profile); uncompress it first (unzstd)" a.zst
printf '\377lprofi\201\014' > instrumented.profdata
refuse "instrumented.profdata: is an LLVM profile of instrumented code; llvm-profdata show reads it" instrumented.profdata
old_pprof="is a text profile in pprof's legacy format; 'go tool pprof -proto -output=OUT.pb.gz FILE' converts it to the current format"
printf 'heap profile: 1: 2 [3: 4] @ heap/1\n1: 2 [3: 4] @ 0x401000\n' > heap
refuse "heap: $old_pprof" heap
printf -- '--- contentionz 1 ---\ncycles/second=1000000\n100 1 @ 0x401000\n' > contention
refuse "contention: $old_pprof" contention
printf -- '--- threadz 1 ---\n\n--- Thread 7f794ab90940 (name: main/14748) stack: ---\n  PC: 0xbc8f1c: f\n' > threads
refuse "threads: $old_pprof" threads
printf 'goroutine profile: total 1\n1 @ 0x401000 0x401100\n' > goroutines
refuse "goroutines: $old_pprof" goroutines
printf 'adcg\001\0\0\0\0\0\0\0\0\0\0\252\0\0\0\0' > old.afdo
refuse "old.afdo: is a profile for GCC's -fauto-profile of version 1, an old format of create_gcov; GCC 12 to 15 take version 2, which 'pgo convert -o FILE.afdo' or 'create_gcov --gcov_version=2' makes from the recording" old.afdo
printf 'adcg*33B1234\0\0\0\1\0\0\0\0' > code.gcda
refuse "code.gcda: is GCC profile data, of instrumented code or of a version of -fauto-profile that pgo does not read; try gcov-dump or llvm-profdata" code.gcda
# A file of process ids is no LLVM profile, also where a directory is merged.
echo 4711 > pid
refuse "pid: begins with 34 37 31 31 0a, $known" pid
mkdir profiles
cp pid profiles
printf 'main:1:1\n 1: 1\n' > profiles/a.proftext
"$pgo" merge profiles -o merged.proftext 2> merge.log
diff merged.proftext profiles/a.proftext || fail "a number counts as a function"
grep -q '^pgo: warning: profiles/pid: was skipped: not an LLVM sample profile' merge.log || { cat merge.log; fail "no word of the other file"; }
refuse "missing: cannot open: No such file or directory" missing
mkdir nothing
refuse "nothing: no file in this directory" nothing
refuse ".: is a directory, and --binary is for one recording; name a recording in it, or use pgo convert, which reads all of them" . --binary letter.prof
printf 'PERFFILE' > old.perf
refuse "old.perf: is of perf.data version 1 (before Linux 2.6.38), which is not supported" old.perf
printf 'main:1:1\n' > a.proftext
refuse "--binary needs a recording, and a.proftext is not one" a.proftext --binary a.proftext
printf 'main:1:1\n nonsense\n' > bad.proftext
refuse "bad.proftext:2: Expected 'NUM[.NUM]: NUM[ mangled_name:NUM]*', found  nonsense" bad.proftext
