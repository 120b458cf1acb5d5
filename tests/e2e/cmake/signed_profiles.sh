# pgo.lock says who must have signed a profile. With PRODPGO_PULL=ON, pgo checks it at each configuration, and what it
# refuses is an error, also where profiles are not required. Without, CMake says once that nothing was checked.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need minisign python3
layout() { python3 "$here/signed_layout.py" "$@"; }
for key in release other; do minisign -G -W -p $key.pub -s $key.key > text; done
line() { tail -1 "$1.pub"; }
id() { head -1 "$1.pub" | sed 's/.* //'; }

project source <<'EOF'
prodpgo_profile(small LOCK ../pgo.lock)
prodpgo_profile(again LOCK ../pgo.lock ENTRY small)
prodpgo_optimize(small PROFILE small)
EOF
# WITHOUT_PGO: as if the program of the package were not there, nor in CMAKE_PREFIX_PATH.
sed -i '/^find_package/i if(WITHOUT_PGO)\nadd_executable(ProdPGO::pgo IMPORTED GLOBAL)\
set_target_properties(ProdPGO::pgo PROPERTIES IMPORTED_LOCATION /nowhere/pgo)\
set(CMAKE_FIND_USE_CMAKE_PATH OFF)\nendif()' source/CMakeLists.txt
mv source/small.proftext .
lock=$PWD/pgo.lock
export PRODPGO_CACHE=$PWD/cache
must() { "$pgo" "$@" > text 2> log || { cat log; fail "cannot pgo $*"; }; }
must push small.proftext oci-dir:profiles:week-48 --sign release.key
digest=$(cat text)
must pin small oci-dir:profiles:week-48 --verify release.pub
cp pgo.lock signed.lock
file=$(sha256sum small.proftext | cut -d' ' -f1)
place=oci-dir:$PWD/profiles@$digest
advice="'pgo push' with --sign signs a version"
# refuses REASON [OPTION]...: an error in the words of pgo, and no build without the profile.
refuses() {
  ! configure refused -DPRODPGO_PULL=ON "${@:2}" || fail "goes on: $1"
  says "$lock requires a signature of profile small (signed_by), and pgo pull --locked failed: pgo: error: $1" refused.log
  never "Building without" refused.log
  rm -r refused
}

# Signed as it must be: it is fetched and used.
must_configure build -DPRODPGO_PULL=ON -DPRODPGO_REQUIRED=ON
never "warning" build.log
never "not checked" build.log
build build
says "-fprofile-sample-use=$PWD/build/prodpgo/${file:0:16}/small.proftext" build.made

# Everything is in the cache, and the registry is gone: the signature is checked all the same.
mv profiles away
must_configure build
never "warning" build.log
sed -i "s|$(line release)|$(line other)|" pgo.lock
refuses "$PWD/profiles: there is no such directory; check the path; 'pgo push' makes a new one"
mv away profiles
cp -r profiles registry
for required in OFF ON; do
  refuses "$place: is signed by $(id release), and $lock requires a signature by the key $(id other); $advice" \
    -DPRODPGO_REQUIRED=$required
done

# A file that is in the cache, and in no version that the key signed.
cp signed.lock pgo.lock
sed 's/100/200/' small.proftext > changed.proftext
changed=$(sha256sum changed.proftext | cut -d' ' -f1)
cp changed.proftext "cache/blobs/sha256/$changed"
sed -i "s/$file/$changed/" pgo.lock
refuses "$lock: small.proftext with sha256:$changed is not in the version that is signed, \
oci-dir:profiles:week-48@$digest; pin it again"
cp signed.lock pgo.lock

# A signature that was changed, and none, where the cache has none either.
rm -rf cache
layout damage profiles "$digest"
status=0
"$pgo" pull --locked --lock "$lock" small > text 2> log || status=$?
[ $status = 2 ] || fail "takes a damaged signature"
grep -q 'is damaged: its digest should be' log || fail "$(cat log)"
refuses "$(sed 's/^pgo: error: //' log)"
rm -r profiles
must push small.proftext oci-dir:profiles:week-48
refuses "$place: is not signed, and $lock requires a signature by the key $(id release); $advice"

# Where nothing checks signatures, one message for both profiles says so, and what would.
rm -r profiles
mv registry profiles
must pull --locked
unchecked="$lock requires signatures (signed_by). They are not checked here, because CMake only compares digests: pgo pull \
--locked --lock $lock checks them"
says_once() { # TEXT
  says "$1" build.log
  [ "$(grep -c 'requires signatures' build.log)" = 1 ] || { cat build.log; fail "says it twice"; }
}
must_configure build -DPRODPGO_PULL=OFF
says_once "ProdPGO: $unchecked. Run it before the build, or configure with PRODPGO_PULL=ON."
never "warning" build.log
# Where the program of the package is not built yet, the one on PATH does it.
PATH=$BUILD_DIR/bin:$PATH must_configure build -DPRODPGO_PULL=ON -DWITHOUT_PGO=ON
never "requires signatures" build.log
PATH=${PATH//$BUILD_DIR\/bin:/} must_configure build -DPRODPGO_PULL=ON
says_once "ProdPGO: warning: $unchecked, and pgo was not found."
sed -i '/signed_by/d' pgo.lock
must_configure build -DPRODPGO_PULL=OFF
never "requires signatures" build.log
