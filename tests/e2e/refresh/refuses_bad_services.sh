# pgo refresh: mistakes in pgo.toml are errors with their place, and nothing is done.
. "$(dirname "$0")/../prelude.sh"
export PRODPGO_CACHE=$work/cache

refuses() { # EXPECTED ARGUMENT...: the last line of what it says
  local status=0
  "$pgo" refresh "${@:2}" > text 2> log || status=$?
  [ "$status" = 2 ] || fail "exit code $status"
  [ "$(tail -n 1 log)" = "pgo: error: $1" ] || { cat log; fail "expected: $1"; }
  [ ! -e pgo.lock ] && [ ! -e registry ] || fail "left something"
}
with() { # LINE...: a service that has these lines
  printf '%s\n' '[service.q]' 'source = "dir:store"' 'registry = "oci-dir:registry"' "$@" > pgo.toml
}
(
  cd /
  PGO=$pgo
  "$PGO" refresh > "$work/text" 2> "$work/log" && exit 1
  grep -qxF "pgo: error: no pgo.toml was found in the current directory or above it; it names the services; 'pgo init' writes one" "$work/log"
) || fail "without pgo.toml"
: > pgo.toml
refuses "$work/pgo.toml: has no table [service.NAME]; 'pgo init -o -' shows one"
with
refuses "$work/pgo.toml:1:10: service.q: has no binaries, which all outputs but 'go' need; add binaries = 'dir:/srv/builds', say, where 'pgo archive' keeps releases"
refuses "--service r: $work/pgo.toml has no table [service.r]; did you mean q?" --service r
with 'binaries = "gs://builds"'
mkdir store
refuses "$work/pgo.toml:4:12: service.q.binaries: gs://builds: names no archive; name a path, dir:PATH, oci-dir:PATH, oci://HOST/REPOSITORY, s3://BUCKET/PREFIX, debuginfod+https://HOST, or debuginfod: (the servers in \$DEBUGINFOD_URLS)"
# A slip is refused from elsewhere, too, where paths are moved.
with 'binaries = "s3:/builds"'
mkdir -p elsewhere
(cd elsewhere && refuses "$work/pgo.toml:4:12: service.q.binaries: s3:/builds: names no archive; name a path, dir:PATH, oci-dir:PATH, oci://HOST/REPOSITORY, s3://BUCKET/PREFIX, debuginfod+https://HOST, or debuginfod: (the servers in \$DEBUGINFOD_URLS)")
with 'binaries = "builds"'
mv store away
refuses "$work/pgo.toml:2:10: service.q.source: store: there is no such file or directory; check the path; 'pgo upload' makes a directory"
mv away store
refuses "$work/pgo.toml:4:12: service.q.binaries: builds: there is no such directory; check the path; 'pgo archive' makes it"
mkdir builds
refuses "q: dir:store: found no profiles of any time; are the path and the prefix right?"
sed -i 's/oci-dir:registry/oci-dir:registry:latest/' pgo.toml
refuses "$work/pgo.toml:3:12: service.q.registry: oci-dir:registry:latest names a version; leave out the tag and the digest: each run makes a tag"
with 'binaries = "builds"' 'outputs = ["llvm", "llvm-text"]'
refuses "$work/pgo.toml:1:10: service.q: two outputs are for the same compiler; choose one form"
with 'binaries = "builds"' 'outputs = ["llvm", "bolt"]' 'blend-previous = 1'
refuses "$work/pgo.toml:1:10: service.q: blend-previous makes a new compile profile each time, and compile-profile keeps one; write compile-profile = 'renew', or leave blend-previous out"
with 'binaries = "builds"' 'outputs = "gcc"' 'blend-previous = 1'
refuses "$work/pgo.toml:1:10: service.q: blend-previous is for LLVM profiles; leave it out"
gate() { # OUTPUTS LINE...: with this gate
  with 'binaries = "builds"' "outputs = $1" "${@:2}"
}
gate '"bolt"' 'gates = { min-overlap = 90 }'
refuses "$work/pgo.toml:1:10: service.q: the gate min-overlap needs a profile for clang or GCC, and outputs names none; leave it out; min-samples limits all profiles"
gate '["bolt", "go"]' 'gates = { min-density = 90 }'
refuses "$work/pgo.toml:1:10: service.q: the gate min-density needs a profile for clang or GCC, and outputs names none; leave it out; min-samples limits all profiles"
gate '"gcc"' 'current-build = "b"' 'gates = { min-match = 90 }'
refuses "$work/pgo.toml:1:10: service.q: the gate min-match is for LLVM profiles; leave it out"
gate '"llvm"' 'gates = { min-match = 90 }'
refuses "$work/pgo.toml:1:10: service.q: the gate min-match needs current-build, which is not set; name the program as it is built now, with its libraries"
with 'last = "week"'
refuses "$work/pgo.toml:4:8: service.q.last is 'week'; expected a duration such as '6h', '7d' or '2w'"
