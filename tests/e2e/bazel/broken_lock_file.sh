# pgo.lock files that are broken: the error says which file, what is wrong with it, and what to do.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"

workspace source
sources source
cat > source/BUILD.bazel << 'END'
load("@prodpgo//:defs.bzl", "cc_pgo_binary")
cc_pgo_binary(name = "server", srcs = ["main.cc", "lib/scale.c"], profile = "@small")
END
refuses_lock() { must_fail build //:server; says "ProdPGO: $1"; }
printf '{\n<<<<<<< ours\n"version": 1\n' > source/pgo.lock
refuses_lock "pgo.lock has conflict markers of a merge: keep one side of each entry, or pin it again"
echo '{"version": 2, "profiles": {}}' > source/pgo.lock
refuses_lock "pgo.lock has version 2, and this package reads version 1: update ProdPGO"
echo '{"profiles": []}' > source/pgo.lock
refuses_lock 'pgo.lock is not a lock file: it has no "version" and "profiles"; pgo pin writes it'
printf '{"version": 1,\n "profiles": {"small": {}\n' > source/pgo.lock
refuses_lock "pgo.lock is not a lock file: it is not JSON (it ends too early: a comma or } is missing). Restore it, or pin the profiles again"
printf '{"version": 1\n "profiles": {}}\n' > source/pgo.lock
refuses_lock "pgo.lock is not a lock file: it is not JSON (line 2: a comma or } is missing). Restore it, or pin the profiles again"
echo '{"version": 1, "profiles": {"small": {"files": {}}}}' > source/pgo.lock
refuses_lock 'pgo.lock: profile small has no "files", or it is no list. Pin the profile again'
echo '{"version": 1, "profiles": {"small": {"files": ["x"], "reference": "r"}}}' > source/pgo.lock
refuses_lock 'pgo.lock: a file of profile small has no "digest", or it is no string. Pin the profile again'
printf '{"version": 1, "profiles": {\n    "small": {},\n    "small": {}}}' > source/pgo.lock
refuses_lock "pgo.lock has profile small twice: keep one of them, a merge may have left both"
printf 'main:1000:1\n 3: 1\n' > small.proftext
echo '{"version": 1, "profiles": {}}' > source/pgo.lock
pin small.proftext
# pgo push refuses such a version now; earlier ones made it.
python3 - source/pgo.lock <<'END'
import json, sys

lock = json.load(open(sys.argv[1]))
files = lock["profiles"]["small"]["files"]
files.append({**files[0], "name": "again.proftext"})
json.dump(lock, open(sys.argv[1], "w"))
END
refuses_lock "pgo.lock: two files of profile small are for clang: pin them as two profiles, or merge them: pgo convert takes any \
number of recordings"
