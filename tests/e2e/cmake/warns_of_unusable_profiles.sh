# A profile that is not there, or that the compiler at hand cannot use, is said once, with what to do; the
# build goes on without it, or stops where a profile is required. What a file is, its contents tell.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

project source <<'EOF'
prodpgo_profile(small FILE ${PROFILE})
prodpgo_optimize(small PROFILE small LINKED)
prodpgo_optimize(second PROFILE small)
EOF
sed -i 's/^add_executable(small.*/&\nadd_executable(second lib\/scale.c main.cc generated\/table.cc)/' source/CMakeLists.txt
must_configure missing -DPROFILE=a[1].prof
# One line, without a call stack.
grep -xF "ProdPGO: warning: prodpgo_optimize(small): profile small has no file for clang: $PWD/source/a[1].prof does not exist \
(pgo convert ... -o small.prof makes one). Building without it until then; PRODPGO_REQUIRED=ON makes this an error." missing.log
[ "$(grep -ciE "does not exist|warning|call stack" missing.log)" = 1 ] || { cat missing.log; fail "says more than that"; }
# Where warnings alone are shown, it is one of them.
must_configure missing --log-level=WARNING
says "has no file for clang" missing.log
build missing
never -fprofile-sample-use missing.made
says " -funique-internal-linkage-names " missing.made   # profilable all the same
build missing
[ -z "$(built missing)" ]
never "Configuring done" missing.made
# It comes, and goes.
cp source/small.proftext 'source/a[1].prof'
build missing
says " -fprofile-sample-use=" missing.made
rm 'source/a[1].prof'
build missing
says "does not exist" missing.made
never " -fprofile-sample-use=" missing.made

! configure missing -DPROFILE=a.prof -DPRODPGO_REQUIRED=ON || fail "goes on without a required profile"
says "CMake Error" missing.log
says "profile small has no file for clang: $PWD/source/a.prof does not exist" missing.log

# hears WORDS, of the file source/other
hears() {
  must_configure other -DPROFILE=other
  says "profile small has no file for clang: $PWD/source/other is $1" other.log
  ! configure other -DPROFILE=other -DPRODPGO_REQUIRED=ON || fail "goes on with $1"
  configure other -UPRODPGO_REQUIRED
}
: > source/other
hears "an empty file: was it cut short, or never finished? (pgo convert ... -o small.prof makes one)."
echo 'int main() { return 0; }' > a.c
clang-22 -fprofile-generate a.c -o instrumented
LLVM_PROFILE_FILE=a.profraw ./instrumented
cp a.profraw source/other
hears "a raw LLVM profile of instrumented code (.profraw): llvm-profdata merge reads it; this package uses only sample profiles"
"$llvm/llvm-profdata" merge a.profraw -o source/other
hears "LLVM's profile of instrumented code (.profdata): give it to clang with -fprofile-use; this package uses only sample profiles"
"$llvm/llvm-profdata" merge --sample --extbinary source/small.proftext -o whole.prof
cp whole.prof source/other
must_configure other -DPROFILE=other
never "has no file for clang" other.log
size=$(stat -c %s whole.prof)
for bytes in 30 $((size - 1)); do
  head -c $bytes whole.prof > source/other
  must_configure other -DPROFILE=other
  says "source/other is an LLVM sample profile that is cut short or damaged: it has $bytes bytes of " other.log
done
says "it has $((size - 1)) bytes of $size. Copy it again (pgo convert ... -o small.prof makes one)." other.log
# A count or an offset that no file can have.
for place in 10 34; do
  for number in '\xff\xff\xff\xff\xff\xff\xff\xff' '\xff\xff\xff\xff\xff\xff\xff\x7f'; do
    cp whole.prof source/other
    printf "$number" | dd of=source/other bs=1 seek=$place conv=notrunc 2> dd.log
    hears "an LLVM sample profile that is cut short or damaged: it has $size bytes of "
  done
done
printf 'adcg*22B....' > source/other
hears "GCC's profile of instrumented code (.gcda): give it to GCC with -fprofile-use; this package uses only sample profiles"
printf 'adcg\2\0\0\0....' > source/other
hears "a profile for GCC's -fauto-profile"
printf 'PERFILE2........' > source/other
hears "a recording (perf.data): convert it first, pgo convert RECORDING --binary BINARY -o NAME.prof"
gzip -c a.c > source/other
hears "compressed by gzip (a pprof profile?): use the profiles that pgo convert writes"
printf '\x28\xb5\x2f\xfd....' > source/other
hears "compressed by zstd, as address profiles (.addr) are: convert it first, pgo convert NAME.addr --binary BINARY -o NAME.prof; uncompress anything else"
cp instrumented source/other
hears "an ELF file, not a profile"
rm source/other
mkdir source/other
hears "a directory, and FILE takes profiles; if it holds recordings: pgo convert $PWD/source/other --binary BINARY -o small.prof"
must_configure other
rmdir source/other
printf '1 main 0 1 inner 0 0 5\n' > source/other
build other   # configures again
says "profile small has no file for clang: $PWD/source/other is a BOLT profile" other.made
hears "a BOLT profile"
printf -- '---\nheader:\n  profile-version: 1\n' > source/other
hears "a BOLT profile"
for opening in 'header:' '---\n\nheader:' '---\nheader:\n  binary-name: x\nfunctions:'; do
  printf -- "$opening\n  profile-version: 1\n" > source/other
  hears "not a known kind of profile"   # nor known by pgo
done
printf 'T 1 2 3 4\n' > source/other
hears "pre-aggregated traces, for BOLT"
echo 'hello' > source/other
hears "not a known kind of profile"

# And takes what clang reads, in each of its forms.
for form in text extbinary binary; do
  "$llvm/llvm-profdata" merge --sample --$form source/small.proftext -o source/other
  must_configure other -DPROFILE=other
  never "has nothing" other.log
  build other
  says " -fprofile-sample-use=$PWD/other/prodpgo/$(sha256sum source/other | head -c 16)/small." other.made
  never warning: other.made
done
# A build has probes, unless lines are asked for or clang could not assemble them; a profile by probe gets them.
says " -fpseudo-probe-for-profiling " other.made
has_no_probes() {
  must_configure other -DPROFILE=other "$@"
  build other
  never " -fpseudo-probe-for-profiling" other.made
}
has_no_probes -DCMAKE_CXX_FLAGS=-fsplit-machine-functions -DCMAKE_C_FLAGS=-fbasic-block-sections=all
sed -i '/^prodpgo_optimize/s/)$/ LINES)/' source/CMakeLists.txt
has_no_probes -DCMAKE_CXX_FLAGS= -DCMAKE_C_FLAGS=
printf 'main:1000:1\n 1: 1\n 2: 100\n !CFGChecksum: 1234\n' > source/probes
for form in text extbinary; do
  "$llvm/llvm-profdata" merge --sample --$form source/probes -o source/other
  must_configure other -DPROFILE=other
  build other
  says " -fpseudo-probe-for-profiling " other.made
done
# What clang says of a profile reaches whoever builds.
echo 'target_compile_options(small PRIVATE -fno-pseudo-probe-for-profiling)' >> source/CMakeLists.txt
must_configure other -DPROFILE=other
build other --target small
says "main.cc: Pseudo-probe-based profile requires SampleProfileProbePass [-Wbackend-plugin]" other.made

# Mistakes in the project.
wrong() {  # wrong WORDS LINE...
  project wrong < <(printf '%s\n' "${@:2}")
  ! source=wrong configure wrong_build || fail "accepts: ${*:2}"
  says "$1" wrong_build.log
}
wrong "prodpgo_optimize(small): no profile is named small; declare it first: prodpgo_profile(small FILE <path>)" \
  'prodpgo_optimize(small PROFILE small)'
wrong "prodpgo_optimize(small): no profile is named small.prof. If that is a file, give it a name and use that: \
prodpgo_profile(server FILE small.prof), PROFILE server" 'prodpgo_optimize(small PROFILE small.prof)'
wrong "prodpgo_optimize(nobody): there is no target nobody; call this after add_executable()" 'prodpgo_optimize(nobody PROFILE x)'
wrong "prodpgo_profile(x): name its file: FILE <path>" 'prodpgo_profile(x)'
wrong "prodpgo_profile(a/b): a name may contain only letters, digits and . _ + -" 'prodpgo_profile(a/b FILE x)'
wrong "prodpgo_profile(x): a profile with this name is already declared in $PWD/wrong/CMakeLists.txt" \
  'prodpgo_profile(x FILE x)' 'prodpgo_profile(x FILE y)'
wrong "prodpgo_profile(x): 1 after FILE and 2 after SHA256; each file has one digest, in the same order" \
  'prodpgo_profile(x FILE y SHA256 00 11)'
wrong "prodpgo_profile(x): SHA256 abc is not a SHA-256, which has 64 hexadecimal digits; that of $PWD/wrong/lib/scale.c is \
$(sha256sum source/lib/scale.c | cut -d' ' -f1)" 'prodpgo_profile(x FILE lib/scale.c SHA256 ABC)'
wrong "prodpgo_profilable(small): unknown: PROFILE x. Known: <target> [LINES|PROBES]" 'prodpgo_profilable(small PROFILE x)'
wrong "a profile is by LINES or by PROBES; choose one" 'prodpgo_profilable(small LINES PROBES)'
wrong "prodpgo_optimize(small): the target already has a profile, x" 'prodpgo_profile(x FILE small.proftext)' \
  'prodpgo_optimize(small PROFILE x)' 'prodpgo_optimize(small PROFILE x)'
wrong "prodpgo_optimize(scale): BOLT applies to linked files; name the program" 'prodpgo_profile(x FILE x)' \
  'prodpgo_optimize(scale PROFILE x BOLT x)'
wrong "prodpgo_optimize(small): unknown: BOLT_CHEK {} x. Known: <target> [PROFILE <name>]" 'prodpgo_profile(x FILE x)' \
  'prodpgo_optimize(small BOLT x BOLT_CHEK "{} x")'
# A semicolon, by which CMake splits lists, is refused wherever it would be split at.
semicolon="has a semicolon, which CMake would split it at:"
for path in '"a;b.prof"' '"c;d/small.proftext"' 'small.proftext "a;b.fdata"'; do
  wrong "prodpgo_profile(x): the path after FILE $semicolon $PWD/wrong/" "prodpgo_profile(x FILE $path)"
done
wrong "prodpgo_profile(x): the path after REPORT $semicolon $PWD/wrong/r;s.json" 'prodpgo_profile(x FILE small.proftext REPORT "r;s.json")'
wrong "prodpgo_profile(x;y): a name may contain only letters" 'prodpgo_profile("x;y" FILE small.proftext)'
wrong "prodpgo_optimize(small): the name of the profile $semicolon x;y" 'prodpgo_optimize(small PROFILE "x;y")'
wrong "prodpgo_optimize(small): the name of the profile $semicolon x;y" 'prodpgo_optimize(small BOLT "x;y")'
wrong "prodpgo_optimize(small): the path after BOLT_STALE $semicolon $PWD/wrong/a;b" 'prodpgo_profile(x FILE small.proftext)' \
  'prodpgo_optimize(small BOLT x BOLT_STALE "a;b")'
wrong "prodpgo_optimize(small;small): there is no target small;small" 'prodpgo_optimize("small;small" PROFILE x)'
# Also behind what takes any number of words.
wrong "prodpgo_profile(x): unknown: REPROT. Known: <name> FILE <path>..." 'prodpgo_profile(x FILE small.proftext REPROT r.json)'
wrong "prodpgo_optimize(small): unknown: BOLT_TIMEOT. Known: <target> [PROFILE <name>]" 'prodpgo_profile(x FILE x)' \
  'prodpgo_optimize(small BOLT x BOLT_OPTIONS -icf=all BOLT_TIMEOT 9)'
wrong "prodpgo_optimize(small): the target already has a profile for BOLT, x" 'prodpgo_profile(x FILE x)' \
  'prodpgo_optimize(small BOLT x)' 'prodpgo_optimize(small PROFILE x BOLT)'

# A report says which profile it is of; of another one, or of none, it says nothing here.
project reported <<'EOF'
prodpgo_profile(x FILE small.proftext REPORT ${REPORT})
prodpgo_optimize(small PROFILE x)
EOF
evidence() {
  build "$1"
  "$pgo" show "$1/small" > shown
  says "profile x, $2," shown
}
source=reported
must_configure report -DREPORT=report.json
says "prodpgo_profile(x): the report $PWD/reported/report.json does not exist; pgo convert --report writes one." report.log
evidence report "unknown evidence"
echo '{"evidence": "branch-records", "outputs": [{"digest": "sha256:'"$(sha256sum source/small.proftext | cut -d' ' -f1)"'"}]}' > reported/report.json
evidence report "branch records"
never "is weak" report.made
for quality in weak thin; do
  sed -i 's/, "quality"[^}]*//; s/}]/, "quality": "'$quality'"}]/' reported/report.json
  must_configure report
  weak="prodpgo_profile(x): the quality of $PWD/reported/small.proftext is weak: too little was sampled"
  [ $quality = thin ] || says "$weak" report.log
done
never "is weak" report.log
# Reports of earlier versions have one quality for all binaries, whose counts are all in the profile of a compiler.
cp reported/report.json kept.json
sed -i 's/, "quality"[^}]*//; s/}]/}], "quality": "weak", "binaries": [{}, {}]/' reported/report.json
must_configure report
says "$weak" report.log
mv kept.json reported/report.json
sed -i 's/sha256:..../sha256:0000/' reported/report.json
evidence report "unknown evidence"
says "prodpgo_profile(x): $PWD/reported/report.json is the report of another profile: it lists no output with the SHA-256 \
of what FILE names. Put the two beside each other that one run of pgo convert wrote." report.made
! configure report -DPRODPGO_REQUIRED=ON || fail "takes the report of another profile"
says "CMake Error" report.log
echo '{}' > reported/report.json
! configure report || fail "takes what is no report"
says "report.json is not a report of pgo convert (--report): it has no \"evidence\"" report.log
mkdir reported/directory
must_configure report -DREPORT=directory -DPRODPGO_REQUIRED=OFF
says "prodpgo_profile(x): the report $PWD/reported/directory is a directory; pgo convert --report writes one." report.log

# Of a profile that nothing is built with, nothing is said, whatever is required.
sed -i 's/^prodpgo_profile.*/&\nprodpgo_profile(unused FILE lib small.proftext REPORT nowhere.json)/' reported/CMakeLists.txt
echo '{"evidence": "branch-records", "outputs": [{"digest": "sha256:'"$(sha256sum reported/small.proftext | cut -d' ' -f1)"'"}]}' > reported/report.json
must_configure report -DREPORT=report.json -DPRODPGO_REQUIRED=ON
never "nowhere.json" report.log
never "is a directory" report.log
sed -i 's/PROFILE x/PROFILE unused/' reported/CMakeLists.txt
must_configure report -DCMAKE_BUILD_TYPE=Debug
never "nowhere.json" report.log
! configure report || fail "goes on without the report"
says "prodpgo_profile(unused): the report $PWD/reported/nowhere.json does not exist" report.log
