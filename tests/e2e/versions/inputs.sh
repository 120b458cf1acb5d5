# Versions are inputs wherever a profile is: by reference and by lock file, with a condition where several of their files
# fit. Messages name the reference, results say which digest was read, and what is in the cache needs no registry.
. "$(dirname "$0")/../perturbed_recording.sh"
. "$here/versions_prelude.sh"
need python3
with() { "$pgo" "$@" > text 2> log || { cat log; fail "cannot pgo $*"; }; }
# same_output ARGUMENT...: the command prints what is in `wanted`, but for the name of the profile.
same_output() {
  with "$@"
  diff <(sed -E 's|[^ ]*/server|server|' wanted | grep -v '^  profiles') \
    <(sed -E 's|[^ ]*/server|server|' text | grep -v '^  profiles') || fail "$*"
}

# One version with a profile of each kind.
recording_from_text plain.data < plain.txt
with convert plain.data --binary "$subject_prog" -o server.addr -o server.prof -o server.afdo --report report.json
printf 'main;scan 10\nmain;parse 30\n' > server.folded
with merge server.folded -o server.pb.gz
with push server.addr server.prof server.afdo server.pb.gz report.json oci-dir:profiles:week-48
digest=$(cat text)
version=oci-dir:profiles:week-48
with pin server $version
wanted() { "$pgo" "$@" > wanted 2> log || fail "cannot pgo $*"; }

for input in $version "oci-dir:profiles@$digest" pgo.lock#server; do
  condition='#'
  [ "$input" != pgo.lock#server ] || condition=,
  wanted merge server.prof -o wanted.prof
  with merge "$input" -o got.prof
  cmp wanted.prof got.prof
  wanted merge server.addr -o wanted.addr
  with merge "$input" -o got.addr --weight "$input=1"
  cmp wanted.addr got.addr
  with merge "$input" -o got.pb.gz
  wanted merge server.pb.gz -o wanted.pb.gz
  cmp wanted.pb.gz got.pb.gz
  with convert "$input${condition}kind=address" --binary "$subject_prog" -o got.prof --report got.json
  cmp server.prof got.prof
  python3 - "oci-dir:profiles:week-48@$digest" << 'END'
import json, sys
(one,) = json.load(open("got.json"))["provenance"]
assert sys.argv[1].replace(":week-48", "") in one["sources"][0].replace(":week-48", ""), one
END
  wanted show server.afdo
  same_output show "$input${condition}kind=gcc"
  wanted show report.json
  with show "$input${condition}file=report.json"
  wanted cost server.pb.gz
  same_output cost "$input${condition}kind=pprof"
  wanted match "$subject_prog" --profile server.prof
  with match "$subject_prog" --profile "$input${condition}kind=llvm"
  grep -qF "$input" text || { cat text; fail "match does not name the version"; }
  wanted diff server.pb.gz server.pb.gz --json
  with diff "$input${condition}kind=pprof" server.pb.gz --json
  # Of one profile on each side the verdict is inconclusive; the profile is read.
  "$pgo" verify "$input${condition}kind=pprof" server.pb.gz --binary "$subject_prog" \
    --profile "$input${condition}kind=llvm" > text 2> log || [ $? != 2 ] || { cat log; fail "cannot verify $input"; }
  grep -qF "/server.prof: cannot be compared with a build" log || { cat log; fail "verify does not read the profile"; }
done
# Conditions on labels may stand beside those on the file.
refuses "the input has no samples with the labels that are asked for after '#'; 'pgo show' lists the labels of a profile, and --path-template takes labels from paths" \
  cost "$version#kind=pprof,host=web-1"
refuses "$version: takes no condition 'host=web-1' here; 'kind=', 'file=' and 'configuration=' choose a file" \
  merge "$version#host=web-1" -o x.prof

# What does not fit, and what is ambiguous.
files="server.prof (llvm), server.afdo (gcc), report.json (report), server.addr (address), server.pb.gz (pprof)"
refuses "$version: has several files of a kind that is read here (llvm, gcc): server.prof (llvm), server.afdo (gcc); choose one: '$version#file=server.prof', say" \
  verify server.pb.gz server.pb.gz --binary "$subject_prog" --profile $version
# Only the profile of clang can be compared with a build.
with match "$subject_prog" --profile $version
refuses "$version: has no file of a kind that is read here (bolt): $files" \
  bolt "$subject_prog" -o bolted --profile $version
refuses "$version: has no file with kind=go: $files" cost "$version#kind=go"
refuses "pgo.lock: has no profile client; 'pgo pin client REFERENCE' adds one" show pgo.lock#client
refuses "missing.lock: there is no lock file; 'pgo refresh' or 'pgo pin NAME REFERENCE' makes one; --lock names another" show missing.lock#client
refuses "oci-dir:profiles: does not say which version; add ':TAG' or '@sha256:...'; 'pgo list oci-dir:profiles' shows what there is" \
  cost oci-dir:profiles
with match "$subject_prog" --warn --profile oci-dir:none:t # in a build: one warning
expect "warnings" 1 "$(grep -c '^pgo: warning: none: there is no such directory' log)"
echo $version > list
refuses "$version: is a source, and lists name files; pull it first ('pgo pull'), and name the file" merge @list -o x.prof
[ ! -e x.prof ] || fail "left x.prof"

# A profile for BOLT, with the evidence that the version has: inferred counts of poor quality are refused as with the
# report beside the file.
printf '1 main 0 1 main 2 0 5\n' > server.fdata
fdata_digest=$(sha256sum server.fdata | cut -d' ' -f1)
cat > fdata.json << END
{"branches": {}, "evidence": "pc-samples", "outputs": [{"digest": "sha256:$fdata_digest", "quality": "weak"}], "samples": {}}
END
cp fdata.json server.fdata.json
status=0
"$pgo" bolt "$subject_prog" -o bolted --profile server.fdata > wanted 2> wanted.log || status=$?
with push server.fdata fdata.json --configuration clang oci-dir:profiles:bolt
got=0
"$pgo" bolt "$subject_prog" -o bolted --profile oci-dir:profiles:bolt > text 2> log || got=$?
expect "exit code of bolt" $status $got
expect "what bolt says" "$(sed "s|server.fdata|P|g" wanted.log)" "$(sed -E "s|[^ ]*server.fdata|P|g" log)"

# Damage is found; messages name the file as the version calls it, and nothing stays behind.
blob=profiles/blobs/sha256/$(sha256sum server.prof | cut -d' ' -f1)
rm -rf cache
cp "$blob" kept
printf x >> "$blob"
! "$pgo" merge $version -o x.prof 2> log || fail "takes a damaged file"
grep -qF "$(basename "$blob")" log || { cat log; fail "does not name the digest"; }
cp kept "$blob"
with merge $version -o x.prof
[ -z "$(ls -A cache/inputs/0)" ] || fail "left files in cache/inputs"
never_blob() { ! grep -F blobs/ "$1" || fail "names a blob"; }
! "$pgo" convert "$version#kind=llvm" --binary "$subject_prog" -o x.prof 2> log || fail "converts an LLVM profile"
grep -qF "0_oci-dir_profiles_week-48/server.prof: " log || { cat log; fail "does not name the file"; }
never_blob log

# Without the registry: what the lock file lists, and is in the cache.
with pull --locked
mv profiles gone
with match "$subject_prog" --profile pgo.lock#server,kind=llvm
with merge pgo.lock#server -o got.prof
cmp wanted.prof got.prof
! "$pgo" merge pgo.lock#server -o x.addr 2> log || fail "merges what is not there"
[ ! -e x.addr ] || fail "left x.addr"

for command in merge convert show diff verify cost bolt match; do
  "$pgo" $command --help | tr -s ' \n' ' ' | grep -qE '\(REFERENCE, pgo.lock#NAME' || fail "pgo $command --help does not name versions"
done
