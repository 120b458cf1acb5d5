# PRODPGO_PULL=ON: configuring fetches what pgo.lock pins and the cache does not have, with pgo of the package; once it is
# there, the registry and pgo are not needed, and other projects with the same lock file find it as well.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

for name in one two; do
  project $name <<'EOF'
prodpgo_profile(small LOCK ../pgo.lock)
prodpgo_optimize(small PROFILE small)
EOF
  mv $name/small.proftext small.proftext
done
export PRODPGO_CACHE=$PWD/cache
"$pgo" push small.proftext oci-dir:profiles:week-48 > log 2>&1 || { cat log; fail "cannot push"; }
"$pgo" pin small oci-dir:profiles:week-48 > log 2>&1 || { cat log; fail "cannot pin"; }
digest=$(sha256sum small.proftext | cut -d' ' -f1)
blob=$PRODPGO_CACHE/blobs/sha256/$digest
uses_profile() { says "-fprofile-sample-use=$PWD/$1/prodpgo/${digest:0:16}/small.proftext" $1.made; }
offline=${PATH//$BUILD_DIR\/bin:/}
source=one

# Nothing is fetched unasked, and a pull that fails warns in pgo's words.
[ ! -e "$blob" ] || fail "is in the cache already"
must_configure build
says "small.proftext of $PWD/pgo.lock is not in $PRODPGO_CACHE (pgo pull --locked --lock $PWD/pgo.lock fetches it)" build.log
mv profiles away
must_configure build -DPRODPGO_PULL=ON
status=0
"$pgo" pull --locked --lock "$PWD/pgo.lock" small > log 2>&1 || status=$?
[ $status = 2 ] && grep -qF "$PWD/profiles" log || { cat log; fail "pulls without a registry"; }
says "ProdPGO: warning: prodpgo_profile(small LOCK): pgo pull --locked failed: $(tr -s ' \n' ' ' < log | sed 's/ $//')" build.log
[ ! -e "$blob" ] || fail "is in the cache"
! configure build -DPRODPGO_REQUIRED=ON || fail "goes on without the profile"

# It is fetched, used, and pinned in the cache.
mv away profiles
must_configure build -DPRODPGO_REQUIRED=ON
never "warning" build.log
cmp small.proftext "$blob"
[ -e "$PRODPGO_CACHE/pinned/$digest" ] || fail "is not pinned in the cache"
build build
uses_profile build

# From now on neither registry nor pgo: here, in a new build tree, and in another project with this lock file.
rm -r profiles
PATH=$offline must_configure build
PATH=$offline must_configure again -DPRODPGO_PULL=ON -DPRODPGO_REQUIRED=ON
never "warning" again.log
PATH=$offline build again
uses_profile again
source=two
PATH=$offline must_configure other -DPRODPGO_PULL=ON -DPRODPGO_REQUIRED=ON
never "warning" other.log
PATH=$offline build other
uses_profile other
