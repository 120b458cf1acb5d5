# docs/reference/bundle.md lists the fields that pgo fetch writes into bundle.json and into its report: all, and no other.
. "$(dirname "$0")/../prelude.sh"
need python3
export PRODPGO_CACHE=$work/cache

mkdir store
for host in 1 2 3 4 5 6; do echo "main;scan $((600 + host))" > store/web-$host.folded; done
echo "spin 1000" > store/web-7.folded
echo '{"error": "denied"}' > store/web-8.folded
"$pgo" fetch store --path-template '{host}.folded' -o bundle --report report.json > text 2> log

python3 - "$here/../../docs/reference/bundle.md" << 'PY'
import json, re, sys

tables, current = {}, None
for line in open(sys.argv[1]):
    if heading := re.match(r"\| (field[\w ]*?) *\|", line):
        current = tables.setdefault(heading[1], {})
    elif not line.startswith("|"):
        current = None
    elif current is not None:
        name, text = line.split("|")[1:3]
        for field in re.findall(r"`(\w+)`", name):
            current[field] = text

def check(table, objects):
    documented, written = tables[table], set().union(*objects)
    assert objects, f"no {table} to compare with"
    assert not written - set(documented), f"{table}: not documented: {written - set(documented)}"
    optional = {name for name, text in documented.items() if "may be missing" in text}
    assert not set(documented) - written - optional, f"{table}: not written: {set(documented) - written - optional}"

bundle, report = json.load(open("bundle/bundle.json")), json.load(open("report.json"))
check("field", [bundle])
check("field of a member", bundle["members"])
check("field of the report", [report])
for table, key in [("source", "sources"), ("stratum", "strata"), ("profile", "profiles"), ("build", "builds"),
                   ("warning", "warnings")]:
    check(f"field of a {table}", report[key])
check("field of an exclusion", report["exclusions"])
check("field of an excluded profile", report["excluded"])
assert report["window"].keys() == {"from", "to"}, report["window"]
assert "peers" in report["profiles"][0], "no peers"
assert bundle["query"] == {"path-template": "{host}.folded"}, bundle["query"]
kinds = [one["kind"] for one in report["warnings"]]
assert kinds == ["missing", "outlier", "stratum-without-profile"], kinds
PY

# pgo show says what these files are.
"$pgo" show bundle/bundle.json > shown
"$pgo" show bundle | cmp - <(sed '1s,bundle/bundle.json,bundle,' shown)
grep -q 'bundle of 7 profiles' shown || { cat shown; fail "no bundle"; }
status=0
"$pgo" show report.json > shown 2> log || status=$?
[ "$status" = 2 ] || fail "exit status $status"
grep -qx 'pgo: error: report.json: is a report of pgo fetch; name the bundle that it is about instead' log ||
  { cat log; fail "does not say what a report is"; }
"$pgo" merge bundle/bundle.json -o x.folded 2> log && fail "merges a bundle.json"
grep -qx 'pgo: error: bundle/bundle.json: is the bundle.json of a bundle; name its directory instead' log ||
  { cat log; fail "does not say what a bundle.json is"; }
