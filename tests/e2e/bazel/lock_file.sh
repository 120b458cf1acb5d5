# prodpgo.profile(): only targets with the profile use what pgo.lock pins. Missing files give one warning, or an error where
# profiles are required; files are checked by digest, kind and signature. The note says what was
# used, and `pgo match` compares it with the result.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need gcc python3 minisign

workspace source
sources source
cat > source/BUILD.bazel << 'END'
load("@prodpgo//:defs.bzl", "cc_pgo_binary")
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
cc_library(name = "scale", srcs = ["lib/scale.c"])
cc_pgo_binary(name = "server", srcs = ["main.cc"], profile = "@small", deps = [":scale"])
cc_pgo_binary(name = "sub/dir/dynamic", srcs = ["main.cc"], linkstatic = False, profile = "@small", several = True, deps = [":scale"])
cc_binary(name = "other", srcs = ["main.cc"], deps = [":scale"])
genrule(name = "made", outs = ["made.txt"], cmd = "$(location :other) 20 > $@", tools = [":other"])
END
missing="ProdPGO: warning: //:server: profile small has no file for clang:"
until="Building without it until then; --@prodpgo//:required makes this an error."

# Nothing is pinned: one message, and a normal build that can be recorded.
build //:server
says "$missing pgo.lock has no profile small (pgo pin small REFERENCE --lock pgo.lock pins one). $until"
[ "$(grep -c "ProdPGO:" bazel.log)" = 1 ] || { cat bazel.log; fail "says it more than once"; }
"$pgo" show source/bazel-bin/server > shown
says "pseudo probes" shown
never "profile small" shown
cp source/bazel-bin/server recorded
must_fail build --@prodpgo//:required //:server
says "ProdPGO: //:server: profile small has no file for clang: pgo.lock has no profile small"
must_fail build --@prodpgo//:required -c fastbuild //:server
says "ProdPGO: //:server: --@prodpgo//:required is for optimized builds, and this one is -c fastbuild. Build with -c opt, or without \
--@prodpgo//:required"
must_fail build --@prodpgo//:required --collect_code_coverage //:server
says "and this one is for coverage."
echo '{"profiles": {"smal": {}, "large": {}}, "version": 1}' > source/pgo.lock
build //:server
says "$missing pgo.lock has no profile small, only large, smal (pgo pin small"
echo '{"profiles": {}, "version": 1}' > source/pgo.lock
# Other compilation modes are left alone, without a word.
must_bazel build -c fastbuild //:server
never "ProdPGO:"
readlink -f source/bazel-bin/server > place
says /k8-fastbuild/bin/ place
"$pgo" show source/bazel-bin/server > shown
never "pseudo probes" shown

# It is pinned: it is fetched, used, noted, and compared.
"$pgo" record --engine emulate --period "$(period 503)" -o small.data -- ./recorded 200000 > record.log 2>&1
"$pgo" convert small.data --binary recorded -o small.prof --report report.json 2> convert.log
pin small.prof report.json
build //:server //:other //:made
never "ProdPGO:"
never "warning"
says "is optimized" <("$pgo" match source/bazel-bin/server --profile small.prof --error && echo "is optimized")
"$pgo" show source/bazel-bin/server > shown
says "profile small, software branch records, quality good" shown
says "sha256:$(digest_of small.prof)" shown
spawns 1 "^PgoMatch "
must_bazel aquery --output=text "mnemonic(PgoMatch, //:server)"
says "ExecutionInfo: {no-remote-exec: 1}" bazel.out
[ "$(source/bazel-bin/server)" = "$(./recorded)" ]
# Where profiles are required, the same program is built, in the same place.
readlink -f source/bazel-bin/server > place
build --@prodpgo//:required --@prodpgo//:min_match=99.5 //:server
spawns 0 "^Cpp"
spawns 1 "^PgoMatch "
[ "$(readlink -f source/bazel-bin/server)" = "$(cat place)" ] || fail "builds it elsewhere"
[ "$(source/bazel-bin/server)" = "$(./recorded)" ]
# The link to a program that must match comes from no cache, so the program finds its shared libraries.
for round in first second; do
  build --@prodpgo//:required --disk_cache="$PWD/disk" //:sub/dir/dynamic
  [ "$(source/bazel-bin/sub/dir/dynamic)" = "$(./recorded)" ] || fail "the program of the $round build does not start"
  spawns 1 "^PgoLink [^ ]*(sandbox|local)"
  must_bazel clean
done
# For coverage nothing is optimized.
must_bazel aquery --output=text --collect_code_coverage "mnemonic(CppCompile, deps(//:server))"
never "-fauto-profile" bazel.out
never "-fpseudo-probe" bazel.out

# One that is worth little.
cp source/pgo.lock kept.lock
sed -i 's/"quality": "good"/"quality": "weak"/' source/pgo.lock
build //:server
says "ProdPGO: warning: //:server: the quality of small.prof of pgo.lock is weak: too little was sampled to tell hot code from \
cold. Record for longer or on more hosts."
cp kept.lock source/pgo.lock
build //:server //:other //:made

# A lock file that is rewritten with the same pin, or gets another entry, rebuilds nothing. Another pin rebuilds what uses the profile.
touch source/pgo.lock
build //:server //:other //:made
spawns 0 .
"$pgo" pin other "oci-dir:$PWD/profiles:1" --lock source/pgo.lock > pushed 2> push.log
build //:server //:other //:made
spawns 0 .
printf 'elsewhere:90000:1\n 1: 90000\nmain:1000:1\n 3: 1\n' > small.proftext
pin small.proftext
build //:server //:other //:made
spawns 2 "^CppCompile .*/k8-opt-ST-[^ ]*/(main|scale)\.o"
spawns 0 "k8-opt/bin/(_objs|other)|made.txt"
spawns 1 "^CppLink .*/server_prodpgo/server$"
"$pgo" show source/bazel-bin/server > shown
says "sha256:$(digest_of small.proftext)" shown
# It does not match: one warning of pgo match, or an error.
says "pgo: warning:"
says "pgo.lock#small"
must_fail build --@prodpgo//:required --noexperimental_run_validations //:server
says "pgo: error:"
build --@prodpgo//:min_match=0 --@prodpgo//:required //:server
for wrong in many 100.5 5. 1.2.3; do
  must_fail build --@prodpgo//:min_match=$wrong //:server
  says "ProdPGO: //:server: min_match must be a percentage from 0 to 100, not $wrong"
done
echo 'cc_pgo_binary(name = "number", srcs = ["main.cc"], min_match = 100, profile = "@small", deps = [":scale"])' >> source/BUILD.bazel
must_fail build --@prodpgo//:required //:number
says "pgo: error:"

# It is fetched once, whatever changes in the environment.
cp source/pgo.lock kept.lock
mv profiles away
rm -rf cache
must_bazel build --repo_env=PATH=/usr/bin:/bin:/nowhere //:server
# It cannot be fetched: that is an error of builds that use it, and the next build tries again.
sed -i 's/^/ /' source/pgo.lock
must_fail build //:server
says "ProdPGO: pgo pull --locked --lock pgo.lock small failed: $PWD/profiles: there is no such directory; check the path; \
'pgo push' makes a new one"
must_bazel build -c fastbuild //:server
must_bazel build --collect_code_coverage //:server
mv away profiles
build //:server
never "$missing"
"$pgo" show source/bazel-bin/server > shown
says "sha256:$(digest_of small.proftext)" shown
# A blob of the cache that was changed is not used.
"$pgo" pull --locked --lock source/pgo.lock > pulled 2> pull.log
sed -i '1s/main/mail/' "cache/blobs/sha256/$(digest_of small.proftext)"
cp kept.lock source/pgo.lock
build //:server
never "$missing"
"$pgo" show source/bazel-bin/server > shown
says "sha256:$(digest_of small.proftext)" shown

# For GCC only; and GCC's profile that the lock calls one for clang.
python3 "$here/write_afdo.py" > small.afdo
pin small.afdo
build //:server
says "$missing pgo.lock has one for gcc only (pgo convert -o FILE.prof makes one of the same recordings; push both). $until"
sed -i 's/"kind": "gcc"/"kind": "llvm"/' source/pgo.lock
must_fail build //:server
says "ProdPGO: small.afdo of pgo.lock: is a GCC profile, which $(type -P clang-22) does not read; convert the recordings with \
-o FILE.prof, for clang"
# Flags of another compiler than the toolchain's.
pin small.proftext
must_fail build --repo_env=PRODPGO_CC=gcc //:server
says "ProdPGO: //:server: the C++ toolchain runs clang, and @prodpgo_tools has the flags of GCC, which it found by PRODPGO_CC or CC. Name \
the compiler of the toolchain: --repo_env=PRODPGO_CC=/path/to/compiler"

# A signature that is not the required one.
for key in release other; do minisign -G -W -p $key.pub -s $key.key > text; done
"$pgo" push small.proftext oci-dir:profiles:signed --sign release.key > pushed 2> push.log
echo '{"version": 1, "profiles": {}}' > source/pgo.lock
"$pgo" pin small "oci-dir:$PWD/profiles:signed" --verify release.pub --lock source/pgo.lock > pushed 2> push.log
build //:server
never "$missing"
sed -i "s|$(tail -1 release.pub)|$(tail -1 other.pub)|" source/pgo.lock
must_fail build //:server
says "ProdPGO: pgo pull --locked --lock pgo.lock small failed: oci-dir:$PWD/profiles"
says "requires a signature by the key"
