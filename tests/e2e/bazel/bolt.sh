# bolt_binary: the BOLT profile of a lock file, of one configuration, through `pgo bolt`: checked, with the recorded build
# for a profile that is stale, and with the linker's program where BOLT fails. Its output and the program before it are the
# same in two output bases; the disk cache serves both, and not another profile.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need "$llvm/llvm-bolt" python3

workspace source
sources source
sed -i 's|prodpgo.profile(.*|prodpgo.profile(name = "small", lock = "//:pgo.lock", configuration = "clang")|' source/WORKSPACE
cat > source/BUILD.bazel << 'END'
load("@prodpgo//:defs.bzl", "bolt_binary", "cc_pgo_binary")
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
cc_library(name = "scale", srcs = ["lib/scale.c"])
cc_pgo_binary(name = "server", srcs = ["main.cc"], bolt = True, profile = "@small", deps = [":scale"])
bolt_binary(name = "server.bolted", binary = ":server", profile = "@small")
cc_binary(name = "plain", srcs = ["main.cc"], deps = [":scale"])
bolt_binary(name = "plain.bolted", binary = ":plain", profile = "@small")
bolt_binary(name = "without", binary = ":server", profile = None)
END
bolted=source/bazel-bin/server.bolted

# A plain cc_binary says nothing of its profile, so the rule does.
build //:plain.bolted
says "ProdPGO: warning: //:plain.bolted: profile small has no file for bolt: pgo.lock has no profile small (pgo pin"
must_fail build --@prodpgo//:required //:plain.bolted
says "ProdPGO: //:plain.bolted: profile small has no file for bolt"
must_fail build --@prodpgo//:required -c fastbuild //:plain.bolted
says "ProdPGO: //:plain.bolted: --@prodpgo//:required is for optimized builds, and this one is -c fastbuild."
must_bazel build //:without
says "ProdPGO: warning: //:without has no profile: give it the one of //:server. Building without BOLT;"

# The first build has no profile for BOLT: it is the one to record. Where profiles are required, the rule must say that it may
# do without.
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > small.proftext
pin small.proftext
no_bolt="//:server.bolted: profile small has no file for bolt: pgo.lock pins oci-dir:$work/profiles:1, which has none. Record the \
build with this profile, and push a BOLT profile with the next version; until then, allow_missing = True lets required builds do \
without"
required="--@prodpgo//:required --@prodpgo//:min_match=0"
build --@prodpgo//:min_match=0 --disk_cache="$PWD/disk" //:server.bolted
says "ProdPGO: warning: $no_bolt. Building without BOLT until then; --@prodpgo//:required makes this an error."
must_fail build $required //:server.bolted
says "ProdPGO: $no_bolt"
sed -i 's/name = "server.bolted"/allow_missing = True, &/' source/BUILD.bazel
build $required //:server.bolted
says "ProdPGO: $no_bolt. Building without BOLT until then"
never "warning"
! is_bolted $bolted || fail "is BOLTed"
cp source/bazel-bin/server recorded
"$pgo" record --engine emulate --period "$(period 503)" -o small.data -- ./recorded 200000 > record.log 2>&1
"$pgo" convert small.data --binary recorded -o small.fdata --report small.fdata.json 2> convert.log

# It is pinned, first for another configuration.
pin small.proftext small.fdata small.fdata.json --configuration gcc
build //:server.bolted
says "ProdPGO: warning: //:server.bolted: profile small has no file for bolt: pgo.lock has BOLT profiles for configuration gcc, \
and none for clang. Building without BOLT until then; --@prodpgo//:required makes this an error."
must_fail build $required //:server.bolted
pin small.proftext small.fdata small.fdata.json --configuration clang
build $required --disk_cache="$PWD/disk" //:server //:server.bolted
never "ProdPGO:"
is_bolted $bolted
[ "$($bolted)" = "$(./recorded)" ]
cmp source/bazel-bin/server recorded
spawns 1 "^PgoBolt "
"$pgo" show $bolted > shown
says "sha256:$(digest_of small.proftext)" shown
says "BOLT's: sha256:$(digest_of small.fdata)" shown
must_bazel build $required --output_groups=bolt_log //:server.bolted
says "BOLT-INFO" source/bazel-bin/server.bolted.bolt.log
must_bazel aquery $required "mnemonic(PgoBolt, //:server.bolted)"
never " --stale" bazel.out
says "ExecutionInfo: {no-remote-exec: 1}" bazel.out

# In another output base the same bytes, and with the disk cache nothing runs: it knows them by the digest of the profile.
cp $bolted source/bazel-bin/server .
sandbox=linux-sandbox
unshare --user --net true 2> /dev/null || sandbox=processwrapper-sandbox  # in most containers
base=base2 build $required --spawn_strategy=$sandbox --nosandbox_default_allow_network //:server //:server.bolted
cmp $bolted server.bolted
cmp source/bazel-bin/server server
spawns 1 "^PgoBolt $sandbox"
base=base2 bazel clean
base=base2 build $required --disk_cache="$PWD/disk" //:server //:server.bolted
spawns 0 "sandbox|local"
spawns 1 "^PgoBolt (disk|remote)_cache_hit"
base=base2 bazel shutdown
rm -rf base2 || chmod -R u+w base2
printf 'main:1000:1\n 3: 1\n 4: 200 _ZL5inneri:200\n' > other.proftext
cp source/pgo.lock kept.lock
pin other.proftext small.fdata small.fdata.json --configuration clang
build --@prodpgo//:min_match=0 --disk_cache="$PWD/disk" //:server
spawns 2 "^CppCompile [^ ]*sandbox.*/(main|scale)\.o"
cp kept.lock source/pgo.lock
build --@prodpgo//:min_match=0 --disk_cache="$PWD/disk" //:server
spawns 0 "^CppCompile [^ ]*sandbox"

# The sources change, and the recorded build is pinned: its counts are transferred. A check that fails.
cp recorded small.prebolt
pin small.proftext small.fdata small.fdata.json small.prebolt --configuration clang
sed -i 's|std::printf|std::putchar(10); &|' source/main.cc
build --@prodpgo//:min_match=0 //:server.bolted
is_bolted $bolted
must_bazel aquery "mnemonic(PgoBolt, //:server.bolted)"
says "--stale" bazel.out
cat >> source/BUILD.bazel << 'END'
bolt_binary(name = "checked", binary = ":server", check = "test $WORD = given && {} 5", on_failure = "error", profile = "@small")
bolt_binary(name = "kept", binary = ":server", check = "! {} 5", profile = "@small")
bolt_binary(name = "stopped", binary = ":server", check = "! {} 5", on_failure = "error", profile = "@small")
bolt_binary(name = "unchecked", binary = ":server", check = "true", profile = "@small")
bolt_binary(name = "misspelt", binary = ":server", on_failure = "stop", profile = "@small")
END
build --@prodpgo//:min_match=0 --action_env=WORD=given //:checked
build --@prodpgo//:min_match=0 --disk_cache="$PWD/disk" //:kept
says "pgo: warning:"
says "(in CMake: BOLT_ON_FAILURE error; in Bazel: on_failure = 'error')"
! is_bolted source/bazel-bin/kept || fail "keeps what failed the check"
# What is kept after a failure is in no shared cache: the failure may be of one machine, at one time.
must_bazel clean
build --@prodpgo//:min_match=0 --disk_cache="$PWD/disk" //:kept
spawns 1 "^PgoBolt [^ ]*(sandbox|local)"
says "pgo: warning:"
must_fail build --@prodpgo//:min_match=0 //:stopped
says "pgo: error:"
must_fail build //:unchecked
says "ProdPGO: //:unchecked: check 'true' has no {} for the path of the program to check"
must_fail build //:misspelt
says "ProdPGO: //:misspelt: on_failure must be keep, keep-stale or error, not stop"

# Inferred counts, for a program with a compile profile.
sed -i 's/"evidence": "software-branch-records"/"evidence": "pc-samples"/' source/pgo.lock
build --@prodpgo//:min_match=0 //:server.bolted
says "ProdPGO: warning: //:server.bolted: the counts of the BOLT profile small.fdata of pgo.lock were inferred from PC samples \
and //:server is built with a compile profile: with inferred counts, BOLT increased the taken branches of two of three such \
programs, with any number of samples. Record branches (perf record -b, or pgo record --engine step), or add allow_inferred = True \
to use it anyway. Building without BOLT; --@prodpgo//:required makes this an error."
! is_bolted $bolted || fail "uses it"
# Without one, what counts is the quality.
sed -i 's/bolt = True, profile = "@small"/bolt = True/' source/BUILD.bazel
build --@prodpgo//:min_match=0 //:server.bolted
says "ProdPGO: warning: //:server.bolted: the counts of the BOLT profile small.fdata of pgo.lock were inferred from PC samples \
(quality unknown), with which BOLT may make a program slower. Record branches or more samples, or add allow_inferred = True to use \
it anyway. Building without BOLT; --@prodpgo//:required makes this an error."
! is_bolted $bolted || fail "uses it"
sed -i 's/bolt = True,/bolt = True, profile = "@small",/' source/BUILD.bazel
sed -i 's/name = "server.bolted"/allow_inferred = True, &/' source/BUILD.bazel
build --@prodpgo//:min_match=0 //:server.bolted
is_bolted $bolted

# Without llvm-bolt, or relocations.
nowhere="--repo_env=PRODPGO_LLVM_BOLT=/nowhere/llvm-bolt"
no_program="//:server.bolted: PRODPGO_LLVM_BOLT is /nowhere/llvm-bolt, which does not exist. Install it (Debian: bolt-22) and run bazel sync --configure, or name it: \
--repo_env=PRODPGO_LLVM_BOLT=/path/to/llvm-bolt"
build --@prodpgo//:min_match=0 $nowhere //:server.bolted
says "ProdPGO: warning: $no_program. Building without BOLT; --@prodpgo//:required makes this an error."
! is_bolted $bolted || fail "is BOLTed"
must_fail build $required $nowhere //:server.bolted
says "ProdPGO: $no_program"
sed -i 's/ bolt = True,//' source/BUILD.bazel
must_fail build $required //:server.bolted
says "ProdPGO: //:server.bolted: //:server keeps no relocations, without which llvm-bolt cannot move functions: add bolt = True to it"
