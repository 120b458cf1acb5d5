# prodpgo_profile(LOCK): what pgo.lock pins comes out of the blob cache, checked by its digest, with the evidence and the
# quality that the lock has; no network, and no pgo on PATH.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

project source <<'EOF'
prodpgo_profile(small LOCK pgo.lock ${OF})
prodpgo_optimize(small PROFILE small ${MORE})
EOF
lock=$PWD/source/pgo.lock
mv source/small.proftext small.prof
printf '1 main 0 1 main 2 0 5\n' > small.fdata
printf '1 main 0 1 main 2 0 6\n' > gcc.fdata
export PRODPGO_CACHE=$PWD/cache
blobs=$PRODPGO_CACHE/blobs/sha256
mkdir -p "$blobs"
digest() { sha256sum "$1" | cut -d' ' -f1; }
store() { local file; for file; do cp "$file" "$blobs/$(digest "$file")"; done; }
# pinned FILE MEMBERS: its object in the lock.
pinned() { echo "{$2, \"digest\": \"sha256:$(digest "$1")\", \"path\": \"$1\"}"; }
# lock [FILE...]: writes it.
lock() {
  local IFS=,
  echo "{\"version\": 1, \"profiles\": {\"other\": {\"files\": []}, \"small\": {\"manifest\": \"sha256:00\", \"files\": [$*]}}}" > "$lock"
}
compile=$(pinned small.prof '"kind": "llvm", "evidence": "branch-records", "quality": "good", "density": 12.34, "split_half_overlap": 0.98765')
bolt=$(pinned small.fdata '"kind": "bolt", "configuration": "clang", "evidence": "branch-records", "quality": "fair"')
other=$(pinned gcc.fdata '"kind": "bolt", "configuration": "gcc", "evidence": "branch-records", "quality": "good"')

# Nothing is pinned yet: a warning that says how, and a build without a profile.
must_configure build
grep -xF "ProdPGO: warning: prodpgo_optimize(small): profile small has no file for clang: $lock does not exist \
(pgo pin small REFERENCE --lock $lock pins one). Building without it until then; PRODPGO_REQUIRED=ON makes this an error." build.log
! configure build -DPRODPGO_REQUIRED=ON || fail "goes on without a lock"
lock
must_configure build -DPRODPGO_REQUIRED=OFF
says "has no file for clang: $lock has no profile small (pgo pin" build.log
must_configure named -DOF="ENTRY;unknown"
says "$lock has no profile unknown (pgo pin unknown REFERENCE" named.log

# Pinned, and not fetched. Once it is there, ninja configures by itself.
lock "$compile" "$bolt" "$other" '{"kind": "report", "digest": "sha256:11", "path": "report.json"}'
must_configure build -DOF="CONFIGURATION;clang"
says "small.prof of $lock is not in $PRODPGO_CACHE (pgo pull --locked --lock $lock fetches it)" build.log
! PRODPGO_CACHE=cache configure relative || fail "takes a relative path of the cache"
says "ProdPGO: PRODPGO_CACHE is 'cache', which is a relative path; set it to an absolute one" relative.log
store small.prof small.fdata gcc.fdata
build build
says "-fprofile-sample-use=$PWD/build/prodpgo/$(digest small.prof | head -c 16)/small.proftext" build.made
[ "$(grep -c "GLOB mismatch" build.made)" = 1 ] || { cat build.made; fail "watches each file"; }
must_configure build -DOF=
notes=build/prodpgo/notes/small.c
for member in '\\\"evidence\\\":\\\"branch-records\\\"' '\\\"quality\\\":\\\"good\\\"' "$(digest small.prof)"; do says "$member" $notes; done
PATH=${PATH//$BUILD_DIR\/bin:/} must_configure offline -DPRODPGO_REQUIRED=ON
never "warning" offline.log

# The cache of another user: its directory, or the files in it, may not be read.
must_configure stranger
chmod -R a+rwX stranger
for unreadable in "$PRODPGO_CACHE" "$blobs/$(digest small.prof)"; do
  chmod a-rwx "$unreadable"
  unprivileged cmake stranger > stranger.log 2>&1 || { cat stranger.log; fail "cannot configure as another user"; }
  says "profile small has no file for clang: small.prof of $lock cannot be read in $PRODPGO_CACHE: this user may not read \
$unreadable. Building without it until then" stranger.log
  chmod a+rX "$unreadable"
done

# A BOLT profile is of one configuration. Where one is pinned, it is required, under any configuration.
must_configure build -DMORE=BOLT
says "profile small has no file for bolt: $lock has BOLT profiles for CONFIGURATION clang, gcc, and prodpgo_profile(small) \
has no CONFIGURATION. Building without BOLT until then; PRODPGO_REQUIRED=ON" build.log
! configure build -DPRODPGO_REQUIRED=ON || fail "goes on without the BOLT profile, and no CONFIGURATION"
must_configure build -DPRODPGO_REQUIRED=OFF -DOF="CONFIGURATION;clagn"
says "profile small has no file for bolt: $lock has BOLT profiles for CONFIGURATION clang, gcc, and none for clagn. Building" build.log
! configure build -DPRODPGO_REQUIRED=ON || fail "goes on without the BOLT profile, and a misspelt CONFIGURATION"
mv "$blobs/$(digest small.fdata)" away
must_configure build -DPRODPGO_REQUIRED=OFF -DOF="CONFIGURATION;clang"
says "profile small has no file for bolt: small.fdata of $lock is not in $PRODPGO_CACHE (pgo pull --locked --lock $lock fetches \
it). Building without BOLT until then" build.log
! configure build -DPRODPGO_REQUIRED=ON || fail "goes on without the pinned BOLT profile"
mv away "$blobs/$(digest small.fdata)"
must_configure build -DPRODPGO_REQUIRED=OFF -DOF=
! grep -F "/pgo bolt " build/build.ninja || fail "uses the BOLT profile of another configuration"
# The first build has none: nothing is pinned for BOLT.
lock "$compile"
must_configure build -DPRODPGO_REQUIRED=ON
says "ProdPGO: prodpgo_optimize(small): profile small has no file for bolt: $lock pins none (pgo pin small REFERENCE --lock \
$lock pins one). Building without BOLT until then" build.log
never "warning" build.log
lock "$compile" "$bolt" "$other"
must_configure build -DMORE=BOLT -DOF="CONFIGURATION;clang" -DPRODPGO_REQUIRED=ON
cmp small.fdata build/prodpgo/*/small.fdata
grep -F "/pgo bolt " build/build.ninja > /dev/null
grep -F '"evidence": "branch-records"' build/prodpgo/*/small.fdata.json
! grep -qF -- " --stale " build/build.ninja || fail "names an earlier build that nothing pins"
# The recorded build is pinned, too: it stands for BOLT_STALE, which comes first.
cp "$(type -P true)" recorded
prebolt=$(pinned recorded '"kind": "prebolt", "configuration": "clang"')
lock "$compile" "$bolt" "$prebolt"
must_configure build -DPRODPGO_REQUIRED=OFF
says "prodpgo_optimize(small): recorded of $lock is not in $PRODPGO_CACHE (pgo pull --locked --lock $lock fetches it). Using the \
BOLT profile without the recorded build" build.log
store recorded
must_configure build -DPRODPGO_REQUIRED=ON
grep -qF -- " --stale $blobs/$(digest recorded)" build/build.ninja || fail "does not name the pinned build"
must_configure build "-DMORE=BOLT;BOLT_STALE;$PWD/recorded"
grep -qF -- " --stale $PWD/recorded" build/build.ninja || fail "does not name what BOLT_STALE names"
must_configure build -DMORE=BOLT
# Inferred counts are as with a report: the program has a compile profile.
lock "$compile" "${bolt/branch-records/pc-samples}"
must_configure build -DPRODPGO_REQUIRED=OFF
says "were inferred from PC samples and small is built with a compile profile: with inferred counts, BOLT" build.log

# Another pin is another path; the same pin in a rewritten file compiles nothing.
lock "$compile"
must_configure build -DMORE= -DOF=
build build
touch "$lock"
build build
[ -z "$(built build)" ] || fail "builds again: $(built build)"
sed 's/100/200/' small.prof > new.prof
store new.prof
lock "$(pinned new.prof '"kind": "llvm"')"
build build
says "-fprofile-sample-use=$PWD/build/prodpgo/$(digest new.prof | head -c 16)/small.proftext" build.made
never '\\\"quality\\\"' $notes

# A flipped byte, and files that are no lock.
sed -i '1s/main/mail/' "$blobs/$(digest new.prof)"
refuses() { ! configure build || fail "goes on"; }
refuses
says "$blobs/$(digest new.prof) is not what $lock pins: its SHA-256 is $(digest "$blobs/$(digest new.prof)") and not \
$(digest new.prof) Remove it, and fetch it again: pgo pull --locked --lock $lock" build.log
echo '{"version": 2, "profiles": {}}' > "$lock"
refuses
says "$lock has version 2, and this package reads version 1: update ProdPGO" build.log
echo '{"profiles": []}' > "$lock"
refuses
says "$lock is not a lock file: it has no \"version\" and \"profiles\"; pgo pin writes it" build.log
printf '{\n<<<<<<< ours\n"version": 1\n' > "$lock"
refuses
says "$lock has conflict markers of a merge" build.log
twice=$(printf '    "%s": {\n      "files": []\n    }' small)
printf '{\n  "version": 1,\n  "profiles": {\n%s,\n%s\n  }\n}\n' "$twice" "$twice" > "$lock"
refuses
says "$lock has profile small twice: keep one of them, a merge may have left both" build.log
lock '{"kind": "llvm", "digest": "md5:00", "path": "x"}'
refuses
says "$lock: the digest of a file is not a SHA-256: md5:00" build.log
sed -i 's/LOCK pgo.lock/LOCK pgo.lock FILE a.prof/' source/CMakeLists.txt
refuses
says "LOCK names the files, their digests and their evidence: give either LOCK, or FILE" build.log
