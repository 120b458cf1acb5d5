# pgo fetch brings the profiles of a directory: bundle, report, exit codes, limits, and what it refuses.
. "$(dirname "$0")/../prelude.sh"
need python3
export PRODPGO_CACHE=$work/cache

for host in 1 2 3 4 5 6 7 8; do
  for hour in 10 11; do
    mkdir -p store/2026-11-26T$hour
    echo "main;scan $((600 + host))" > store/2026-11-26T$hour/web-$host.folded
    echo "main;parse $((290 + hour))" >> store/2026-11-26T$hour/web-$host.folded
  done
done
template='{hour}/{host}.folded'
report() { # EXPRESSION: of report.json as `r`
  python3 -c "import json, sys; r = json.load(open('report.json')); print($1)"
}
expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

"$pgo" fetch dir:store --path-template "$template" -o bundle --report report.json > text 2> log
expect "first line" "bundle: 16 profiles, 14 480 samples of samples/count" "$(head -1 text)"
expect "members" "16 16" "$(report 'r["downloaded"], len(r["profiles"])' | tr -d '(),')"
expect "files" 16 "$(find bundle/profiles -type f | wc -l)"
# Again: nothing is fetched; the bundle is replaced, and is the same byte by byte.
cp bundle/bundle.json first.json
"$pgo" fetch dir:store --path-template "$template" -o bundle --report report.json > text 2> log
expect "from the cache" "0 16" "$(report 'r["downloaded"], r["from_cache"]' | tr -d '(),')"
cmp bundle/bundle.json first.json
ls -d bundle?* 2> /dev/null && fail "something is left beside the bundle"

# One in the directory itself is not fetched with it; one place is one source, whatever its path.
"$pgo" fetch store --path-template "$template" -o store/q.bundle > text 2> log
"$pgo" fetch store --path-template "$template" -o store/q.bundle --report report.json > text 2> log
expect "profiles" "16 16" "$(report 'r["eligible"], len(r["profiles"])' | tr -d '(),')"
grep -qx "pgo: warning: dir:store: left out the bundle store/q.bundle, whose profiles may come from here; to fetch it, name it as a source" log
rm -r store/q.bundle
ln -s store link
status=0
"$pgo" fetch store ./link/ -o copies > text 2> log || status=$?
expect "exit code of one place given twice" 2 $status
grep -qx "pgo: error: dir:./link: is the same place as dir:store; name each source once" log
cp -r store copy
"$pgo" fetch store copy --path-template "$template" -o copies --strict --report report.json > text 2> log
expect "profiles and copies" "16 16" "$(report 'len(r["profiles"]), r["exclusions"][0]["profiles"]' | tr -d '(),')"
grep -q "has the same contents as dir:" log

# The choice: labels and times.
"$pgo" fetch store --path-template "$template" --label host=web-2 --from 2026-11-26T11:00:00Z \
  --to 2026-11-26T12:00:00Z -o chosen --report report.json > text 2> log
expect "chosen" "2026-11-26T11/web-2.folded" "$(report '",".join(p["object"] for p in r["profiles"])')"
expect "left out" "1 14" "$(report 'r["not_asked_for"]["other-window"], r["not_asked_for"]["other-label"]' | tr -d '(),')"

# Commands take bundles, and sources.
"$pgo" merge bundle -o of_bundle.folded 2> log
"$pgo" merge store -o of_files.folded 2> log
"$pgo" merge dir:store -o of_source.folded 2> log
cmp of_bundle.folded of_files.folded
cmp of_source.folded of_files.folded
"$pgo" diff 'dir:store#host=web-1' 'dir:store#host=web-2' --path-template "$template" > text 2> log
grep -q scan text
[ -z "$(ls cache/inputs/*)" ] || fail "bundles of inputs are left: $(ls cache/inputs/*)"

# Outliers are reported, and dropped when asked.
echo "spin 1000" > store/2026-11-26T10/web-3.folded
"$pgo" fetch store --path-template "$template" -o bundle > text 2> log
grep -q "web-3.folded: overlaps by 0.0 % with the median of 7 others" log
"$pgo" fetch store --path-template "$template" -o bundle --drop-outliers --report report.json > text 2> log
expect "without the outlier" "15 outlier" "$(report 'len(r["profiles"]), r["excluded"][0]["reason"]' | tr -d "(),'")"

# A source as an input of another command: the same bytes each time, paths that name it, and nothing is left.
for n in 1 2; do "$pgo" diff dir:store dir:store --json --path-template "$template" > diff$n.json 2> log; done
cmp diff1.json diff2.json
grep -q 'inputs/0/0_dir_store' diff1.json
[ -z "$(ls -A "$PRODPGO_CACHE/inputs/0")" ] || fail "inputs are left in the cache"

# Missing profiles are a warning, or an error.
echo '<html>Please log in</html>' > store/2026-11-26T10/web-4.folded
"$pgo" fetch store --path-template "$template" -o bundle > text 2> log
grep -qF "pgo: warning: 1 of 16 profiles is missing (1 damaged); the first: dir:store: 2026-11-26T10/web-4.folded: is a web page, not a profile (recorded 2026-11-26T10:00:00Z)" log
status=0
"$pgo" fetch store --path-template "$template" -o strict --strict > text 2> log || status=$?
expect "exit code of --strict" 2 $status
[ ! -e strict ] || fail "--strict wrote a bundle"

# Limits of pgo.toml: exit code 1, and the bundle stays as it was.
printf '[fetch]\nmin-hosts = 9\n' > pgo.toml
status=0
"$pgo" fetch store --path-template "$template" -o bundle > text 2> log || status=$?
expect "exit code of a limit" 1 $status
grep -q "^bundle (not written): " text
grep -qF "pgo: warning: limit not kept: 8 hosts, and at least 9 are required" log
rm pgo.toml

refuses() { # EXPECTED ARGUMENTS...
  local expected=$1 status=0
  shift
  "$pgo" fetch "$@" > text 2> log || status=$?
  expect "exit code of $*" 2 $status
  expect "$*" "pgo: error: $expected" "$(cat log)"
}
: > empty.folded
refuses "dir:empty.folded: is empty; was it cut short, or never finished? (asked for: from 2020-01-01T00:00:00Z to 2100-01-01T00:00:00Z)" \
  empty.folded -o none --from 2020-01-01 --to 2100-01-01
mkdir other
touch other/file
refuses "other is a directory with other files, and not a bundle; name another with -o" store -o other
refuses "ftp://host/x: unknown kind of source 'ftp'; expected a path, dir:PATH, s3://BUCKET/PREFIX, pprof+http://HOST:PORT/debug/pprof/profile, parca+http://HOST:PORT, pyroscope+http://HOST:PORT, or profefe+http://HOST:PORT" ftp://host/x -o none
mkdir nothing
refuses "dir:nothing: found no profiles of any time; are the path and the prefix right?" nothing -o none --last 7d
refuses "--last 7: expected a duration such as 90s, 10m, 6h, 7d or 2w" store --last 7 -o none
refuses "--label zone: '=' expected, as in zone=eu" store --label zone -o none
# As when a variable of a script is empty: that is not "all of them".
refuses "--label zone=: its value is empty" store --label zone= -o none
refuses "--build-id: its value is empty (see 'pgo fetch --help')" store --build-id '' -o none
refuses "--service: its value is empty (see 'pgo fetch --help')" store --service= -o none
refuses "--weights traffic needs --traffic FILE" store --weights traffic -o none
refuses "--max-bytes 8X: expected a size such as 500M or 8G" store --max-bytes 8X -o none
