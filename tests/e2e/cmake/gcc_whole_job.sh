# With GCC, the whole job: a profilable program by prodpgo_profilable, recorded, converted to .afdo, built
# again by prodpgo_optimize; the static library and generated code it links have counts as well.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need gcc g++ qemu-x86_64
[ "$(gcc -dumpversion)" = 12 ] || skip "gcc is $(gcc -dumpversion), not 12"

project source <<'EOS'
prodpgo_profilable(small LINKED)
if(AFDO)
  prodpgo_profile(small FILE ${AFDO})
  prodpgo_optimize(small PROFILE small LINKED)
endif()
EOS
gcc_build="-DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++"
must_configure base $gcc_build
build base
# One sample for each 32 branches, 32 deep, is every branch once: of counts that do not add up GCC makes others.
"$pgo" record --engine emulate --period 32 -o small.perf -- base/small 100000 > record.log 2>&1
"$pgo" convert small.perf --binary base/small -o source/small.afdo -o small.proftext 2> convert.log

must_configure fast $gcc_build -DAFDO=small.afdo -DCMAKE_CXX_FLAGS=-fdump-tree-optimized-lineno \
  -DCMAKE_C_FLAGS=-fdump-tree-optimized-lineno
never warning: fast.log
build fast
never warning: fast.made
says "-fauto-profile=$PWD/fast/prodpgo/$(sha256sum source/small.afdo | head -c 16)/small.afdo" fast.made
for function in scale _Z5tablei; do
  head=$(sed -n "s/^$function:[0-9]*://p" small.proftext)
  [ "$head" = 50000 ] || fail "$function was entered 50000 times, not $head"
  find fast -name '*.optimized' -exec cat {} + | grep -F "<bb 2> [count: $head]:" > /dev/null ||
    fail "GCC has no count of $function"
done
[ "$(fast/small 1234)" = "$(base/small 1234)" ]
"$pgo" show fast/small > shown
says "sha256:$(sha256sum source/small.afdo | cut -d' ' -f1)" shown
