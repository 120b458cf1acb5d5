# prodpgo_optimize without the name of a profile takes profiles/TARGET.prof of the project, and beside it .fdata for
# BOLT, .afdo for GCC and the reports; one line says which files it took.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need gcc g++

project source <<'EOF'
prodpgo_optimize(small ${MORE} LINKED)
EOF
profiles=$PWD/source/profiles
mkdir "$profiles"
digest() { sha256sum "$profiles/$1" | cut -d' ' -f1; }

must_configure build
[ "$(grep -c "ProdPGO: " build.log)" = 1 ] || { cat build.log; fail "says more"; }
grep -xF "ProdPGO: warning: prodpgo_optimize(small): profile small has no file for clang: $profiles/small.prof does not exist \
(pgo convert ... -o small.prof makes one). Building without it until then; PRODPGO_REQUIRED=ON makes this an error." build.log
! configure build -DPRODPGO_REQUIRED=ON || fail "goes on without a profile"

# They come, one after the other.
mv source/small.proftext "$profiles/small.prof"
must_configure build
[ "$(grep "ProdPGO: " build.log)" = "-- ProdPGO: small is optimized with $profiles/small.prof" ] || { cat build.log; false; }
build build
says " -fprofile-sample-use=$PWD/build/prodpgo/$(digest small.prof | head -c 16)/small.proftext" build.made
# The first build for BOLT has no .fdata yet.
must_configure build -DMORE=BOLT -DPRODPGO_REQUIRED=ON
grep -E -- "^-- ProdPGO: .* has no file for bolt: $profiles/small.fdata does not exist .*Building without BOLT until then$" build.log
never "warning" build.log
printf '1 main 0 1 main 2 0 5\n' > "$profiles/small.fdata"
echo '{"evidence": "branch-records", "outputs": [{"digest": "sha256:'"$(digest small.fdata)"'"}]}' > "$profiles/small.fdata.json"
echo '{"evidence": "pc-samples", "outputs": [{"digest": "sha256:'"$(digest small.prof)"'"}]}' > "$profiles/small.json"
must_configure build -DPRODPGO_REQUIRED=OFF
[ "$(grep "ProdPGO: " build.log)" = "-- ProdPGO: small is optimized with $profiles/small.prof and $profiles/small.fdata" ] || { cat build.log; false; }
grep -F "/pgo bolt " build/build.ninja > /dev/null
says '\\\"evidence\\\":\\\"pc-samples\\\"' build/prodpgo/notes/small.c

# GCC has its own, and what is not optimized none.
must_configure gcc -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DPRODPGO_MIN_MATCH=0
says "prodpgo_optimize(small): profile small has no file for gcc: $profiles/small.afdo does not exist" gcc.log
must_configure debug -DCMAKE_BUILD_TYPE=Debug
never "is optimized with" debug.log

# A declared profile of this name comes first.
sed -i 's/^prodpgo_optimize/prodpgo_profile(small FILE other.proftext)\n&/' source/CMakeLists.txt
sed 's/100/200/' "$profiles/small.prof" > source/other.proftext
must_configure build -DMORE=
never "is optimized with" build.log
build build
says " -fprofile-sample-use=$PWD/build/prodpgo/$(sha256sum source/other.proftext | head -c 16)/small.proftext" build.made

# Two BOLT profiles: each is of one binary, so it is no help to merge them.
cp "$profiles/small.fdata" source/a.fdata
printf '1 main 0 1 main 2 0 6\n' > source/b.fdata
sed -i 's/^prodpgo_profile.*/prodpgo_profile(small FILE a.fdata b.fdata)/' source/CMakeLists.txt
! configure two > /dev/null || fail "takes two BOLT profiles"
says "prodpgo_profile(small): two of its files are for bolt; each is of one binary: declare them as profiles with two \
names, or give each version's file a configuration ('pgo push --configuration') and name that with CONFIGURATION" two.log
sed -i 's/^prodpgo_profile.*/prodpgo_profile(small FILE other.proftext a.prof)/' source/CMakeLists.txt
sed 's/100/300/' "$profiles/small.prof" > source/a.prof
! configure two > /dev/null || fail "takes two profiles for clang"
says "two of its files are for clang; declare them as profiles with two names, or merge them" two.log
