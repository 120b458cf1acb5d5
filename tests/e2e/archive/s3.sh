# pgo archive into a store of S3: objects PREFIX/<build ID>/{executable,debug}, written once.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/archive_prelude.sh"
record_server
start_moto
s3_make builds

# Larger than a part.
head -c 9000000 /dev/zero >> server.debug
to=s3://builds/server
archive server --debug-file server.debug --to $to
expect "what is printed" "executable  $build_id  $to/$build_id/executable
debug  $build_id  $to/$build_id/debug" "$(cat text)"
grep -F "pgo: $to: build $build_id: archived 2 files (9." log
s3_python "$build_id" << 'END'
import hashlib, sys
for name, kind in ("server", "executable"), ("server.debug", "debug"):
    answer = s3.get_object(Bucket="builds", Key=f"server/{sys.argv[1]}/{kind}")
    local = open(name, "rb").read()
    assert answer["Body"].read() == local
    assert answer["Metadata"] == {"sha256": hashlib.sha256(local).hexdigest()}, answer["Metadata"]
END
export PRODPGO_CACHE=$work/cache
check_binary_from $to
# From the cache: only what there is was asked for again.
check_binary_from $to
listed() { s3_objects list s3://builds; }
listed > before
archive server --debug-file server.debug --to $to
expect "the message" "pgo: warning: server.debug: its checksum is not the one in .gnu_debuglink of server, so debuggers \
find it by its build ID only
pgo: $to: build $build_id: is already there" "$(cat log)"
listed | cmp - before

# Another file of this build ID.
cp server changed
printf 'x' >> changed
! "$pgo" archive changed --to $to > text 2> log || fail "replaces what was released"
grep -F "$to/$build_id/executable (sha256:$(sha256sum < server | cut -d ' ' -f 1)): has the build ID of changed (" log
listed | cmp - before
# Other bytes of the same size, which another tool wrote without a digest.
s3_python "$build_id" << 'END'
import sys
for name, kind in ("server", "executable"), ("server.debug", "debug"):
    contents = bytearray(open(name, "rb").read())
    if kind == "debug":
        contents[-1] ^= 1
    s3.put_object(Bucket="builds", Key=f"server/{sys.argv[1]}/{kind}", Body=bytes(contents))
END
! "$pgo" archive server --debug-file server.debug --to $to > text 2> log || fail "takes another file of the same size for this one"
grep -F "$to/$build_id/debug (sha256:" log
archive server --to $to
grep -F "pgo: $to: build $build_id: is already there" log
! "$pgo" archive server --to s3://missing > text 2> log || fail "archives in no bucket"
grep -F "there is no bucket 'missing' at $AWS_ENDPOINT_URL (404 NoSuchBucket)" log
stop_servers
