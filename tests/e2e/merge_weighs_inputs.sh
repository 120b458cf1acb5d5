# Weights, normalization, labels and sample types of pgo merge. Folded stacks show the sums.
. "$(dirname "$0")/prelude.sh"

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
refused "--weight one.folded=2: one.folded is no input" two.folded --weight one.folded=2
refused "'1/0' is no weight" two.folded --weight two.folded=1/0
refused "does not count cpu, but samples/count" two.folded --sample-type cpu
refused "no sample is of the builds that --build-id names" two.folded --build-id 0011223344556677
refused "no sample of the inputs has a value" two.folded --weight two.folded=0
refused "16 hexadecimal digits or more expected" two.folded --build-id 12
cp one.folded x.folded
"$pgo" merge x.folded -o x.folded 2> refused.log && fail "replaced its input"
grep -q "would replace x.folded, which is read" refused.log

# A profile is cut short, or is none; a directory may hold other files.
head -c 9 one.folded > cut.folded
refused "cut.folded: folded stacks: the last line does not end" cut.folded
echo "no profile" > text
refused "text: is no profile of stacks" text
mkdir all
cp one.folded text all
expect "main;a 10 main;b 1 " "$(sums all)"

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
