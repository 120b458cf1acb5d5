# Where there is no pgo, the rules are those of C++: optimized builds warn once, or stop where profiles are required. A new pgo
# gives new flags, and no other build has to be cleaned.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need python3

workspace source
sources source
sed -i "s| --repo_env=PRODPGO_PGO=[^ ]*||; s|^common --repo_env=CC=.*|& --repo_env=PATH=$work/bin:/usr/bin:/bin|" source/.bazelrc
cat > source/BUILD.bazel << 'END'
load("@prodpgo//:defs.bzl", "bolt_binary", "cc_pgo_binary")
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
cc_library(name = "scale", srcs = ["lib/scale.c"])
cc_pgo_binary(name = "server", srcs = ["main.cc"], bolt = True, profile = "@small", thin_lto = True, deps = [":scale"])
bolt_binary(name = "server.bolted", binary = ":server", profile = "@small")
cc_binary(name = "plain", srcs = ["main.cc"], deps = [":scale"])
bolt_binary(name = "plain.bolted", binary = ":plain", profile = "@small")
END
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > small.proftext
pin small.proftext
rm -rf cache
mv profiles away

must_bazel build -c fastbuild //:server.bolted
never "ProdPGO"
[ "$(source/bazel-bin/server.bolted)" = 2251164 ]
missing="//:server: pgo was not found. Put it into PATH and run bazel sync --configure, or name it: --repo_env=PRODPGO_PGO=/path/to/pgo"
must_bazel build //:server.bolted
says "ProdPGO: warning: $missing. Building as cc_binary does; --@prodpgo//:required makes this an error."
[ "$(grep -c "ProdPGO:" bazel.log)" = 1 ] || { cat bazel.log; fail "says it more than once"; }
must_bazel aquery "mnemonic('CppCompile|CppLink', deps(//:server.bolted))"
for word in -fpseudo-probe -fauto-profile -flto --emit-relocs note; do never "$word" bazel.out; done
must_fail build --@prodpgo//:required //:server
says "ProdPGO: $missing"
must_fail build --@prodpgo//:required //:plain.bolted
says "ProdPGO: //:plain.bolted: pgo was not found."
# Programs that the project names, and this machine does not have.
must_bazel build --repo_env=PRODPGO_PGO=/nowhere/pgo //:server
says "ProdPGO: warning: //:server: PRODPGO_PGO is /nowhere/pgo, which does not exist. Put it into PATH and run bazel sync \
--configure, or name it: \
--repo_env=PRODPGO_PGO=/path/to/pgo. Building as cc_binary does"
must_fail build --@prodpgo//:required --repo_env=PRODPGO_PGO="$pgo" --repo_env=PRODPGO_CC=/nowhere/clang //:server
says "ProdPGO: //:server: there is no compiler /nowhere/clang. Name the one that your C++ toolchain runs: \
--repo_env=PRODPGO_CC=/path/to/clang"
# A compiler that pgo has no flags for.
mkdir bin
printf '#!/bin/sh\n[ "$1" = flags ] || exec %s "$@"\necho "pgo: error: icx is neither clang nor GCC" >&2\nexit 2\n' "$pgo" > bin/pgo
chmod +x bin/pgo
mv away profiles
bazel shutdown
must_bazel build //:server.bolted
says "ProdPGO: warning: //:server: pgo flags --compiler /usr/bin/clang-22 failed: icx is neither clang nor GCC. Building as"
# Flags for some builds only.
printf '#!/bin/sh\ncase "$*" in *--thin-lto*) echo "pgo: error: no ThinLTO" >&2; exit 2 ;; *) exec %s "$@" ;; esac\n' "$pgo" > bin/pgo
must_bazel sync --configure
must_bazel build //:server
says "ProdPGO: warning: //:server: pgo flags --compiler /usr/bin/clang-22 failed: no ThinLTO. Building as"

# Then there is one, and then another, which chooses other flags. The server looks again when it starts, and when it is told.
cat > bin/pgo << END
#!/bin/sh
if [ "\$1" = flags ]; then "$pgo" "\$@" | sed 's/-gline-tables-only/-g/'; else exec "$pgo" "\$@"; fi
END
must_bazel sync --configure
must_bazel build //:server
never "ProdPGO:"
must_bazel aquery "mnemonic(CppCompile, deps(//:server))"
says " -g " bazel.out
sed -i 's/-g/-g2/2' bin/pgo
bazel shutdown
must_bazel aquery "mnemonic(CppCompile, deps(//:server))"
says " -g2 " bazel.out
