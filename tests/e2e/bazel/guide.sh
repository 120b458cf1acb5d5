# The first steps of docs/guide/bazel.md, as they are written there, with Debian's Bazel and an installation.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"

mkdir -p prefix/bin prefix/share/prodpgo source
cp -r "$here/../../bazel" prefix/share/prodpgo/bazel
ln -s "$pgo" prefix/bin/pgo
guide=$here/../../docs/guide/bazel.md
# between FIRST LAST: the first lines of the guide from one that begins with FIRST to one that has LAST.
between() { sed -n "/^ *$1/,/$2/{s|/usr/share/prodpgo|$work/prefix/share/prodpgo|; s/^ *//p; /$2/q}" "$guide"; }
between 'local_repository(' 'prodpgo.profile' > source/WORKSPACE
{ between 'cp -rL' '^ *END$' && grep 'echo .{"profiles"' "$guide"; } > steps
echo 'common --repo_env=CC=clang-22' >> source/.bazelrc
(cd source && HOME=$work bash -e ../steps) || { cat steps; fail "the steps fail"; }
sources source
sed -n '/^    load/,/^    bolt_binary/s/^    //p' "$guide" > source/BUILD.bazel
echo 'load("@rules_cc//cc:defs.bzl", "cc_library")
cc_library(name = "engine", srcs = ["lib/scale.c"])' >> source/BUILD.bazel

must_bazel build -c opt --jobs=2 //:server
says "ProdPGO: warning: //:server: profile server has no file for clang: pgo.lock has no profile server"
printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > small.proftext
"$pgo" push small.proftext "oci-dir:$work/profiles:1" > pushed 2> push.log
"$pgo" pin server "oci-dir:$work/profiles:1" --lock source/pgo.lock > pushed 2> push.log
must_bazel build -c opt --jobs=2 //:server
"$pgo" show source/bazel-bin/server > shown
says "sha256:$(digest_of small.proftext)" shown
says "can be optimized" shown
(cd source && "$pgo" match bazel-bin/server --profile 'pgo.lock#server' --min-match 0) > matched || { cat matched; fail "cannot match"; }
says "the one that the binary was built with" matched

# Only what needs the files fetches them: queries of all configurations do.
rm -rf cache profiles
sed -i 's/^/ /' source/pgo.lock
must_bazel cquery -c fastbuild 'deps(//:server)'
must_fail query 'deps(//:server)'
says "ProdPGO: pgo pull --locked --lock pgo.lock server failed"
bazel query --keep_going 'deps(//:server)' || true
says "//:engine" bazel.out
# Without the lock file, Bazel's own error names it.
rm source/pgo.lock
must_fail build -c opt //:server
says "Not a regular file: $work/source/pgo.lock"
