# What perf2bolt says of its own work reaches the user and the report. The tool is a stand-in with the words
# of the real one, whose warnings cannot be had at will.
. "$(dirname "$0")/../perturbed_recording.sh"

cat > perf2bolt <<'TOOL'
#!/bin/bash
if [ "$1" = --version ]; then echo "LLVM version 22.1.0"; exit; fi
while [ "$1" != -o ]; do shift; done
echo "1 main 0 1 main 4 0 1" > "$2"
echo "BOLT-WARNING: 3 functions look odd" >&2
echo "BOLT-WARNING: so does one more" >&2
echo "BOLT-ERROR: 4 functions are lost" >&2
echo "PERF2BOLT: traces mismatching disassembled function contents: 600 ($(cat percent)%)"
echo "PERF2BOLT: out of range traces involving unknown regions: 2 (0.2%)"
echo "BOLT-INFO: 20 out of 28 functions in the binary (71.4%) have non-empty execution profile"
TOOL
chmod +x perf2bolt
convert() { "$pgo" convert plain.perf --binary "$subject_prog" -o out.fdata --perf2bolt ./perf2bolt --json "$@" > figures.json 2> convert.log; }
said() { grep -qxF "pgo: $1" convert.log || { cat convert.log; fail "does not say: $1"; }; }

echo 60.0 > percent
convert
said "warning: perf2bolt: unknown warning: BOLT-WARNING: 3 functions look odd (and 1 other warning)"
said "warning: perf2bolt wrote a profile, but reports an error: BOLT-ERROR: 4 functions are lost"
said "warning: out.fdata: 60.0 % of the traces do not match the code; was another build recorded?"
python3 - <<'CHECK'
import json
figures = json.load(open("figures.json"))["outputs"][0]["perf2bolt"]
assert figures == {
    "mismatching_traces": 600, "mismatching_percent": 60.0, "out_of_range_traces": 2, "out_of_range_percent": 0.2,
    "profiled_functions": 20, "functions": 28,
    "warnings": [{"kind": "perf2bolt", "count": 1,
                  "messages": ["perf2bolt: unknown warning: BOLT-WARNING: 3 functions look odd (and 1 other warning)"]}],
    "errors": ["BOLT-ERROR: 4 functions are lost"]}, figures
CHECK
echo 1.5 > percent
convert
said "out.fdata: 1.5 % of the traces do not match the code"

# It may hang.
echo 'sleep 60' > perf2bolt.slow
sed '/^while/r perf2bolt.slow' -i perf2bolt
convert --timeout 5 && fail "waits for ever"
said "error: fdata: ./perf2bolt did not end within 5 s on $subject_prog; it printed last: it printed nothing; allow more time with --timeout (in CMake: BOLT_TIMEOUT; in Bazel: timeout_seconds)"
# Also when it is asked for its version.
printf '#!/bin/sh\nsleep 60\n' > perf2bolt
convert --timeout 5 && fail "waits for ever"
said "error: ./perf2bolt --version did not end within 5 s"
