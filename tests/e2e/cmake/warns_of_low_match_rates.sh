# After the link there is one warning when the match rate of the profile is low, or an error with PRODPGO_REQUIRED;
# none for a profile that matches or is of several binaries. Nothing is built again for it.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need make

project source <<'EOF'
prodpgo_profile(small FILE ${PROFILE})
prodpgo_optimize(small PROFILE small LINKED ${MORE})
prodpgo_optimize(scale PROFILE small)
if(SECOND)
  add_library(second SHARED lib/scale.c)
  prodpgo_optimize(second PROFILE small)
endif()
set_target_properties(small PROPERTIES INTERPROCEDURAL_OPTIMIZATION "${IPO}")
EOF
# Of the program as it is, of it with lines that are gone, and of another one.
cp source/small.proftext source/fits
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n 40: 890\n' > source/edited
cat > source/other <<'EOF'
_Z5helloi:5000:1
 1: 5000
_Z3byev:300:1
 1: 300
later:20:1
 1: 20
never:10:1
 1: 10
main:100:1
 4: 100
EOF

heard() { grep -c "pgo: warning: " "$1.made" || true; }
# hears BUILD TEXT: once, by a build that succeeds.
hears() {
  build "$1"
  [ "$(heard "$1")" = 1 ] || { cat "$1.made"; fail "$1: heard $(heard "$1") times"; }
  says "$2" "$1.made"
}
hears_nothing() {
  build "$1"
  [ "$(heard "$1")" = 0 ] || { cat "$1.made"; fail "$1: hears something"; }
}
stays_done() {
  hears_nothing "$1"
  [ -z "$(built "$1")" ] || fail "$1: built $(built "$1") again"
}

for generator in Ninja "Unix Makefiles"; do
  at=${generator// /_}
  must_configure "$at" -DPROFILE=fits
  hears_nothing "$at"
  stays_done "$at"
  must_configure "$at" -DPROFILE=other
  profile=$PWD/source/other
  hears "$at" "pgo: warning: $PWD/$at/small: only 1.8 % of the profile $profile matches it. \
Most of the rest: the function is not in this build (renamed, removed, optimized away, or of another program; if the profile is of several binaries, --several leaves these out). \
Functions with the most unmatched counts: hello(int), bye(), later. Details: pgo match $PWD/$at/small --profile $profile"
  stays_done "$at"
  must_configure "$at" -DPROFILE=edited
  hears "$at" "small: only 10.1 % of the profile"
  says "the function is there, but not the line (the source changed since it was profiled). Functions with the most unmatched counts: main." "$at.made"

  # Required: an error, until something changes.
  must_configure "$at" -DPRODPGO_REQUIRED=ON
  for time in first second; do
    ! cmake --build "$at" > "$at.made" 2>&1 || fail "the $time build goes on"
    says "pgo: error: $PWD/$at/small: only 10.1 %" "$at.made"
  done
  must_configure "$at" -DPROFILE=fits
  hears_nothing "$at"
  "$at/small" > printed
done

# In one build directory, so that the compiler is not tried again and again.
generator=Ninja
# With link-time optimization.
must_configure Ninja -DPROFILE=other -DIPO=ON -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DPRODPGO_REQUIRED=OFF
hears Ninja "small: only 1.8 %"
must_configure Ninja -DIPO=OFF
# How much is asked for, and nothing.
must_configure Ninja -DPROFILE=edited "-DMORE=MIN_MATCH;10"
hears_nothing Ninja
must_configure Ninja "-DMORE=MIN_MATCH;11"
hears Ninja "small: only 10.1 %"
must_configure Ninja -DMORE= -DPRODPGO_MIN_MATCH=0 -DPRODPGO_REQUIRED=ON
hears_nothing Ninja
never "/pgo match" Ninja.made
! configure Ninja -DPRODPGO_MIN_MATCH=half || fail "takes a rate of half"
says "prodpgo_optimize(small): MIN_MATCH must be a percentage from 0 to 100, not half" Ninja.log

# Of several binaries: functions that this one does not have are left out, but not those that it has.
must_configure Ninja -DPROFILE=other -DSECOND=ON -DPRODPGO_MIN_MATCH= -DPRODPGO_REQUIRED=OFF
hears Ninja "source/other: has no counts for functions of $PWD/Ninja/libsecond.so"
# A thin program, or a library that did not run, has no counts, which is no error where profiles are required.
must_configure Ninja -DPROFILE=fits -DPRODPGO_REQUIRED=ON
hears Ninja "pgo: warning: $PWD/source/fits: has no counts for functions of $PWD/Ninja/libsecond.so; perhaps it did not run"
must_configure Ninja -DPROFILE=edited -DPRODPGO_REQUIRED=OFF
build Ninja
says "/small: only 10.1 % of the part of the profile $PWD/source/edited" Ninja.made
says "Details: pgo match $PWD/Ninja/small --profile $PWD/source/edited --several" Ninja.made

# Whatever the file is called.
for name in 'a>b' 'a,b' 'a b' '$<1:a>' 'a[b' ']' "a'b\"" 'a&b' '-a' 'a\b' '${a}' '%a'; do
  cp source/edited "source/$name"
  must_configure Ninja "-DPROFILE=$name" "-DMORE=MIN_MATCH;11" -DSECOND=OFF
  hears Ninja "/small: only 10.1 % of the profile $PWD/source/$name matches it"
done
must_configure Ninja -DMORE=

# When the match rate cannot be found out, there is a warning, and the build goes on.
must_configure Ninja -DPROFILE=other -DSECOND=OFF -DCMAKE_EXE_LINKER_FLAGS=-s
hears Ninja "pgo: warning: $PWD/Ninja/small: has no debug information, so its lines cannot be compared"

# Only what is optimized.
generator="Ninja Multi-Config"
must_configure multi -DPROFILE=other
for configuration in Debug Release; do
  build multi --config $configuration
  mv multi.made $configuration.made
done
[ "$(heard Debug)" = 0 ] || fail "the debug build hears something"
[ "$(heard Release)" = 1 ] || { cat Release.made; fail "the release hears nothing"; }
says "pgo: warning: $PWD/multi/Release/small: only 1.8 %" Release.made

# What was compiled is compared with the profile that it was compiled with, whatever is there by then; the new
# one is taken by the next build.
generator=Ninja
cp source/fits source/nightly
cat >> source/CMakeLists.txt <<'EOF'
add_custom_target(nightly COMMAND ${CMAKE_COMMAND} -E copy_if_different ${CMAKE_SOURCE_DIR}/other ${CMAKE_SOURCE_DIR}/nightly)
add_dependencies(small nightly)
EOF
must_configure nightly -DPROFILE=nightly
hears_nothing nightly
cmp source/nightly source/other
hears nightly "small: only 1.8 % of the profile $PWD/source/nightly matches"
