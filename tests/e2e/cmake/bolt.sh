# BOLT as a step after the link: from a recording of the program before it, done again exactly when its
# profile changes, and everything that comes after sees the BOLTed program: debug files, installation,
# stripping, packages.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need "$llvm/llvm-bolt" qemu-x86_64 perf make objcopy cpack

project source <<'EOF'
prodpgo_profile(small FILE small.proftext)
prodpgo_profile(addresses FILE ${FDATA})
prodpgo_optimize(small PROFILE small BOLT addresses LINKED PREFIX_MAP FILE ${MORE})
add_custom_command(TARGET small POST_BUILD
  COMMAND objcopy --only-keep-debug $<TARGET_FILE:small> $<TARGET_FILE:small>.debug)
set_target_properties(small PROPERTIES BUILD_RPATH /somewhere/long INSTALL_RPATH /short)
install(TARGETS small)
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
include(CPack)
EOF
identity() { "$llvm/llvm-readelf" -n "$1" 2> /dev/null | grep 'Build ID'; }
bolts() { grep -cE 'pgo bolt ' "$1.made" || true; }

# No profile yet: said, and the program is one that can be recorded and BOLTed.
must_configure ninja -DFDATA=small.fdata
says "prodpgo_optimize(small): profile addresses has no file for bolt: $PWD/source/small.fdata does not exist \
(pgo convert ... -o addresses.fdata makes one from recordings of the binary before BOLT). Building without BOLT until then" ninja.log
build ninja
[ ! -e ninja/small.prebolt ]
says "--emit-relocs" ninja.made
! is_bolted ninja/small || fail "ninja/small is bolted"
cp ninja/small recorded
"$pgo" record --engine emulate -o small.data -- ./recorded 20000 > record.log 2>&1
"$pgo" convert small.data --binary recorded -o source/small.fdata > convert.log 2>&1

# It comes: BOLT, and nothing is compiled again.
build ninja
[ -z "$(built ninja | tr ' ' '\n' | grep '\.o$' || true)" ] || fail "compiled $(built ninja)"
is_bolted ninja/small
cmp ninja/small.prebolt recorded
[ "$(ninja/small)" = "$(./recorded)" ]
[ "$(identity ninja/small)" = "$(identity ninja/small.debug)" ]
build ninja
[ "$(bolts ninja)" = 0 ] || fail "BOLTed for no reason"
sleep 1.1
touch source/small.fdata
build ninja
[ "$(bolts ninja)" = 0 ] || fail "BOLTed because the time changed"
cp source/small.fdata kept
sed -i '$d' source/small.fdata
build ninja
[ "$(bolts ninja)" = 1 ] || fail "not BOLTed for a new profile"
is_bolted ninja/small
cp kept source/small.fdata
build ninja

# Installed, stripped, packaged: it runs.
cmake --install ninja --prefix "$work/plain" > install.log
cmake --install ninja --prefix "$work/stripped" --strip > install.log
(cd ninja && cpack -B ../packed) > cpack.log 2>&1
tar -xf packed/small-*.tar.gz --strip-components=1 --one-top-level=unpacked
for place in plain stripped unpacked; do
  is_bolted $place/bin/small
  [ "$($place/bin/small)" = "$(./recorded)" ] || fail "$place does not run"
  [ "$(identity $place/bin/small)" = "$(identity ninja/small.debug)" ]
  "$pgo" show $place/bin/small > shown
  says "profile small, unknown evidence" shown
  says "BOLT's: sha256:$(sha256sum source/small.fdata | cut -d' ' -f1)" shown
done
"$llvm/llvm-readelf" -S stripped/bin/small > sections
never .symtab sections
never .debug_line sections

# Elsewhere: the same bytes.
cp -r source checkout
source=checkout
must_configure elsewhere -DFDATA=small.fdata
build elsewhere
cmp elsewhere/small ninja/small

# A recording will do as well. It is of the program before BOLT, by its build ID.
cp small.data checkout
must_configure elsewhere -DFDATA=small.data
build elsewhere
is_bolted elsewhere/small
says "/addresses.perf" elsewhere.made

# One by the clock is inferred from: so few samples leave the program without BOLT, with one warning when it is linked. Where
# profiles are required, or BOLT must not fail, they are an error; BOLT_INFERRED uses them.
"$pgo" record --engine clock --period "$(period 100003)" -o checkout/clock.data -- ./recorded 20000000 > record.log 2>&1
for must in "-DPRODPGO_REQUIRED=ON" "-DMORE=BOLT_ON_FAILURE;error"; do
  must_configure elsewhere -DFDATA=clock.data "$must"
  ! cmake --build elsewhere > elsewhere.made 2>&1 || fail "goes on without BOLT with $must"
  says "pgo: error: small.prebolt is NOT optimized: its counts were inferred from" elsewhere.made
  must_configure elsewhere -DPRODPGO_REQUIRED=OFF -DMORE=
done
build elsewhere
[ "$(grep -c "pgo: warning: small.prebolt is NOT optimized: its counts were inferred from" elsewhere.made)" = 1 ] ||
  { cat elsewhere.made; fail "does not warn once of inferred counts"; }
says "small is small.prebolt as it was, NOT optimized, and the exit code is 0 (--on-inferred keep)" elsewhere.made
cmp elsewhere/small elsewhere/small.prebolt
build elsewhere
never "NOT optimized" elsewhere.made
must_configure elsewhere -DFDATA=clock.data -DMORE=BOLT_INFERRED
build elsewhere
is_bolted elsewhere/small
[ "$(elsewhere/small)" = "$(./recorded)" ]

# By make.
generator="Unix Makefiles"
must_configure make -DFDATA=small.fdata
build make
is_bolted make/small
build make
[ "$(bolts make)" = 0 ] || fail "BOLTed for no reason"
sed -i '$d' checkout/small.fdata
build make
[ "$(bolts make)" = 1 ] || fail "not BOLTed for a new profile"
# Only what is optimized.
source=source generator="Ninja Multi-Config"
must_configure multi -DFDATA=small.fdata
build multi --config Debug
build multi --config Release
! is_bolted multi/Debug/small || fail "multi/Debug/small is bolted"
[ ! -e multi/Debug/small.prebolt ]
is_bolted multi/Release/small

# A result that does not pass the check is not delivered.
generator=Ninja
must_configure check -DFDATA=small.fdata "-DMORE=BOLT_CHECK;false {}"
build check
says "is NOT optimized" check.made
cmp check/small check/small.prebolt
must_configure check -DFDATA=small.fdata "-DMORE=BOLT_CHECK;false {};BOLT_ON_FAILURE;error"
! cmake --build check > check.made 2>&1 || fail "a program that fails its check was built"
[ ! -e check/small ]
must_configure check -DFDATA=small.fdata "-DMORE=BOLT_CHECK;false {}" -DPRODPGO_REQUIRED=ON
! cmake --build check > check.made 2>&1 || fail "a release that fails its check was built"
# A check that hangs has its time.
must_configure check -DPRODPGO_REQUIRED=OFF -DFDATA=small.fdata "-DMORE=BOLT_CHECK;sleep 60 && {};BOLT_TIMEOUT;2"
build check
says "it did not end within 2 s; allow more time with --timeout (in CMake: BOLT_TIMEOUT; in Bazel: timeout_seconds)" check.made
cmp check/small check/small.prebolt
! configure check -DFDATA=small.fdata "-DMORE=BOLT_TIMEOUT;0" || fail "takes no time"
says "BOLT_TIMEOUT must be 1 or more seconds, not '0'" check.log
# The command may have what means something to CMake; and it is run: a command that fails is not passed.
must_configure check -DPRODPGO_REQUIRED=OFF -DFDATA=small.fdata "-DMORE=BOLT_CHECK;{} 3 > out, && echo \\;;BOLT_ON_FAILURE;error;BOLT_OPTIONS;-icf=none;-skip-funcs=a>b\\;c"
build check
is_bolted check/small
[ "$(cat check/out,)" = "$(./recorded 3)" ] || fail "the check was not run as it is written"
says "{} 3 > out, && echo ;" check.made
says "-- -icf=none \"-skip-funcs=a>b;c\"" check.made
must_configure check -DFDATA=small.fdata "-DMORE=BOLT_CHECK;{} 3 > out\\; false"
build check
says "is NOT optimized" check.made
cmp check/small check/small.prebolt

# A program that is not optimized is not BOLTed, and a message says so.
must_configure check -DFDATA=small.fdata -DMORE= -DCMAKE_BUILD_TYPE=Debug
says "small is not optimized (CMAKE_BUILD_TYPE is Debug), so no profile is applied and BOLT is not run" check.log

# Options that come later count: what a target is, is known at the end.
must_configure check -DFDATA=small.fdata -DMORE= -DCMAKE_BUILD_TYPE=
build check
never "pgo bolt" check.made
sed -i 's/^install(TARGETS small)/&\ntarget_compile_options(small PRIVATE ${LATER})/' source/CMakeLists.txt
must_configure check -DLATER=-O2
build check
is_bolted check/small

# pgo bolt hears what the copy that it reads rests on, and promises nothing of branches that were inferred.
project inferred <<'EOF'
prodpgo_profile(small FILE small.fdata REPORT report.json)
prodpgo_optimize(small BOLT LINKED BOLT_INFERRED)
EOF
"$pgo" convert checkout/clock.data --binary recorded -o inferred/small.fdata --report inferred/report.json > convert.log 2>&1
source=inferred
must_configure inferred_build
build inferred_build
is_bolted inferred_build/small
says "not known: the counts were inferred, not recorded" inferred_build.made
cmp inferred/report.json inferred_build/prodpgo/*/small.fdata.json
# With other bytes the report goes, too.
cp kept inferred/small.fdata
sed -i 's/ REPORT report.json//' inferred/CMakeLists.txt
must_configure inferred_build
[ "$(ls inferred_build/prodpgo/[0-9a-f]*/)" = small.fdata ]
source=source

# One name for both.
project one <<'EOF'
prodpgo_profile(small FILE small.proftext small.fdata)
prodpgo_optimize(small PROFILE small BOLT)
EOF
cp kept one/small.fdata
source=one
must_configure one_build
never "has nothing" one_build.log
build one_build
is_bolted one_build/small
# Asked for by two calls, BOLT still comes after the look at what the linker made.
sed -i 's/^prodpgo_optimize.*/prodpgo_optimize(small BOLT small)\nprodpgo_optimize(small PROFILE small)/' one/CMakeLists.txt
grep 'POST_BUILD = .*/pgo match .* bolt ' one_build/build.ninja > in_one_call
must_configure one_build
grep POST_BUILD one_build/build.ninja > in_two_calls
grep -xFf in_one_call in_two_calls > /dev/null || { cat in_two_calls; fail "the steps are others"; }
source=source

# The program changes and the profile stays: it is refused, in CMake's words too, until the build that it is of is
# named; that is waited for like a profile.
cp recorded source/earlier
sed -i 's/^  std::printf.*/&\n  return sum == 7 ? std::puts("seven") : 0;/' source/main.cc
sed -i 's/^int table.*/int table(int x) { int y = inner(x); return x == 5555 ? inner(x + 9) : y - inner(x + 2); }/' source/table.in
sed -i 's/^int scale.*/int scale(int x) { int y = inner(x); return x == 5555 ? inner(x + 9) : y + inner(x + 1); }/' source/lib/scale.c
must_configure stale -DFDATA=small.fdata
build stale
says "of the profile's samples are in functions whose code differs in small.prebolt: it is of another build; \
if you have that build, name it with --stale (in CMake: BOLT_STALE; in Bazel: stale)" stale.made
cmp stale/small stale/small.prebolt
# Also where profiles are required: only a release of the changed program can be recorded.
must_configure stale -DPRODPGO_REQUIRED=ON
build stale
says "small is small.prebolt as it was, NOT optimized, and the exit code is 0 (--on-failure keep-stale)" stale.made
cmp stale/small stale/small.prebolt
must_configure stale -DPRODPGO_REQUIRED=OFF "-DMORE=BOLT_STALE;lib"
says "prodpgo_optimize(small ... BOLT_STALE): $PWD/source/lib is a directory, not a file; name a copy" stale.log
must_configure stale "-DMORE=BOLT_STALE;late;BOLT_ON_FAILURE;error"
says "prodpgo_optimize(small ... BOLT_STALE): there is no file $PWD/source/late; name a copy of the build that the \
BOLT profile is of, as it was before BOLT (small.prebolt, if BOLT was on), kept outside this build. Building without BOLT until then; PRODPGO_REQUIRED=ON" stale.log
build stale
never "pgo bolt" stale.made
mv source/earlier source/late
build stale
says "blocks of " stale.made
is_bolted stale/small
build stale
[ "$(bolts stale)" = 0 ] || fail "BOLTed for no reason"
rm source/late
build stale
says "there is no file $PWD/source/late" stale.made
! configure stale -DPRODPGO_REQUIRED=ON || fail "goes on without the earlier build"
says "CMake Error" stale.log

# Not what this very build makes, and makes anew each time.
ln -s "$PWD/stale" by_another_name
for directory in stale by_another_name; do
  ! configure stale -DPRODPGO_REQUIRED=OFF "-DMORE=BOLT_STALE;$PWD/$directory/small.prebolt" || fail "takes its own .prebolt"
  says "CMake Error" stale.log
  says "prodpgo_optimize(small ... BOLT_STALE): each build overwrites $PWD/$directory/small.prebolt; name a copy" stale.log
done
! generator="Ninja Multi-Config" configure multi "-DMORE=BOLT_STALE;$PWD/multi/Release/small.prebolt" || fail "takes its own .prebolt"
says "each build overwrites $PWD/multi/Release/small.prebolt" multi.log

# What BOLT cannot use is said in the configuration.
must_configure wrong -DFDATA=small.proftext
says "profile addresses has no file for bolt: $PWD/source/small.proftext is an LLVM sample profile" wrong.log
