# pgo refresh for a Go service: default.pgo is what pgo merge makes of the profiles, no archive is needed, and the
# current build is asked which Go built it.
. "$(dirname "$0")/../prelude.sh"
. "$here/go_prelude.sh"
need python3
export PRODPGO_CACHE=$work/cache

mkdir -p store/2026-11-26T10
for host in 1 2; do
  ./busy profile=1
  mv 0.pb.gz "store/2026-11-26T10/web-$host.pb.gz"
done
cat > pgo.toml << 'TOML'
[service.api]
source = "store"
path-template = "{hour}/{host}.pb.gz"
outputs = "go"
registry = "oci-dir:registry"
current-build = "busy"
[service.api.gates]
min-quality = "weak"
evidence = "pc-samples"
TOML
refresh() { "$pgo" refresh > text 2> log || { cat text log; fail "pgo refresh"; }; }
refresh
grep -q '^api: pinned to sha256:' text
grep -Eq "^  go-version +$(go env GOVERSION) +at least go1.21 +ok$" text || { cat text; fail "no version of Go"; }
gates=$(grep -oE '^  (evidence|go-version|min-quality) ' text | xargs)
[ "$gates" = "evidence go-version min-quality" ] || fail "another order of gates: $gates"
"$pgo" merge store -o default.pgo 2> merge.log
"$pgo" pull --locked -o pulled > pull.text 2> pull.log
cmp default.pgo pulled/default.pgo
refresh
grep -q '^api: nothing new' text
cp pulled/default.pgo busy.go.d/default.pgo
(cd busy.go.d && go build -o ../optimized .) || fail "go build with this profile"

# Without go, the version is not known; that keeps nothing from being pinned.
rm pgo.lock
mkdir bin
for tool in /bin/* /usr/bin/*; do [ "${tool##*/}" = go ] || ln -sf "$tool" bin/; done
PATH=$work/bin refresh
grep -Eq '^  go-version +- +at least go1.21 +not checked$' text || { cat text; fail "the version is known"; }
grep -qxF '  go-version was not checked: go is not installed, so the Go version of the current build is not known' text
