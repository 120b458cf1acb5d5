# pgo refresh takes stripped programs and their debug files from a debuginfod server, by build ID, with the same profile as
# from the files themselves; so does --binary-from.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/debuginfod_prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"
mkdir released
mv server.debug released
cp server released
mkdir empty
start_debuginfod empty "$work/empty"
empty_url=$debuginfod_url
start_debuginfod full "$work/released"

place=$debuginfod_url/buildid/$build_id
sed -i "s|dir:builds|debuginfod+$debuginfod_url|" pgo.toml
refresh 0
grep -Eq "$build_id, 9[0-9]\.[0-9] % of the samples$" text || { cat text; fail "does not name the build"; }
"$pgo" convert store --binary unstripped -o llvm:expected.prof 2> convert.log
cmp expected.prof "$(blob "$(locked llvm digest)")"
asked_for full > asked
grep -qx "$build_id/executable 200" asked || { cat asked; fail "does not fetch the program"; }
grep -qx "$build_id/debuginfo 200" asked || { cat asked; fail "does not fetch the debug file"; }

! grep -v "^$build_id/" asked || fail "asks for libraries of the system"

# Both are in the cache now: nothing is fetched again, and nothing is new.
refresh 0
says "nothing new" text
expect "requests for the build" 2 "$(asked_for full | grep -c "^$build_id")"

# A stripped program without its debug file; its recordings also have samples of the C library.
mkdir stripped
cp server stripped
full_url=$debuginfod_url
start_debuginfod stripped "$work/stripped"
cp pgo.toml full.toml
sed -i "s|$full_url|$debuginfod_url|" pgo.toml
PRODPGO_CACHE=$work/cache4 refresh 2
says "pgo: error: queryd: $debuginfod_url/buildid/$build_id/executable: is stripped, and debuginfod+$debuginfod_url has no debug file of it, the build $build_id; archive its debug file, too ('pgo archive --debug-file')" log
mv full.toml pgo.toml
debuginfod_url=$full_url

# The servers in the variable; the first one does not have the build.
export PRODPGO_CACHE=$work/cache2 DEBUGINFOD_URLS="$empty_url ima:enforcing $debuginfod_url/"
"$pgo" convert store --binary-from debuginfod: -o llvm:by_id.prof 2> log || { cat log; fail "does not convert"; }
cmp expected.prof by_id.prof
grep -F "pgo: build $build_id: the executable is $place/executable" log
grep -F "pgo: build $build_id: the debug file is $place/debuginfo" log

fails() { # EXPECTED ARGUMENT...
  local status=0
  "$pgo" convert store -o llvm:none.prof "${@:2}" 2> log || status=$?
  expect "exit code" 2 $status
  grep -qF "pgo: error: $1" log || { cat log; fail "does not say: $1"; }
}
DEBUGINFOD_URLS= fails "debuginfod:: \$DEBUGINFOD_URLS names no server; set it, or name a server: debuginfod+https://HOST" \
  --binary-from debuginfod:
fails "https://host/: the URL contains a user or a password; put them into ~/.netrc" \
  --binary-from debuginfod+https://me:secret@host/
! grep -q secret log || fail "shows a password"
fails "debuginfod+$empty_url: no file has one of the build IDs that were sampled:" \
  --binary-from "debuginfod+$empty_url"
! "$pgo" archive server --to debuginfod: > text 2> log || fail "archives at a server"
expect "error" "pgo: error: debuginfod:: a debuginfod server is only read; archive into a directory that it scans \
(debuginfod -F PATH)" "$(cat log)"

# Without servers, what is not in the cache is an error, and not a build that is missing.
stop_servers
export PRODPGO_CACHE=$work/cache3
fails "$debuginfod_url/buildid/$build_id/executable: cannot connect to 127.0.0.1 port ${debuginfod_url##*:}: Connection refused" \
  --binary-from "debuginfod+$debuginfod_url" --tries 1
