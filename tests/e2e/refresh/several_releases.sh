# pgo refresh and pgo status when two releases of one program were recorded, as in a rollout: functions that the current
# build no longer has count as not matched, as they do with one release.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"
build() { clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 "$2" -o "$1"; }
sed 's/x \* 7/x * 9/' server.c > server2.c
build server2 server2.c
"$pgo" archive server2 --to builds > archive.text 2> archive.log
sed 's/static int/int/; s/step/other/g' server.c > edited.c
build edited edited.c

configure 'current-build = "edited"' '[service.queryd.gates]' 'max-overlap = 100' 'min-match = 80'
refresh 1
says 'min-match failed: the profile does not fit the current build: only ' text
record_host 2026-11-26T12 web-3 31 server2
refresh 1
says 'min-match failed: the profile does not fit the current build: only ' text
sed -i 's/min-match = 80/min-match = 1/' pgo.toml
refresh 0
grep -c ' of the samples$' text | grep -qx 2 || { cat text; fail "not of two builds"; }
status=0
"$pgo" status --max-age 5000w --min-match 80 > text 2> log || status=$?
expect "exit code of pgo status" 1 $status
grep -Eq '^queryd is due: only [0-9.]+ % of it match edited \(at least 80.0 % should\)$' text || { cat text; fail "not due"; }
