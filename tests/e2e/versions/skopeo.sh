# skopeo reads and writes layouts, and pgo those of skopeo: digests stay, and neither loses what the other wrote.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need skopeo python3
skopeo() { command skopeo --insecure-policy "$@" > skopeo.log 2>&1 || fail "skopeo $*: $(cat skopeo.log)"; }

digest=$(push week-48 100)
command skopeo inspect --raw oci:profiles:week-48 > raw.json
expect "manifest" "${digest#sha256:}" "$(sha256sum < raw.json | cut -d' ' -f1)"
skopeo copy oci:profiles:week-48 oci:copy:week-48
"$pgo" pull oci-dir:copy:week-48 -o out > text 2> log
cmp out/server.proftext pushed/server.proftext

# pgo adds to a layout of skopeo's, and skopeo to one of pgo's.
profile later/server.proftext 200
later=$("$pgo" push later/server.proftext oci-dir:copy:week-49 2> log)
skopeo copy oci:copy:week-48 oci:copy:stable
skopeo copy oci:copy:week-49 oci:profiles:week-49
list() { "$pgo" list "oci-dir:$1" --json | python3 -c '
import json, sys
for version in json.load(sys.stdin)["versions"]: print(version["digest"], *version["tags"])' | sort; }
expect "versions of the copy" "$(printf '%s\n' "$digest stable week-48" "$later week-49" | sort)" "$(list copy)"
expect "versions" "$(printf '%s\n' "$digest week-48" "$later week-49" | sort)" "$(list profiles)"
check_layout copy
check_layout profiles

# A tag that skopeo moves takes the old manifest out of the index. What a lock file names is found all the same, and
# stays.
"$pgo" pin server oci-dir:profiles:week-48 > text
skopeo copy oci:profiles:week-49 oci:profiles:week-48
"$pgo" gc oci-dir:profiles --lock pgo.lock --keep 0 > text
"$pgo" pull --locked -o locked > text 2> log
cmp locked/server.proftext pushed/server.proftext
