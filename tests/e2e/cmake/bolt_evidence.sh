# BOLT needs to know which branches are taken. So CMake does not run it on counts that were inferred from few samples,
# unless it is asked to; the report of a profile has its evidence and quality. Whatever is wrong with a profile for
# BOLT is one line.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

project source <<'EOF'
prodpgo_profile(small FILE small.proftext small.fdata REPORT ${REPORT})
set(PROFILE PROFILE small BOLT)
if(NOT PROFILED)
  set(PROFILE BOLT small)
endif()
prodpgo_optimize(small ${PROFILE} ${MORE})
EOF
printf '1 main 0 1 main 2 0 5\n' > source/small.fdata
digest() { sha256sum "source/$1" | cut -d' ' -f1; }
# report FILE EVIDENCE QUALITY: that of the run of pgo convert that made FILE, of one of two binaries: both together are
# good and have branch records.
report() {
  echo '{"evidence": "software-branch-records", "quality": "good", "binaries": [{}, {}], "outputs": [{"digest": "sha256:00", "quality": "good"},
    {"digest": "sha256:'"$(digest "$1")"'", "evidence": "'"$2"'", "quality": "'"$3"'"}]}' > "source/$1.json"
}
bolts() { must_configure build "$@" && grep -F "/pgo bolt " build/build.ninja > /dev/null; }
warnings() { grep -cE "ProdPGO: warning: |^CMake Warning|Call Stack" build.log || true; }

report small.proftext branch-records good
for case in "ON pc-samples thin PC samples" "OFF pc-samples fair PC samples" "OFF function-and-line weak samples with functions and \
lines only" "ON pc-samples good PC samples"; do
  read -r is_profiled evidence quality from <<< "$case"
  report small.fdata "$evidence" "$quality"
  why="(quality $quality), with which BOLT may make a program slower. Record branches or more samples"
  [ $is_profiled = OFF ] || why="and small is built with a compile profile: with inferred counts, BOLT increased the taken branches \
of two of three such programs, with any number of samples. Record branches (perf record -b, or pgo record --engine step)"
  ! bolts "-DREPORT=small.proftext.json;small.fdata.json" -DPRODPGO_REQUIRED=OFF -DMORE= -DPROFILED=$is_profiled ||
    fail "BOLTs with $case"
  text="prodpgo_optimize(small): the counts of the BOLT profile $PWD/source/small.fdata were inferred from $from $why, or add \
BOLT_INFERRED to use it anyway ($(realpath "$here/../..")/docs/guide/cmake.md)"
  grep -xF "ProdPGO: warning: $text. Building without BOLT; PRODPGO_REQUIRED=ON makes this an error." build.log
  [ "$quality" = weak ] || [ "$(warnings)" = 1 ] || { cat build.log; fail "$(warnings) warnings"; }
  # Relocations are kept, so that the program can be recorded for a better one.
  grep -F -- "--emit-relocs" build/build.ninja > /dev/null
  ! configure build -DPRODPGO_REQUIRED=ON || fail "goes on with $case"
  says "$text" build.log
  bolts -DMORE=BOLT_INFERRED || fail "does not BOLT with $case and BOLT_INFERRED"
  grep -qE "/pgo bolt .* --allow-inferred" build/build.ninja || fail "pgo bolt would refuse $case"
  never "inferred from" build.log
done
for case in "OFF pc-samples good" "ON branch-records thin" "ON software-branch-records weak"; do
  read -r is_profiled evidence quality <<< "$case"
  report small.fdata "$evidence" "$quality"
  bolts -DPRODPGO_REQUIRED=ON -DMORE= -DPROFILED=$is_profiled || fail "does not BOLT with $case"
  ! grep -F -- "--allow-inferred" build/build.ninja || fail "allows what was not asked for"
  never "inferred" build.log
done

# That a profile is weak, hears who uses it; and the report goes only to where pgo bolt reads it.
report small.fdata branch-records weak
must_configure build -DMORE=
says "the quality of $PWD/source/small.fdata is weak" build.log
[ "$(warnings)" = 1 ] || { cat build.log; fail "warns more than once"; }
cmp source/small.fdata.json build/prodpgo/*/small.fdata.json
sed -i 's/PROFILE small BOLT/PROFILE small/' source/CMakeLists.txt
must_configure build
never "is weak" build.log
sed -i 's/PROFILE small/PROFILE small BOLT/' source/CMakeLists.txt

# Beside fdata alone: the other forms say themselves what they are.
cp source/small.fdata kept.fdata
printf 'B 1234 5678 7 0\n' > kept.preagg
printf -- "---\nheader:\n  profile-version: 1\n  binary-name: small\nfunctions:\n  - name: main\n    fid: 0\n    hash: 0x1\n    exec: 5\n    nblocks: 1\n...\n" > kept.yaml
printf 'PERFILE2........' > kept.perf
for kind in preagg yaml perf; do
  cp kept.$kind source/small.fdata
  report small.fdata branch-records good
  bolts || fail "does not BOLT with a $kind profile"
  cmp source/small.fdata build/prodpgo/*/small.$kind
  ! ls build/prodpgo/*/small.*.json || fail "puts a report beside a $kind profile"
done
cp kept.fdata source/small.fdata

# Reports of earlier versions have one quality for all binaries, which is that of the profile where there is one.
earlier() {
  echo '{"evidence": "pc-samples", "quality": "good", "binaries": ['"$1"'], "outputs": [{"digest": "sha256:'"$(digest small.fdata)"'"}]}'
}
earlier '{}' > source/small.fdata.json
bolts -DPROFILED=OFF || fail "does not BOLT a profile of the only binary"
earlier '{}, {}' > source/small.fdata.json
! bolts -DPRODPGO_REQUIRED=OFF || fail "BOLTs one of two binaries by the quality of both"
says "inferred from PC samples (quality unknown)" build.log

# Without a report it is done all the same, with one warning, whatever is required.
bolts -DREPORT=small.proftext.json -DPRODPGO_REQUIRED=ON -DPROFILED=ON || fail "does not BOLT without a report"
grep -xF "ProdPGO: warning: prodpgo_optimize(small): it is unknown whether the counts of the BOLT profile \
$PWD/source/small.fdata were recorded or inferred: give prodpgo_profile the REPORT that pgo convert wrote with it. \
BOLT_INFERRED accepts either." build.log
[ "$(warnings)" = 1 ]
# Nor does the report of an earlier configuration count, where pgo bolt would find it.
! ls build/prodpgo/*/small.fdata.json || fail "keeps a report that is no longer given"
bolts -DMORE=BOLT_INFERRED || fail "does not BOLT with BOLT_INFERRED"
[ "$(warnings)" = 0 ]
# A recording says itself what it has.
printf 'PERFILE2........' > source/small.fdata
bolts -DMORE= || fail "does not BOLT with a recording"
[ "$(warnings)" = 0 ]

# The first build for BOLT, as the documents have it, is nothing to warn of.
rm source/small.fdata
! bolts -DPRODPGO_REQUIRED=OFF || fail "BOLTs without a profile"
grep -xF -- "-- ProdPGO: prodpgo_optimize(small): profile small has no file for bolt: $PWD/source/small.fdata does not exist \
(pgo convert ... -o small.fdata makes one from recordings of the binary before BOLT). Building without BOLT until then" build.log
[ "$(warnings)" = 0 ]
! ls build/prodpgo/*/small.perf* || fail "keeps the copy of what is gone"
# Where profiles are required, a file that is named is.
! configure build -DPRODPGO_REQUIRED=ON || fail "goes on without the .fdata that is named"
says "CMake Error" build.log
says "profile small has no file for bolt: $PWD/source/small.fdata does not exist" build.log
# Where none is named, as in the first build for BOLT, that is recorded for one, it is not.
sed -i 's/small.fdata //' source/CMakeLists.txt
! bolts -DREPORT=small.proftext.json -DPRODPGO_REQUIRED=ON || fail "BOLTs without a profile"
grep -E -- "^-- ProdPGO: prodpgo_optimize\(small\): profile small has no file for bolt: .*Building without BOLT until then$" build.log
[ "$(warnings)" = 0 ]
# A profile that is for BOLT alone must have one.
sed -i 's/^prodpgo_optimize.*/prodpgo_profile(bolt FILE small.proftext)\nprodpgo_optimize(small PROFILE small BOLT bolt)/' source/CMakeLists.txt
! configure build || fail "BOLTs by the profile of a compiler"
says "profile bolt has no file for bolt: $PWD/source/small.proftext is an LLVM sample profile" build.log

project wrong <<'EOF'
prodpgo_profile(small FILE small.proftext)
prodpgo_optimize(small PROFILE small BOLT_INFERRED)
EOF
! source=wrong configure wrong_build || fail "takes BOLT_INFERRED without BOLT"
says "prodpgo_optimize(small): BOLT_INFERRED, BOLT_STALE, BOLT_CHECK, BOLT_ON_FAILURE, BOLT_TIMEOUT and BOLT_OPTIONS are for BOLT" wrong_build.log
