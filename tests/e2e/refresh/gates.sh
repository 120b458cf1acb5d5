# pgo refresh: a gate that fails pins nothing, and says its threshold and the reason.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"

refuses() { # TEXT LINE...
  configure '[service.queryd.gates]' "${@:2}"
  refresh 1
  says 'queryd: refused: 1 gate failed; nothing is pinned' text
  says "$1" text
  [ ! -e pgo.lock ] && [ ! -e registry ] && [ ! -e summary.md ] || fail "something is pinned"
}
refuses 'min-hosts failed: too few hosts have profiles to represent all; do the others upload theirs?' 'min-hosts = 3'
says 'min-hosts    2        at least 3' text
configure '[service.queryd.gates]' 'min-hosts = 1'
sed -i 's/^path-template = .*/path-template = "{host}.pb.gz"/' pgo.toml
refresh 1
says 'min-hosts    0        at least 1' text
says "min-hosts failed: pgo does not know the hosts of the profiles; if the paths of the profiles have the host's name, write {host} for it in path-template" text
refuses 'min-samples failed: there are too few samples; record more hosts or a longer time' 'min-samples = 1e9'
refuses 'min-density failed: hot functions have too few counts' 'min-density = 1e9'
refuses 'evidence failed: the profiles were not recorded in the way that the gate asks for' 'evidence = "branch-records"'
says 'evidence     software branch records  branch records' text

# What pgo fetch warns of.
head -c 100 store/2026-11-26T10/web-1.data > store/2026-11-26T10/web-9.data
configure
refresh 0 --dry-run --report report.json
says 'pgo: warning: queryd: 1 of 4 profiles is missing (1 damaged); the first: dir:store: 2026-11-26T10/web-9.data' log
python3 -c 'import json; (service,) = json.load(open("report.json"))["services"]
assert [warning["kind"] for warning in service["warnings"]] == ["missing", "stratum-without-profile"], service["warnings"]'
rm store/2026-11-26T10/web-9.data

# The limits of [fetch] count as well.
printf '\n[fetch]\nmin-hosts = 5\n' >> pgo.toml
refresh 1
says 'fetch failed: ' text

# The build of the working tree: this one matches, another program does not.
configure 'current-build = "unstripped"' '[service.queryd.gates]' 'min-match = 80'
refresh 0 --dry-run
grep -Eq '^  min-match +100.0 % +at least 80.0 % +ok$' text || { cat text; fail "no match rate"; }
cat > other.c << 'SOURCE'
int main(int argc, char** argv) { return argc > 3 ? argv[1][0] : 0; }
SOURCE
clang-22 -O2 -g -fuse-ld=lld -Wl,--build-id=sha1 other.c -o other
sed -i 's/"unstripped"/"other"/' pgo.toml
refresh 1
says 'min-match failed: the profile does not fit the current build: only ' text
# A weekly job that builds nothing has no current build.
for gates in '' '[service.queryd.gates]
min-match = 80'; do
  configure 'current-build = "build/queryd"' "$gates"
  refresh 0 --dry-run
  says 'min-match was not checked: build/queryd, named by current-build, does not exist; build it first' text
done
configure '[service.queryd.gates]' 'min-overlap = 80'
refresh 0
says 'min-overlap was not checked: nothing is pinned to compare with' text

# The overlap with what is pinned does not depend on inlining: the first release with a profile inlines differently.
pinned=$(locked - manifest)
sed 's/__attribute__((noinline))//' server.c > inlined.c
clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 inlined.c -o inlined
"$pgo" archive inlined --to builds > archive.text 2> archive.log
mv store recorded
record_host 2026-11-26T12 web-1 31 inlined
configure
refresh 0 --dry-run --report report.json
grep -Eq '^  min-overlap +[0-9.]+ % +at least 50.0 % +ok$' text || { cat text; fail "inlining changes the overlap"; }
python3 -c 'import json; (service,) = json.load(open("report.json"))["services"]
assert service["overlap_with_pinned"] < .5 < service["code_overlap_with_pinned"], service'

# Another program has none.
cat > other.c << 'SOURCE'
static int __attribute__((noinline)) work(int x) { return x & 1 ? x * 3 : x / 2; }
int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 100000; i++) sum += (unsigned)work(i);
  return sum == 0;
}
SOURCE
clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 other.c -o other
"$pgo" archive other --to builds > archive.text 2> archive.log
rm -r store
record_host 2026-11-27T10 web-1 31 other
configure '[service.queryd.gates]' 'min-overlap = 90'
refresh 1
grep -Eq '^  min-overlap +[0-9.]+ % +at least 90.0 % +FAILED$' text || { cat text; fail "no overlap"; }
says 'min-overlap failed: the profile differs much from the pinned one, so it may not be representative' text
expect "pinned" "$pinned" "$(locked - manifest)"

# A build that is not archived.
rm -r builds/.build-id
refresh 2
grep -Eq "^pgo: error: queryd: no build that was recorded is archived; the build [0-9a-f]+ has 9[0-9]\.[0-9] % of the samples; looked in: dir:builds; 'pgo archive' keeps the files of a release$" log ||
  { cat log; fail "does not name the build"; }
