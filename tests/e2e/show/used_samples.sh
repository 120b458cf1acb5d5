# With --binary the funnel goes on to what a conversion uses: the same figures, the same density. The
# hottest functions are there, with the names that people write.
. "$(dirname "$0")/../perturbed_recording.sh"

"$pgo" show plain.perf --binary "$subject_prog" > shown
"$pgo" convert plain.perf --binary "$subject_prog" -o llvm-text:plain.text --json > report.json 2> convert.log
"$pgo" show plain.perf --binary "$subject_prog" --json > shown.json
python3 - << 'END'
import json
shown, report = json.load(open("shown.json")), json.load(open("report.json"))
for key in ("samples", "branches"):
    assert shown["used"][key] == report[key], (shown["used"], report)
binary, = shown["binaries"]
assert abs(binary["density"] - report["source"]["density"]) < .051, (binary, report)  # which has one decimal
assert len(binary["hottest"]) == 10, binary
assert sum(function["weight"] for function in binary["hottest"]) <= binary["weight"], binary
assert all(a["weight"] >= b["weight"] for a, b in zip(binary["hottest"], binary["hottest"][1:])), binary
# A function without inlined code in it or elsewhere weighs its total in the profile.
step, = [one for one in binary["hottest"] if one["function"] == "_ZL4stepl"]
total, = [line.split(":")[1] for line in open("plain.text") if line.startswith("_ZL4stepl:")]
assert abs(step["weight"] - int(total)) <= int(total) // 10, (step, total)
END
grep ' step(long)$' shown > /dev/null || { cat shown; fail "no function is shown"; }
grep '^  density  *[0-9.]*, [0-9]* functions in the source$' shown > /dev/null || { cat shown; fail "no density"; }

# Without debug information there is no density, but all the rest.
llvm-objcopy-22 --strip-debug "$subject_prog" prog
"$pgo" show plain.perf --binary prog > shown
grep '^  density  *unknown: there is no debug information$' shown > /dev/null || { cat shown; fail "a density of nothing"; }
grep ' step(long)$' shown > /dev/null || { cat shown; fail "no function is shown"; }

# Another binary: why nothing is used, as pgo convert says it.
"$pgo" show plain.perf --binary "$pgo" > shown
grep -F "$pgo was never recorded: " shown | grep ' in other binaries; another binary ran' > /dev/null ||
  { cat shown; fail "the reason is missing"; }
