# Commands are compared, in all output formats; options that would be ignored are refused; perf's counts are shown
# where perf counts.
. "$(dirname "$0")/../prelude.sh"

verify() { # STATUS ARGUMENT...
  status=0
  "$pgo" verify "${@:2}" > printed 2> said || status=$?
  [ $status -eq $1 ] || { cat printed said; fail "exit code $status instead of $1: $*"; }
}
work() { echo "i=0; while [ \$i -lt $1 ]; do i=\$((i+1)); done; echo done"; }

# A tenth of the work passes, ten times as much fails.
verify 0 --run-before "$(work 200000)" --run-after "$(work 20000)" --pairs 7 \
  -o r.md -o r.xml -o r.json -o benchmark:b.json --report report.json
[ ! -s printed ]
grep -q '^pgo: pass: the new program takes [0-9.]* % to [0-9.]* % less CPU time' said || { cat said; fail "no verdict"; }
cmp r.json report.json
python3 - <<'END'
import json, xml.etree.ElementTree as xml
result = json.load(open("r.json"))
assert result["verdict"] == "pass" and result["kind"] == "runs" and result["looks"] == 1, result
assert [figure["name"] for figure in result["figures"]][:4] == ["CPU time", "user time", "system time", "wall time"], result
assert xml.parse("r.xml").getroot().get("failures") == "0"
assert all({"name", "unit", "value"} <= set(entry) for entry in json.load(open("b.json")))
END
grep -q '^\*\*pass: the new program takes' r.md
grep -q '^| CPU time |' r.md
verify 1 --run-before "$(work 20000)" --run-after "$(work 200000)" --pairs 7 -o r.xml
grep -q '<failure message="fail: ' r.xml

wrong() { # TEXT ARGUMENT...
  verify 2 "${@:2}"
  [ "$(head -n 1 said)" = "pgo: error: $1" ] || { cat said; fail "another error than: $1"; }
}
both="--run-before true --run-after true"
serve="--serve-before true --serve-after true"
wrong "give both --run-before and --run-after" --run-before true
wrong "give both --serve-before and --serve-after" --serve-before true
wrong "compare either runs or services: --run-before and --run-after cannot be combined with --serve-before and --serve-after" \
  $both $serve
wrong "compare either profiles or services: profiles (BEFORE, AFTER, --before, --after) cannot be combined with --serve-before and --serve-after" \
  a b $serve --ready true --load true
wrong "--ready needs --serve-before and --serve-after" $both --ready true
wrong "--load needs --serve-before and --serve-after" a b --load true
wrong "--stop needs --serve-before and --serve-after" $both --stop INT
wrong "--ready-timeout needs --serve-before and --serve-after" $both --ready-timeout 5
wrong "--serve-before and --serve-after need --ready and --load: a command that succeeds once the server is ready, and one that loads it" \
  $serve --ready true
wrong "--any-output cannot be combined with --serve-before and --serve-after: what loads print is not compared" \
  $serve --ready true --load true --any-output
wrong "--pairs cannot be combined with --count, which runs each command 2 times" $both --count --pairs 7
wrong "--qemu needs --count" $both --qemu q
wrong "--pairs needs --run-before and --run-after, or --serve-before and --serve-after" a b --pairs 7
wrong "--count needs --run-before and --run-after, or --serve-before and --serve-after" a b --count
wrong "-o page.html: a flame graph needs profiles; what runs cost is written as Markdown (.md), JSON (.json), JUnit XML (.xml) or benchmark:PATH" \
  $both -o page.html

# A stand-in for perf on a machine whose processor counts, most of the time.
mkdir bin
cat > bin/perf <<'END'
#!/bin/sh
[ "$*" != "${*#stat -x , -e instructions:u -o }" ] || exit 129
printf '# started on a day\n\n%s,,instructions:u,5,%s,,\n' "$STAND_IN_COUNT" "$STAND_IN_PERCENT" > "$7"
shift 8
exec "$@"
END
chmod +x bin/perf
counted() { # COUNT PERCENT
  STAND_IN_COUNT=$1 STAND_IN_PERCENT=$2 PATH=$PWD/bin:$PATH \
    verify 0 --run-before "$(work 100000)" --run-after "$(work 10000)" --pairs 7
}
counted 1234567 100.00
grep -q '^  instructions  *1 234 567  *1 234 567  *0.0 %  the same$' printed || { cat printed; fail "no instructions"; }
! grep -q 'perf counted' said || fail "warns of exact counts"
counted 1234567 43.00
grep -q '^pgo: warning: perf counted instructions for only 43.0 % of the time, ' said || { cat said; fail "no warning"; }
for none in '<not counted>' '<not supported>'; do
  counted "$none" 0.00
  ! grep -q instructions printed || { cat printed; fail "has instructions that were $none"; }
done
