# Sourced by tests of `pgo refresh` after prelude.sh and archive_prelude.sh: the release `server` is in the archive
# `builds`, hosts have recorded it into `store`, and pgo.toml has the service `queryd`.
need python3
export PRODPGO_CACHE=$work/cache

# record_host HOUR HOST PERIOD [PROGRAM]: one recording in the store.
record_host() {
  mkdir -p "store/$1"
  "$pgo" record --engine emulate --period "$(period "$3")" -o "store/$1/$2.data" -- "./${4:-server}" > record.log 2>&1 ||
    skip "cannot record under emulation: $(tail -n 1 record.log)"
}

# configure [LINE]...: pgo.toml, with these lines in the table of the service.
configure() {
  cat > pgo.toml << 'TOML'
[service.queryd]
source = "dir:store"
path-template = "{hour}/{host}.data"
binaries = "dir:builds"
registry = "oci-dir:registry"
TOML
  [ $# = 0 ] || printf '%s\n' "$@" >> pgo.toml
}

# refresh EXPECTED_EXIT_CODE [ARGUMENT]...: what it prints is in `text` and `log`.
refresh() {
  local expected=$1 status=0
  shift
  "$pgo" refresh "$@" > text 2> log || status=$?
  [ "$status" = "$expected" ] || { cat text log; fail "exit code $status, and not $expected, of pgo refresh $*"; }
}

says() { # TEXT FILE: columns may be wider
  tr -s ' ' < "$2" | grep -qF -- "$(tr -s ' ' <<< "$1")" || { cat "$2"; fail "does not say: $1"; }
}

# tree: all files but those of the cache, and the outputs of this test, with identity and time of change.
tree() { find . -path ./cache -prune -o -type f ! -name text ! -name log ! -name 'tree.*' -printf '%p %i %s %T@\n' | sort; }

# locked FILE_KIND FIELD [LOCK]: of the file of this kind that is pinned; "-" for a field of the profile.
locked() {
  python3 - "$1" "$2" "${3:-pgo.lock}" << 'END'
import json, sys
kind, field, lock = sys.argv[1:]
entry = json.load(open(lock))["profiles"]["queryd"]
files = [file for file in entry["files"] if file["kind"] == kind]
print(entry.get(field, "") if kind == "-" else files[0].get(field, "") if files else "none")
END
}

# blob DIGEST: its path in the registry.
blob() { echo "registry/blobs/sha256/${1#sha256:}"; }

"$pgo" archive server --debug-file server.debug --to builds > archive.text 2> archive.log
record_host 2026-11-26T10 web-1 31
record_host 2026-11-26T10 web-2 37
record_host 2026-11-26T11 web-1 41
configure
