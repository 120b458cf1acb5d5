# An address profile is the message that address_profile.proto documents: protoc reads it, finds the counts
# in it, and writes the same bytes.
. "$(dirname "$0")/../perturbed_recording.sh"
need protoc zstd python3

record_by_clock clock.data "$subject_prog" 8000
"$pgo" convert plain.perf clock.data --binary "$subject_prog" -o x.addr 2> /dev/null
zstd -qdc x.addr > message
proto() { protoc -I "$here/../../converters/address" "$@" address_profile.proto; }
proto --decode=prodpgo.AddressProfile < message > text
proto --encode=prodpgo.AddressProfile < text > again
cmp message again
if grep -q "^ *[0-9]*:" text; then fail "there are fields that the .proto does not have: $(cat text)"; fi

# Rows, added up by the documentation.
"$pgo" show x.addr --json > shown.json
python3 - << 'PY'
import json, re
shown = json.load(open("shown.json"))
text = open("text").read()
assert 'magic: "ProdPGO address profile"\nversion: 2\n' in text
def column(table, name):
    found = re.search(r"\n  " + table + r" \{\n(.*?)\n  \}", text, re.S)
    return [int(value) for value in re.findall(r"    " + name + r": (-?\d+)", found[1])]
traces, readings = column("traces", "count"), column("traces", "reading")
build = shown["builds"][0]
assert build["traces"] == len(traces) > 50 and build["addresses"] == len(column("pc_samples", "pc"))
assert build["count"] == sum(count for count, reading in zip(traces, readings or [0] * len(traces)) if reading != 2)
assert shown["branches"]["seen"] == int(re.search(r"\nbranches \{\n  seen: (\d+)", text)[1])
for reason, count in re.findall(r'reason: "(.*)"\n    count: (\d+)', text):
    assert int(count) in (shown["samples"]["dropped"].get(reason), shown["branches"]["dropped"].get(reason)), reason
PY
