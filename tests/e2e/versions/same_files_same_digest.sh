# The same files have the same digest: pushed again, in another order, from another directory, with another date, into
# another layout, and by another way to convert them there. Other files have another, and move the tag.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"

profile a/server.proftext 100
echo '1 main 0 1 work 4 0 7' > a/server.fdata
printf '# Week 48\n' > a/summary.md
mkdir b
cp a/* b
touch -d 2020-01-01 b/*
options=(--service queryd --configuration clang-lto --bolt-of 0102030405060708)

first=$("$pgo" push a/server.proftext a/server.fdata a/summary.md "${options[@]}" oci-dir:p:week-48 2> log)
expect "the message" "pgo: oci-dir:p:week-48: pushed 3 files (60 bytes)" "$(cat log)"
cp p/index.json index.json
again=$(cd b && TZ=Asia/Tokyo "$pgo" push summary.md server.fdata server.proftext "${options[@]}" oci-dir:../p:week-48 2> ../log)
expect "digest" "$first" "$again"
expect "the message" "pgo: oci-dir:../p:week-48: this version already exists" "$(cat log)"
cmp index.json p/index.json
other=$("$pgo" push b/* "${options[@]}" oci-dir:q:other 2> log)
expect "digest in another layout" "$first" "$other"
cmp p/blobs/sha256/"${first#sha256:}" q/blobs/sha256/"${first#sha256:}"

profile b/server.proftext 101
moved=$("$pgo" push b/* "${options[@]}" oci-dir:p:week-48 2> log)
[ "$moved" != "$first" ] || fail "other contents have the same digest"
expect "the message" "pgo: oci-dir:p:week-48: pushed 1 new file (28 bytes); 2 were there already
pgo: oci-dir:p:week-48: the tag moved from $first to $moved" "$(cat log)"
# The first one is still there.
"$pgo" pull "oci-dir:p@$first" -o out > text 2> log
cmp out/server.proftext a/server.proftext
check_layout p

# What a report says of a profile is part of the digest, in any order. Reports that contradict each other are refused.
report() { # FILE USED
  cat > "$1" << END
{"evidence": "branch-records", "quality": "good", "samples": {"seen": 9, "used": $2, "dropped": {}},
 "branches": {"seen": 9, "used": 9, "dropped": {}}, "binaries": [],
 "outputs": [{"path": "x", "digest": "sha256:$(sha256sum < a/server.proftext | cut -d' ' -f1)", "quality": "good"}]}
END
}
report one.json 8
report same.json 8
report other.json 9
reported=$("$pgo" push a/server.proftext one.json same.json oci-dir:p:reported 2> log)
[ "$reported" != "$first" ] || fail "the report is not part of the digest"
expect "digest" "$reported" "$("$pgo" push same.json one.json a/server.proftext oci-dir:p:reported 2> log)"
refuses "one.json and other.json: contradict each other about a/server.proftext; push only the report of its conversion" \
  push a/server.proftext one.json other.json oci-dir:p:reported

# A copy names a tag that moves, too.
"$pgo" copy "oci-dir:p@$reported" oci-dir:q:other > text 2> log
grep -qxF "pgo: oci-dir:q:other: the tag moved from $first to $reported" log || fail "$(cat log)"

refuses "oci-dir:p@$first: the files make the digest of a version; leave it out" push a/server.proftext "oci-dir:p@$first"
refuses "b: is a directory with other files, and no OCI image layout; name another directory" \
  push a/server.proftext oci-dir:b:week-48
refuses "a/server.proftext: the last argument says where to push to: oci-dir:PATH[:TAG] or oci://HOST/REPOSITORY[:TAG]" push a/server.proftext
