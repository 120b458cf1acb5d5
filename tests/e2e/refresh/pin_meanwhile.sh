# pgo refresh pins nothing if the pinned version changed while it worked: a rollback that is made meanwhile stays.
. "$(dirname "$0")/../prelude.sh"
need "$llvm/perf2bolt"
. "$here/archive_prelude.sh"
clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 -Wl,--emit-relocs server.c -o server
cp server server.debug # not stripped, so it needs none
. "$here/refresh_prelude.sh"

configure 'outputs = ["llvm", "bolt"]' '[service.queryd.gates]' 'max-overlap = 100'
refresh 0
first=$(locked - manifest)
record_host 2026-11-26T15 web-3 29
refresh 0
second=$(locked - manifest)
[ "$second" != "$first" ] || fail "the same version"

# perf2bolt runs in the middle.
cat > meanwhile << SCRIPT
#!/bin/sh
[ -e once ] || { : > once; "$pgo" pin queryd --previous > pin.text 2>&1 || exit 1; }
exec "$llvm/perf2bolt" "\$@"
SCRIPT
chmod +x meanwhile
record_host 2026-11-26T16 web-3 23
cp summary.md before.md
refresh 2 --perf2bolt ./meanwhile
says "pgo: error: queryd: pgo.lock: the pinned version of queryd changed meanwhile: it was $second, and now it is $first; run this again" log
expect "pinned" "$first" "$(locked - manifest)"
cmp summary.md before.md
refresh 0
says "(was $first)" text
