# What path or bundle say of a profile counts more than its samples' own labels: in pgo fetch, diff, verify,
# cost and merge.
. "$(dirname "$0")/../prelude.sh"
need python3
export PRODPGO_CACHE=$work/cache

# All programs believe that they run on the host "vm".
mkdir 1 2
for host in 1 2 3 4; do
  for side in 1 2; do
    printf 'main;scan %d\nmain;parse 300\n' $((600 + host + side)) |
      python3 "$here/built_pprof.py" --label host=vm $side/web-$host.pb samples/count
  done
done
template='{host}.pb'
warning="pgo: warning: samples have another host than the path or the bundle of their file; that of the path or the bundle is used"
hosts() { # WHAT FILE: are the hosts of all members of both sides those of the paths?
  python3 - "$2" << 'PY' || fail "$1: other hosts"
import json, sys
result = json.load(open(sys.argv[1]))
result = result.get("comparison", result)
for side in ("before", "after"):
    hosts = {member["host"] for member in result[side]["members"]}
    assert hosts == {f"web-{i}" for i in (1, 2, 3, 4)}, hosts
PY
}

for side in 1 2; do "$pgo" fetch $side --path-template "$template" -o $side.bundle > text 2> log; done
grep -q '^  hosts         4: web-1, web-2, web-3, web-4$' text || fail "fetch: $(cat text)"
for how in "1 2 --path-template $template" "1.bundle 2.bundle"; do
  "$pgo" diff $how --json > diff.json 2> log
  hosts "diff $how" diff.json
  [ "$(grep -cF "$warning" log)" = 1 ] || fail "diff $how: not one warning: $(cat log)"
  status=0
  "$pgo" verify $how --json > verify.json 2> log || status=$?
  [ $status != 2 ] || fail "verify $how: $(cat log)"
  hosts "verify $how" verify.json
done
for how in "1 --path-template $template" "1.bundle"; do
  "$pgo" cost $how --by label:host > text 2> log
  for host in 1 2 3 4; do grep -q " web-$host\$" text || fail "cost $how: $(cat text)"; done
  grep -q "vm" text && fail "cost $how: $(cat text)"
done

# A merged profile does not have a host that its bundle contradicts, and hosts are those of the bundle.
"$pgo" merge 1.bundle -o merged.pb.gz 2> log
grep -qF "$warning" log
[ -z "$(python3 "$here/pprof_samples.py" merged.pb.gz | grep vm)" ] || fail "the merged profile has the host vm"
"$pgo" merge 1.bundle --normalize host -o merged.pb.gz 2> log
"$pgo" fetch 1 --path-template "$template" --merge -o merged > text 2> log
[ -z "$(python3 "$here/pprof_samples.py" merged/profiles/*.pb.gz | grep vm)" ] || fail "the member has the host vm"
grep -qx '  merged        4 profiles into 1; labels that differ are dropped: host (4 values)' text || fail "$(cat text)"
"$pgo" show merged > text
grep -qx '  host          web-1, web-2, web-3, web-4' text || fail "$(cat text)"

# Where path and bundle say nothing, samples do.
"$pgo" cost 1 --by label:host > text 2> log
grep -q " vm$" text || fail "$(cat text)"
