# A compiler cache serves an object again when the profile is the same, and never an object of another
# profile: neither after a change, nor after the change is taken back.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need ccache
unset CCACHE_DISABLE
export CCACHE_DIR=$PWD/cache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_CONFIGPATH=/dev/null
export CCACHE_SLOPPINESS=time_macros,locale

project source <<'EOF'
prodpgo_profile(small FILE small.proftext)
prodpgo_optimize(small PROFILE small)
EOF
# main runs often, or never: its code is laid out and sized otherwise.
hot() { printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n'; }
cold() { printf 'main:0:0\n 3: 0\n 4: 0\n'; }
build_with() {
  "$1" > source/small.proftext
  ccache --zero-stats > /dev/null
  build cached
  hits=$(ccache --print-stats | awk '/^(direct|preprocessed)_cache_hit/ { n += $2 } END { print n }')
  cp cached/CMakeFiles/small.dir/main.cc.o "$2"
}
hot > source/small.proftext
must_configure cached -DCMAKE_{C,CXX}_COMPILER_LAUNCHER=ccache
build_with hot first.o
[ "$hits" = 0 ]
build_with cold second.o
[ "$hits" = 0 ] || fail "$hits objects of another profile"
! cmp -s first.o second.o || fail "the profiles make no difference; the test shows nothing"
build_with hot third.o
[ "$hits" -ge 2 ] || fail "only $hits hits for a profile that was there before"
cmp first.o third.o

# Even where compilers were given one path for both, it hashes the contents.
cat > same_path.sh <<'EOF'
cp "$1" one.prof
ccache clang++-22 -O2 -gline-tables-only -fprofile-sample-use=one.prof -c source/main.cc -o "$2"
EOF
hot > hot.prof
cold > cold.prof
bash same_path.sh hot.prof hot.o
bash same_path.sh cold.prof cold.o
! cmp -s hot.o cold.o || fail "ccache served an object of another profile"
