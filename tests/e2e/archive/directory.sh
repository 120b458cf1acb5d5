# pgo archive into a directory: a recording gives its profile, and an address its line, with only the archive left.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
need "$llvm/llvm-symbolizer"

record_server
python3 "$here/address_pprof.py" unstripped addresses.pb own

archive server --debug-file server.debug --to archive
executable=archive/.build-id/${build_id:0:2}/${build_id:2}
expect "what is printed" "executable  $build_id  $executable
debug  $build_id  $executable.debug" "$(cat text)"
grep -F "pgo: archive: build $build_id: archived 2 files (" log
cmp server "$executable"
cmp server.debug "$executable.debug"

# From anywhere, again: nothing changes.
find archive -type f -printf '%p %i %T@\n' | sort > before
archive server --debug-file server.debug --to "dir:$PWD/archive" --json
expect "the message" "pgo: dir:$PWD/archive: build $build_id: is already there" "$(cat log)"
python3 - "$build_id" << 'END'
import json, sys
result = json.load(open("text"))
assert result["build_id"] == sys.argv[1] and not any(file["new"] for file in result["files"]), result
END
find archive -type f -printf '%p %i %T@\n' | sort | cmp - before

check_two_jobs races/
# Only the archive is left.
address=0x$(llvm-readelf-22 -s unstripped | awk '$8 == "step" { print $2 }')
mkdir elsewhere
mv archive server.perf addresses.pb expected.proftext elsewhere
rm server server.debug unstripped
cd elsewhere
"$pgo" convert server.perf --binary "$executable" --debug-root archive -o llvm-text:found.proftext 2> convert.log ||
  { cat convert.log; fail "cannot convert with the archive"; }
cmp expected.proftext found.proftext

# By build ID: each command that takes --binary, and does not merge.
check_binary_from archive
mkdir empty
status=0
"$pgo" convert server.perf --binary-from empty -o llvm-text:by_id.proftext 2> log || status=$?
expect "exit code" 2 $status
grep -F "pgo: error: empty: no file has one of the build IDs that were sampled:" log
grep -F "  $build_id  $work/server" log
grep -x "  'pgo archive' in the release job keeps such files; --binary names one that you have" log
"$pgo" convert - --binary-from archive -o a.proftext < server.perf 2> log && fail "reads standard input twice"
grep -F "standard input cannot be read twice, for its build IDs (--binary-from) and for its samples; write it to a file first" log
"$pgo" show server.perf --binary "$executable" --debug-root archive > shown 2> log
"$pgo" show server.perf --binary-from archive 2> log | cmp shown
for command in "diff addresses.pb addresses.pb" "cost addresses.pb"; do
  "$pgo" $command --binary "$executable" --debug-root archive > shown 2> log
  "$pgo" $command --binary-from archive 2> log | cmp shown
done
"$llvm/llvm-symbolizer" --debug-file-directory=archive "BUILDID:$build_id $address" > symbolized
grep -F server.c:1 symbolized > line || { cat symbolized; fail "llvm-symbolizer does not find the debug file"; }

# Mistakes that nobody could put right later.
clang-22 -g -fuse-ld=lld -Wl,--build-id=none ../server.c -o none
clang-22 -g -fuse-ld=lld -Wl,--build-id=0x00112233445566778899 ../server.c -o other
refuses() { # EXPECTED ARGUMENT...
  local status=0
  "$pgo" archive "${@:2}" > text 2> log || status=$?
  expect "exit code" 2 $status
  expect "error" "pgo: error: $1" "$(cat log)"
}
refuses "none: has no build ID, and archives name files by build ID; link with -Wl,--build-id" none --to archive
refuses "other (00112233445566778899): is not the debug file of $executable ($build_id); give the one of the same build" \
  "$executable" --debug-file other --to archive
refuses "gs://builds: names no archive; name a path, dir:PATH, oci-dir:PATH, oci://HOST/REPOSITORY, or s3://BUCKET/PREFIX" \
  "$executable" --to gs://builds
# Slips are no directories. A directory with a ':' in its name has a prefix.
for slip in s3:/builds oci:builds/server OCI://host/builds; do
  refuses "$slip: names no archive; name a path, dir:PATH, oci-dir:PATH, oci://HOST/REPOSITORY, or s3://BUCKET/PREFIX" \
    "$executable" --to $slip
done
archive "$executable" --to dir:a:b
[ -e "a:b/.build-id" ] || fail "does not archive to a directory with a ':' in its name"
cannot_read() { # EXPECTED ARCHIVE
  "$pgo" convert server.perf --binary-from "$2" -o llvm-text:by_id.proftext 2> log && fail "reads $2"
  expect "error" "pgo: error: $1" "$(cat log)"
}
cannot_read "s3:/builds: names no archive; name a path, dir:PATH, oci-dir:PATH, oci://HOST/REPOSITORY, s3://BUCKET/PREFIX, debuginfod+https://HOST, or debuginfod: (the servers in \$DEBUGINFOD_URLS)" \
  s3:/builds
cannot_read "nowhere: there is no such directory; check the path; 'pgo archive' makes it" nowhere
