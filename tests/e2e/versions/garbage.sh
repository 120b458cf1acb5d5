# pgo gc keeps what lock files name, now and before, and the newest versions; a dry run removes nothing. A push that runs
# meanwhile loses no blob.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need python3

recorded() { # TAG DAY: a version that was recorded on this day
  profile "$1/server.proftext" "${2#0}"
  cat > "$1/bundle.json" << END
{"version": 1, "tool_version": "0.1.0", "sources": ["s3://profiles/queryd"], "query": {"service": "queryd"},
 "weight_denominator": 1, "members": [{"path": "a.pb.gz", "size": 1, "digest": "sha256:$(printf a | sha256sum | cut -d' ' -f1)",
 "source": "s3://profiles/queryd", "object": "a", "labels": {}, "weight": 1, "builds": [], "samples": 1,
 "window": {"from": "2026-11-$2T00:00:00Z", "to": "2026-11-$2T01:00:00Z", "evidence": "name"}}]}
END
  "$pgo" push "$1/server.proftext" "$1/bundle.json" "oci-dir:profiles:$1" 2> log
}
for day in 01 02 03 04 05 06; do recorded "day-$day" $day > text; done
"$pgo" pin server oci-dir:profiles:day-01 --lock a.lock > text
"$pgo" pin server oci-dir:profiles:day-02 --lock a.lock > text  # day-01 is the previous one
"$pgo" pin server oci-dir:profiles:day-04 --lock b.lock > text
tags() { "$pgo" list oci-dir:profiles | awk 'NR > 1 { print $1 }' | tr '\n' ' '; }
expect "newest first" "day-06 day-05 day-04 day-03 day-02 day-01 " "$(tags)"

cp -r profiles before
# Without --lock it is pgo.lock that counts; where there is none, a warning says that no pin is known.
cp a.lock pgo.lock
"$pgo" gc oci-dir:profiles --keep 1 --dry-run > text 2> log
grep -q '^would remove 3 versions, ' text
expect "the message" "" "$(cat log)"
# A dry run makes no file, and waits for no push: its user may only read.
flock profiles/.prodpgo/blobs.lock flock profiles/.prodpgo/index.lock \
  timeout 20 "$pgo" gc oci-dir:profiles --keep 1 --dry-run > again || fail "a dry run takes a lock"
diff text again
mv profiles/.prodpgo kept
"$pgo" gc oci-dir:profiles --keep 1 --dry-run > again
diff text again
[ ! -e profiles/.prodpgo ] || fail "a dry run makes files"
mv kept profiles/.prodpgo
echo '<<<<<<< ours' > pgo.lock
refuses "pgo.lock: line 1 is a conflict marker of a merge; keep one side of each profile, or pin it again with 'pgo pin'" \
  gc oci-dir:profiles --keep 1 --dry-run
ln -sf nowhere pgo.lock
refuses "pgo.lock: there is no lock file; 'pgo refresh' or 'pgo pin NAME REFERENCE' makes one; --lock names another" \
  gc oci-dir:profiles --keep 1 --dry-run
rm pgo.lock
"$pgo" gc oci-dir:profiles --keep 1 --dry-run > text 2> log
grep -q '^would remove 5 versions, ' text
expect "the message" "pgo: warning: no lock file is named, so versions that builds use may be removed; name the lock files with --lock" \
  "$(cat log)"
"$pgo" gc oci-dir:profiles --lock a.lock --lock b.lock --keep 1 --dry-run > text
grep -q '^would remove 2 versions, 0 referrers: 6 blobs with ' text
diff -r profiles/blobs before/blobs
cmp profiles/index.json before/index.json
"$pgo" gc oci-dir:profiles --lock a.lock --lock b.lock --keep 1 > text
grep -q '^removed 2 versions, 0 referrers: 6 blobs with ' text
expect "kept" "day-06 day-04 day-02 day-01 " "$(tags)"
check_layout profiles
for lock in a b; do "$pgo" pull --locked --lock $lock.lock --cache cache-$lock > text 2> log; done
"$pgo" pin server --previous --lock a.lock > text
refuses "none.lock: there is no lock file; 'pgo refresh' or 'pgo pin NAME REFERENCE' makes one; --lock names another" \
  gc oci-dir:profiles --lock none.lock
refuses "none: there is no such directory; check the path; 'pgo push' makes a new one" gc oci-dir:none
refuses "profiles: oci-dir:PATH expected" gc profiles
[ ! -e none ] || fail "gc made a layout"

# Garbage is collected again and again while others push.
pushing() {
  local number
  for number in 1 2 3 4 5 6 7 8; do
    profile "pushing/$1-$number/server.proftext" $(($1 * 100 + number))
    "$pgo" push "pushing/$1-$number/server.proftext" "oci-dir:profiles:$1-$number" > /dev/null 2>&1 || return 1
  done
}
pids=()
for worker in 1 2 3 4; do
  pushing $worker &
  pids+=($!)
done
for _ in 1 2 3 4 5 6 7 8 9 10; do "$pgo" gc oci-dir:profiles --keep 1000 > text; done
for pid in "${pids[@]}"; do wait "$pid" || fail "a push failed"; done
check_layout profiles
expect "versions" 36 "$(tags | wc -w)"
