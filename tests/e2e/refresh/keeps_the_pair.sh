# pgo refresh with a BOLT profile: the pinned compile profile stays while it fits, and the BOLT profile is replaced by
# that of the build that production runs; with compile-profile = "renew", both are new.
. "$(dirname "$0")/../prelude.sh"
need clang-22 "$llvm/perf2bolt"
. "$here/archive_prelude.sh"
build() { # OUTPUT SOURCE
  clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 -Wl,--emit-relocs "$2" -o "$1"
}
build server server.c
cp server server.debug # not stripped, so it needs none
. "$here/refresh_prelude.sh"

configure 'outputs = ["llvm", "bolt"]' 'configuration = "clang"' 'current-build = "server"'
refresh 0
first=$(locked llvm digest)
bolt=$(locked bolt digest)
expect "configuration" clang "$(locked bolt configuration)"
build_id=$(id_of server)
expect "build of the BOLT profile" "$build_id" "$(locked bolt bolt_of)"
says "  BOLT profile    of $build_id" text
# No note says that this build was made with a compile profile, so builds with one are not matched with it.
expect "recorded build" none "$(locked prebolt path)"
says 'until then, builds may warn that the BOLT profile is of another build' log
"$pgo" convert store --binary server -o fdata:expected.fdata 2> convert.log
cmp expected.fdata "$(blob "$bolt")"

# Production runs the next build.
sed 's/x \* 7/x * 9/' server.c > server2.c
build server2 server2.c
"$pgo" archive server2 --to builds > archive.text 2> archive.log
rm -r store
record_host 2026-11-27T10 web-1 31 server2
refresh 0
expect "compile profile" "$first" "$(locked llvm digest)"
says '  compile profile  kept: it still fits' text
second_id=$(id_of server2)
expect "build of the BOLT profile" "$second_id" "$(locked bolt bolt_of)"
expect "quality of the kept profile" good "$(locked llvm quality)"
tree > tree.before
refresh 0
says 'queryd: nothing new' text
tree | cmp - tree.before

# A file that no build reads is lost: the pinned compile profile stays, and is compared with, all the same.
bundle=$(python3 -c 'import json, sys
print(*[layer["digest"] for layer in json.load(open(sys.argv[1]))["layers"] if "bundle" in layer["mediaType"]])' "$(blob "$(locked - manifest)")")
pinned=$(locked - manifest)
rm "$(blob "$bundle")"
refresh 0
says "does not have bundle.json of the pinned version $pinned any more" log
says "queryd: pushed $pinned again" text
says '  compile profile  kept: it still fits' text
says 'min-overlap' text
[ -f "$(blob "$bundle")" ] || fail "the bundle is not there again"

# pgo status judges the pinned compile profile as the next run does: by the gate min-match, or what its kind lets expect.
judged() { # STATUS WHAT_REFRESH_SAYS BUILD [LINE OF GATES]
  local status=0
  configure 'outputs = ["llvm", "bolt"]' 'configuration = "clang"' "current-build = \"$3\"" '[service.queryd.gates]' "${@:4}"
  "$pgo" status --max-age 5000w > text 2> log || status=$?
  expect "exit code of pgo status, $3 $*" "$1" $status
  refresh "$1" --dry-run
  says "  compile profile  $2" text
}
sed 's/static int/int/; s/step/other/g' server.c > edited.c
build edited edited.c
sed 's/  for (int/  if (sum) return 1;\n  for (int/' edited.c > other.c
build other other.c
record_host 2026-11-27T11 web-1 37 server2
judged 0 'kept: it still fits' edited
judged 1 'new: only ' edited 'min-match = 80'
judged 1 'new: only ' other
judged 0 'kept: it still fits' other 'min-match = 0'
rm store/2026-11-27T11/web-1.data

# Both builds at once: the compile profile is of both, the BOLT profile of the one with the most samples.
configure 'outputs = ["llvm", "bolt"]' 'compile-profile = "renew"' '[service.queryd.gates]' 'max-overlap = 100'
record_host 2026-11-27T11 web-1 7 server
record_host 2026-11-27T12 web-1 11 server
refresh 0
[ "$(locked llvm digest)" != "$first" ] || fail "the compile profile is still the old one"
expect "build of the BOLT profile" "$build_id" "$(locked bolt bolt_of)"
says 'the compile profile is new, and the BOLT profile is of a build that was made without it' log
"$pgo" convert store --binary server --binary server2 -o llvm:expected.prof 2> convert.log
cmp expected.prof "$(blob "$(locked llvm digest)")"

# Each is judged by its own counts: all samples are enough for a limit that those of one build do not reach.
configure 'outputs = ["llvm", "bolt"]' '[service.queryd.gates]' 'max-overlap = 100' 'min-samples = 1'
record_host 2026-11-27T13 web-1 13 server2
refresh 0 --dry-run --report report.json
says 'min-quality (bolt) good at least fair ok' text
all=$(python3 -c 'import json; (service,) = json.load(open("report.json"))["services"]
print("".join(c for gate in service["gates"] if gate["name"] == "min-samples" for c in gate["found"] if c.isdigit()))')
sed -i "s/min-samples = 1$/min-samples = $all/" pgo.toml
refresh 1
says 'refused: 1 gate failed' text
says 'min-samples (bolt) failed: there are too few samples' text
rm report.json

# The recorded build says by its note which compile profile it was built with: with the pinned one, that stays; with
# another one, the pair is new.
noted() { # OUTPUT DIGEST: server2 as the CMake package would have built it
  python3 - "$2" << 'END'
import json, struct, sys
text = json.dumps({"name": "queryd", "profile": sys.argv[1]}).encode()
open("note", "wb").write(struct.pack("<3I", 8, len(text), 1) + b"ProdPGO\0" + text + b"\0" * (-len(text) % 4))
END
  sed "s/x \* 9/x * $3/" server2.c > noted.c
  build "$1" noted.c
  llvm-objcopy-22 --add-section .note.prodpgo=note "$1"
  "$pgo" archive "$1" --to builds > archive.text 2> archive.log
}
configure 'outputs = ["llvm", "bolt"]' '[service.queryd.gates]' 'max-overlap = 100'
pinned=$(locked llvm digest)
noted of_pinned "$pinned" 11
noted of_other "sha256:$(printf '0%.0s' {1..64})" 13
rm -r store
record_host 2026-11-28T10 web-1 7 of_other
record_host 2026-11-28T11 web-1 11 of_other
record_host 2026-11-28T10 web-2 31 of_pinned
refresh 0
says '  compile profile  kept: the recorded build was made with it, and it is not known whether it still fits: there is no current build to compare with; current-build names one' text
expect "compile profile" "$pinned" "$(locked llvm digest)"
# The other build ran twice as much, and yet the BOLT profile is of this one.
of_pinned_id=$(id_of of_pinned)
expect "build of the BOLT profile" "$of_pinned_id" "$(locked bolt bolt_of)"
expect "recorded build" "queryd.prebolt ['$of_pinned_id']" "$(locked prebolt path) $(locked prebolt of_builds)"
rm store/*/web-2.data
refresh 0
says '  compile profile  new: the recorded build was made with another compile profile than the pinned one' text
[ "$(locked llvm digest)" != "$pinned" ] || fail "the compile profile is still the old one"
expect "build of the BOLT profile" "$(id_of of_other)" "$(locked bolt bolt_of)"

# A build with the pinned profile that hardly ran yet, as a canary, is not preferred.
sed -i 's/i < 100000/i < 60/' server2.c
noted canary "$(locked llvm digest)" 17
record_host 2026-11-28T12 web-3 7 canary
refresh 0
grep -Eq '^  BOLT profile +of '"$(locked bolt bolt_of)"'$' text || { cat text; fail "no BOLT profile"; }
expect "build of the BOLT profile" "$(id_of of_other)" "$(locked bolt bolt_of)"
