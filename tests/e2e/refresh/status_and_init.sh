# pgo init writes a pgo.toml that pgo refresh reads; pgo status says whether a profile is due, by exit code.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"

status() { # EXPECTED_EXIT_CODE [ARGUMENT]...
  local expected=$1 status=0
  shift
  "$pgo" status "$@" > text 2> log || status=$?
  [ "$status" = "$expected" ] || { cat text log; fail "exit code $status, and not $expected, of pgo status $*"; }
}

# A pgo.toml that is there already stays.
cp pgo.toml before.toml
"$pgo" init queryd > text 2> log && fail "replaced pgo.toml"
says "pgo: error: pgo.toml: already exists; 'pgo init NAME -o - >> pgo.toml' adds a service to it" log
cmp pgo.toml before.toml
rm pgo.toml
"$pgo" init queryd --source dir:store --binary-from dir:builds --registry oci-dir:registry > text 2> log
says "pgo: pgo.toml: fill in where profiles, releases and versions are; then run 'pgo refresh --dry-run'" log
"$pgo" init queryd -o - > printed.toml
says 'source = "s3://profiles/queryd"' printed.toml
status=0
"$pgo" init 'a b' -o - > text 2> log || status=$?
expect "exit code" 2 $status
says "pgo: error: 'a b' is not a valid service name: at most 128 letters, digits, '_', '.', '-' and '+'" log
# Another service is added as the message of an existing pgo.toml says.
cp pgo.toml two.toml
"$pgo" init query.d+2 -o - >> two.toml 2> log
"$pgo" refresh --config two.toml --service query.d+2 --dry-run > text 2> log || true
says 'service.query.d+2.registry: oci://registry.example.com/profiles/query.d+2: the name of a repository' log
# The recordings are of other names and other weeks than those of the template, and of two hosts.
sed -i -e 's/{host}.pb.gz/{host}.data/' -e '/^last/d' -e 's/min-hosts = 3/min-hosts = 2/' pgo.toml

status 1
says 'queryd is due: nothing is pinned' text
refresh 0
digest=$(locked - manifest)
status 0 --max-age 5000w
says "queryd 2026-11-26T12:00:00Z" text
says "- ok ${digest:0:19}" text
status 1 --max-age 1s
grep -Eq '^queryd is due: it was recorded until 2026-11-26T12:00:00Z, [0-9dhm ]+ ago$' text || { cat text; fail "no age"; }

# With a build: this one matches, and one with other lines does not.
sed -i 's|^# current-build = .*|current-build = "unstripped"|' pgo.toml
status 0 --max-age 5000w
says '100.0 % ok' text
mv unstripped built
status 0 --max-age 5000w
says 'unstripped, named by current-build, does not exist; build it first' text
says "- not checked ${digest:0:19}" text
status 2 --max-age 5000w --min-match 80
mv built unstripped
sed 's/static int/int/; s/step/other/g; s/  for (int/  if (sum) return 1;\n  for (int/' server.c > other.c
clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 other.c -o other
sed -i 's|"unstripped"|"other"|' pgo.toml
status 1 --max-age 5000w --json
python3 - << 'END'
import json
(profile,) = json.load(open("text"))["profiles"]
assert profile["name"] == "queryd" and profile["match_rate"] < .5 == profile["min_match"], profile
assert profile["due"][0].endswith("of it match other (at least 50.0 % should)"), profile
END
status 0 --max-age 5000w --min-match 0
sed -i 's/^# min-match = 80/min-match = 0/' pgo.toml
status 0 --max-age 5000w
status 1 --max-age 5000w --min-match 80
status 2 --max-age soon
says 'pgo: error: --max-age soon: expected a duration such as 6h, 14d or 2w' log

# A service that cannot be judged does not hide the others.
cat > pgo.toml << 'TOML'
[service.broken]
source = "dir:store"
binaries = "dir:builds"
registry = "oci-dir:registry"
lock = "broken.lock"
current-build = "server.c"
[service.queryd]
source = "dir:store"
binaries = "dir:builds"
registry = "oci-dir:registry"
TOML
sed 's/"queryd"/"broken"/' pgo.lock > broken.lock
status 2 --max-age 5000w
says 'pgo: error: broken: server.c: ' log
says "- ok ${digest:0:19}" text
status 2 --max-age 5000w --json
python3 - << 'END'
import json
queryd, broken = json.load(open("text"))["profiles"]
assert queryd["name"] == "queryd" and queryd["due"] == [], queryd
assert broken["name"] == "broken" and broken["error"]["message"].startswith("broken: server.c: "), broken
END
status 2 --service broken
expect "table" "" "$(cat text)"
