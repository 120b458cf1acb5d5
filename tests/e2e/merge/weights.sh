# Weights, normalization, labels and sample types of pgo merge. Folded stacks show the sums.
. "$(dirname "$0")/../prelude.sh"

printf 'main;a 10\nmain;b 1\n' > one.folded
printf 'main;a 30\n' > two.folded
sums() { "$pgo" merge "$@" -o folded:- 2> /dev/null | tr '\n' ' '; }
expect() { [ "$1" = "$2" ] || fail "expected '$1', got '$2'"; }
expect "main;a 40 main;b 1 " "$(sums one.folded two.folded)"
expect "main;a 45 main;b 2 " "$(sums one.folded two.folded --weight one.folded=3/2)"
expect "main;a 25 main;b 1 " "$(sums '*.folded' --weight ./two.folded=0.5)"
# Each is to count (11 + 30) / 2 = 20.5: 10 * 20.5 / 11 + 20.5 = 39.1, 1 * 20.5 / 11 = 1.9.
expect "main;a 39 main;b 2 " "$(sums one.folded two.folded --normalize samples)"

refused() { # TEXT ARGUMENT...
  "$pgo" merge "${@:2}" -o x.pb.gz 2> refused.log && fail "took ${*:2}"
  grep -qF -- "$1" refused.log || fail "expected '$1', got $(cat refused.log)"
  [ ! -e x.pb.gz ] || fail "left x.pb.gz"
}
refused "two.folded: does not say how long it was recorded" two.folded --normalize duration
refused "two.folded: has no host, by its label 'host'" two.folded --normalize host
for other in "" "--normalize samples"; do
  refused "--host-label pod is for --normalize host, which was not given" two.folded $other --host-label pod
done
refused "--weight one.folded=2: one.folded is not an input" two.folded --weight one.folded=2
refused "--weight one.folded=2: one.folded has a weight already, by --weight *.folded=3" one.folded two.folded \
  --weight '*.folded=3' --weight one.folded=2
refused "'1/0' is not a weight" two.folded --weight two.folded=1/0
refused "does not count cpu, but samples/count" two.folded --sample-type cpu
refused "no input has samples of the builds that --build-id names" two.folded --build-id 0011223344556677
for nothing in 0 0.0 0/3; do
  refused "'$nothing' is not a weight: it must be more than 0; to leave a file out, name the others as inputs, or in an @LIST" \
    one.folded two.folded --weight two.folded=$nothing
done
printf 'main;a 0\n' > nothing.folded
refused "no sample of the inputs has a value" nothing.folded
refused "nothing is left: the inputs contain no counts, or all of them are rounded to 0, because --weight one.folded=1/1000 is below 1; use weights of 1 or more" \
  one.folded --weight one.folded=0.001
refused "16 hexadecimal digits or more expected" two.folded --build-id 12
cp one.folded x.folded
"$pgo" merge x.folded -o x.folded 2> refused.log && fail "replaced its input"
grep -q "would replace x.folded, which is read" refused.log
rm x.folded

# Figures go to a file and to standard output alike; so does an error, where JSON was asked for.
"$pgo" merge one.folded two.folded -o x.folded --report report.json --json > merged.json 2> merge.log || { cat merge.log; fail "cannot merge"; }
cmp report.json merged.json
grep -q '"inputs": 2' report.json || { cat report.json; fail "no figures in the report"; }
"$pgo" merge two.folded -o x.folded --report two.folded 2> refused.log && fail "replaced its input by the report"
grep -qx "pgo: error: --report two.folded would replace two.folded, which is read" refused.log || { cat refused.log; fail "other words"; }
"$pgo" merge two.folded -o x.folded --build-id 0011223344556677 --json > error.json 2> refused.log && fail "took a build that is not there"
grep -q '"kind": "empty"' error.json || { cat error.json; fail "no error as JSON"; }
grep -q '"message": "no input has samples of the builds that --build-id names' error.json || { cat error.json; fail "other words as JSON"; }

# A profile is cut short, or is none; a directory may hold other files.
head -c 9 one.folded > cut.folded
expect "main;a 10 " "$(sums cut.folded)"
"$pgo" merge cut.folded -o x.folded 2> merge.log
grep -q '^pgo: warning: cut.folded: folded stacks: the last line does not end with a newline: was the file cut short?' merge.log ||
  { cat merge.log; fail "does not say that a file may be cut short"; }
rm x.folded
{ for i in 1 2 3 4 5 6 7 8; do echo "main;f$i 1"; done; printf 'main;b'; } > cut.folded
refused "cut.folded: line 9: frames and a count expected (main;work 42), found 'main;b'" cut.folded
echo "no profile" > text
refused "text: begins with 'no profi', which is none of the known formats" text
mkdir all
cp one.folded text all
expect "main;a 10 main;b 1 " "$(sums all)"

# So may damaged ones, unless they are all.
mkdir damaged
cp cut.folded damaged
refused "no input is a stack profile; skipped: damaged/cut.folded: line 9: frames and a count expected" damaged
cp one.folded damaged
expect "main;a 10 main;b 1 " "$(sums damaged)"
"$pgo" merge damaged -o x.folded --json > merged.json 2> merge.log || { cat merge.log; fail "cannot merge"; }
grep -q '^pgo: warning: skipped: damaged/cut.folded: line 9: frames and a count expected' merge.log ||
  { cat merge.log; fail "does not name what is damaged"; }
grep -q '"kind": "damaged-input"' merged.json || { cat merged.json; fail "not in the figures"; }
rm x.folded
# Nor those that may not be read.
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --bounding-set=-dac_override,-dac_read_search)
cp one.folded damaged/closed.folded
chmod 000 damaged/closed.folded
"${as_user[@]}" "$pgo" merge damaged -o x.folded 2> merge.log || { cat merge.log; fail "stops at what it may not read"; }
cmp one.folded x.folded
grep -qx 'pgo: warning: skipped: damaged/closed.folded: cannot open: Permission denied' merge.log ||
  { cat merge.log; fail "does not name what it may not read"; }
rm -f x.folded damaged/closed.folded

# What is written into a directory that is read does not count the next time.
for again in 1 2; do
  "$pgo" merge all -o all/sum.folded --json > merged.json 2> merge.log || { cat merge.log; fail "cannot merge"; }
  cmp one.folded all/sum.folded
done
grep -qx "pgo: warning: all/sum.folded: is an output of this command and was not read" merge.log || { cat merge.log; fail "not said"; }
grep -q '"all/sum.folded: is an output of this command' merged.json || { cat merged.json; fail "not in the figures"; }
mkdir alone
cp one.folded alone/sum.folded
"$pgo" merge alone -o alone/sum.folded 2> refused.log && fail "read its output"
grep -qx "pgo: error: alone/sum.folded: is an output of this command, and there is nothing else to read" refused.log ||
  { cat refused.log; fail "another error"; }

# Sample types and builds of pprof profiles.
python3 "$here/../bench/make_pprofs.py" fleet 4
"$pgo" merge fleet --sample-type samples -o samples.pb.gz --json 2> /dev/null > figures.json
python3 - << 'END'
import json
figures = json.load(open("figures.json"))
assert figures["inputs"] == 4 and list(figures["totals"]) == ["samples/count"], figures
assert figures["totals"]["samples/count"] == 280, figures
assert figures["builds"][0]["build_id"] == "8d41b0ae5f7e2f0a1b2c3d4e5f60718293a4b5c6", figures
END
"$pgo" merge fleet --build-id 8d41b0ae5f7e2f0a -o whole.pb.gz 2> /dev/null
"$pgo" merge fleet -o fleet.pb.gz 2> /dev/null
cmp whole.pb.gz fleet.pb.gz

# Hosts and durations: red sent two profiles of 10 s, blue one of 20 s.
cat > hosts.py << END
import sys
sys.path.insert(0, "$here/../bench")
from make_pprofs import number, packed, sized
texts = ["", "samples", "count", "main", "host", "red", "blue"]
for name, host, seconds, count in [("red1", 5, 10, 10), ("red2", 5, 10, 20), ("blue", 6, 20, 90)]:
    label = sized(3, number(1, 4) + number(2, host))
    open(name + ".pb", "wb").write(
        sized(1, number(1, 1) + number(2, 2)) + sized(2, packed(1, [1]) + packed(2, [count]) + label)
        + sized(4, number(1, 1) + sized(4, number(1, 1))) + sized(5, number(1, 1) + number(2, 3))
        + b"".join(sized(6, text.encode()) for text in texts) + number(10, seconds * 10**9))
END
python3 hosts.py
counts() { # ARGUMENT...: the counts by host
  "$pgo" merge red1.pb red2.pb blue.pb "$@" -o counts.pb.gz 2> counts.log || fail "$(cat counts.log)"
  python3 "$here/pprof_samples.py" counts.pb.gz | sed "s/^\([0-9]*\) .*'\(red\|blue\)'.*/\2 \1/" | sort |
    tr '\n' ' '
}
expect "blue 90 red 30 " "$(counts)"
# On average, an input took 40 / 3 s: (10 + 20) * 4 / 3 and 90 * 2 / 3.
expect "blue 60 red 40 " "$(counts --normalize duration)"
expect "blue 40 red 80 " "$(counts --normalize samples)"
expect "blue 60 red 60 " "$(counts --normalize host)"
expect "blue 120 red 60 " "$(counts --normalize host --weight blue.pb=2)"
"$pgo" merge counts.pb.gz --normalize host -o x.pb.gz 2> refused.log && fail "took several hosts"
grep -q "has samples of several hosts, by its label 'host'" refused.log
"$pgo" merge red1.pb --normalize host --host-label pod -o x.pb.gz 2> refused.log && fail "took no host"
grep -q "red1.pb: has no host, by its label 'pod'" refused.log

# Samples of several periods: what is beside them tells their time when pgo convert takes it for that.
cat > periods.py << END
import sys
sys.path.insert(0, "$here/../bench")
from make_pprofs import number, packed, sized
beside, unit = sys.argv[1:]
texts = ["", "samples", "count", "cpu", "nanoseconds", beside, unit, "main"]
for name, period in [("slow", 10**7), ("fast", 10**6)]:
    types, values = [(1, 2), (5, 6)], [100, 100 * period]
    if beside == "none":
        types, values = types[:1], values[:1]
    open(name + ".pb", "wb").write(
        b"".join(sized(1, number(1, type) + number(2, unit)) for type, unit in types)
        + sized(2, packed(1, [1]) + packed(2, values))
        + sized(4, number(1, 1) + sized(4, number(1, 1))) + sized(5, number(1, 1) + number(2, 7))
        + b"".join(sized(6, text.encode()) for text in texts) + sized(11, number(1, 3) + number(2, 4)) + number(12, period))
END
several="the profiles have periods of 1000000 to 10000000 nanoseconds and no values in time, so all their \
samples get the same weight; to weight them by period, give them to pgo convert without merging"
for beside in "cpu nanoseconds" "cpu ns" "none -" "wall nanoseconds" "cpu cores"; do
  python3 periods.py $beside
  "$pgo" merge slow.pb fast.pb -o periods.pb 2> periods.log || { cat periods.log; fail "cannot merge periods"; }
  case $beside in
    cpu\ n*) ! grep -q "count alike" periods.log || fail "says that $beside is no time" ;;
    *) grep -qxF "pgo: warning: $several" periods.log || { cat periods.log; fail "takes $beside for the time"; } ;;
  esac
done

# Labels go, or get another key; what then is the same becomes one.
labels() {
  "$pgo" merge red1.pb red2.pb blue.pb "$@" -o labels.pb.gz 2> labels.log || fail "$(cat labels.log)"
  python3 "$here/pprof_samples.py" labels.pb.gz | sed "s/^\([0-9]*\) .*\] \(\[.*\]\) \[\]$/\1 \2/" | tr '\n' ' '
}
expect "120 [] " "$(labels --drop-label host)"
expect "120 [] " "$(labels --keep-label tenant)"
expect "90 [('pod', 'blue')] 30 [('pod', 'red')] " "$(labels --rename-label host=pod)"
