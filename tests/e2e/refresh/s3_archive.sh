# pgo refresh finds the releases of a service in a store of S3, with their debug files: an archive that has other services'
# releases, too.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"
start_moto
s3_make builds
"$pgo" convert store --binary unstripped -o llvm:expected.prof 2> convert.log
rm -r builds
sed -i 's|dir:builds|s3://builds/queryd|' pgo.toml

# Nothing is archived.
refresh 2
grep -Eq "^pgo: error: queryd: no build that was recorded is archived; the build $build_id has 9[0-9]\.[0-9] % of the samples; looked in: s3://builds/queryd; 'pgo archive' keeps the files of a release$" log || { cat log; fail "does not name the build"; }

"$pgo" archive server --debug-file server.debug --to s3://builds/queryd > archive.text 2> archive.log
sed 's/x \* 7/x * 9/' server.c > other.c
clang-22 -O2 -g -fuse-ld=lld -Wl,--build-id=sha1 other.c -o other
"$pgo" archive other --to s3://builds/queryd > archive.text 2> archive.log
refresh 0
grep -Eq "$build_id, 9[0-9]\.[0-9] % of the samples$" text || { cat text; fail "does not name the build"; }
cmp expected.prof "$(blob "$(locked llvm digest)")"
kept() { tree | grep -v 'moto.log'; } # the server writes into its log
kept > tree.before
refresh 0
says 'queryd: nothing new' text
kept | cmp - tree.before

# Another store that does not let us in: an error, and nothing changes.
AWS_SECRET_ACCESS_KEY=wrong refresh 2
says "s3://builds/queryd" log
grep -qF 'the secret key is wrong (403 SignatureDoesNotMatch)' log || { cat log; fail "does not say why"; }
kept | cmp - tree.before
stop_servers
