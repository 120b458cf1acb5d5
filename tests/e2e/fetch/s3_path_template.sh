# --path-template takes hosts and hours off the keys of a bucket; keys that do not fit are counted in one warning, and
# live hosts, which have no paths, are refused.
source "$(dirname "$0")/../prelude.sh"
source "$here/servers_prelude.sh"
start_moto
export PRODPGO_CACHE=$work/cache

s3_make profiles
for hour in 10 11; do
  for host in 1 2; do
    echo "main;scan $((590 + hour + host))" | gzip -n > file
    s3_put "profiles/queryd/2026-11-25T$hour/web-$host.pb.gz" file
  done
done
template='{hour}/{host}.pb.gz'
report() { # EXPRESSION: of report.json as `r`
  python3 -c "import json; r = json.load(open('report.json')); print($1)"
}
expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

"$pgo" fetch s3://profiles/queryd --path-template "$template" -o bundle --report report.json > text 2> log
expect "labels" "2026-11-25T10 web-1,2026-11-25T10 web-2,2026-11-25T11 web-1,2026-11-25T11 web-2" \
  "$(report '",".join(sorted(p["labels"]["hour"] + " " + p["labels"]["host"] for p in r["profiles"]))')"
expect "strata" 4 "$(report 'len(r["strata"])')"
[ ! -s log ] || fail "warnings: $(cat log)"

# The hours are those of the names: all objects were stored just now.
"$pgo" fetch s3://profiles/queryd --path-template "$template" --label host=web-2 --from 2026-11-25T11:00:00Z \
  --to 2026-11-25T12:00:00Z -o chosen --report report.json > text 2> log
expect "chosen" "2026-11-25T11/web-2.pb.gz" "$(report '",".join(p["object"] for p in r["profiles"])')"

# The template reaches into the prefix, which may be the key of one object.
"$pgo" fetch s3://profiles/queryd/2026-11-25T10/web-1.pb.gz --path-template "{service}/$template" -o one \
  --report report.json > text 2> log
expect "one object" "queryd 2026-11-25T10 web-1" \
  "$(report '" ".join(r["profiles"][0]["labels"][k] for k in ("service", "hour", "host"))')"

# A comparison passes the template on.
"$pgo" diff 's3://profiles/queryd#host=web-1' 's3://profiles/queryd#host=web-2' --path-template "$template" > text 2> log
grep -q scan text

s3_put profiles/queryd/README file
"$pgo" fetch s3://profiles/queryd --path-template "$template" -o bundle > text 2> log
grep -qF "s3://profiles/queryd: 1 of 5 names does not end like $template, so it gives no labels: README" log ||
  fail "no warning: $(cat log)"

status=0
"$pgo" fetch pprof+http://127.0.0.1:1/debug/pprof/profile --path-template "$template" -o live > text 2> log || status=$?
expect "exit code" 2 "$status"
expect "refusal" "pgo: error: pprof+http://127.0.0.1:1/debug/pprof/profile: --path-template takes \
labels from paths, and live hosts and profile stores have no paths; leave it out, or fetch them separately first" "$(cat log)"
status=0
"$pgo" fetch s3://profiles/queryd s3://profiles/queryd/ -o twice > text 2> log || status=$?
expect "exit code" 2 "$status"
expect "refusal" "pgo: error: s3://profiles/queryd: is given twice; name each source once" "$(cat log)"
stop_servers
