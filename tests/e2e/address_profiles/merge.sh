# pgo merge adds up address profiles: in any order to the same bytes, which are those of converting the
# recordings at once, each build for itself.
. "$(dirname "$0")/../perturbed_recording.sh"
need shuf

merge() { "$pgo" merge "$@" 2> merge.log || { cat merge.log; fail "cannot merge $*"; }; }
convert() { "$pgo" convert "$@" 2> convert.log || { cat convert.log; fail "cannot convert $*"; }; }
refused() { # TEXT ARGUMENT...
  local status=0
  "$pgo" merge "${@:2}" 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status: $*"
  grep -qF -- "$1" refused.log || fail "expected '$1', got $(cat refused.log)"
}

# Hosts that recorded parts of it, and PC samples of others.
mkdir hosts
for part in 0 1 2; do
  awk -v part=$part '/^sample/ && n++ % 3 != part { next } { print }' plain.txt | recording_from_text hosts/$part.data
done
for host in 3 4; do
  record_by_clock hosts/$host.data "$subject_prog" 8000
done
for host in 0 1 2 3 4; do convert hosts/$host.data --binary "$subject_prog" -o $host.addr; done

convert hosts --binary "$subject_prog" -o once.addr -o once.prof
convert hosts/3.data hosts/4.data --binary "$subject_prog" -o clock.prof
merge 0.addr 1.addr 2.addr 3.addr 4.addr -o merged.addr
same once.addr merged.addr
merge 3.addr 4.addr -o clock.addr
convert clock.addr --binary "$subject_prog" -o again.prof
same clock.prof again.prof
for order in 1 2 3; do
  merge -j $order $(shuf -e {0..4}.addr) -o again.addr
  same merged.addr again.addr
done
for shard in 0 1 2; do merge {0..4}.addr --shard $shard/3 -o shard$shard.addr; done
merge shard?.addr -o again.addr
same merged.addr again.addr
mkdir all
cp {1..4}.addr all
merge - all -o addr:- < 0.addr > again.addr
same merged.addr again.addr
merge 0.addr clock.addr -o some.addr
merge some.addr 1.addr 2.addr -o again.addr
same merged.addr again.addr

# Weights, and inputs that count alike: exact sums, rounded once.
sum_of() { "$pgo" show "$1" --json | python3 -c 'import json, sys; print(sum(b["count"] for b in json.load(sys.stdin)["builds"]))'; }
merge 0.addr 0.addr 1.addr -o twice.addr
merge 0.addr 1.addr --weight 0.addr=2 -o again.addr
same twice.addr again.addr
merge 0.addr 1.addr --weight 0.addr=1/2 --weight 1.addr=0.5 -o half.addr
merge half.addr half.addr -o whole.addr
[ "$(sum_of whole.addr)" -ge "$(($(sum_of 0.addr) + $(sum_of 1.addr)))" ] || fail "halves are less than the whole"
merge 0.addr 0.addr -o double.addr  # as many samples as both have on average: one and a half times
merge 0.addr double.addr --normalize samples -o alike.addr
merge 0.addr --weight 0.addr=3 -o again.addr
same again.addr alike.addr
refused "address profiles do not say how long or on which host they were recorded" 0.addr --normalize duration -o x.addr
refused "--drop-label does not apply to address profiles" 0.addr --drop-label pid -o x.addr
cp 0.addr thin.addr
refused "nothing is left: the inputs contain no counts, or all of them are rounded to 0, because --weight thin.addr=1/1000000 is below 1; use weights of 1 or more" \
  thin.addr --weight thin.addr=0.000001 -o x.addr

# Builds.
other_id=00112233445566778899aabbccddeeff00112233
python3 - "$subject_prog" "$build_id" $other_id << 'PY'
import sys
program, mine, other = sys.argv[1:]
open("other", "wb").write(open(program, "rb").read().replace(bytes.fromhex(mine), bytes.fromhex(other)))
PY
sed "s|path=$subject_prog|path=$PWD/other|" plain.txt | recording_from_text other.perf
convert other.perf --binary other -o other.addr
merge {0..2}.addr other.addr -o both.addr
grep -q "^pgo: 4 address profiles: [0-9 ]* different traces and addresses" merge.log || { cat merge.log; fail "does not say how much"; }
grep -q "^pgo: 50.0 % in build $other_id (other)" merge.log || { cat merge.log; fail "does not say how much each build has"; }
convert both.addr --binary other -o again.prof
convert other.perf --binary other -o other.prof
same other.prof again.prof
merge both.addr --build-id "${other_id:0:20}" -o again.addr
convert again.addr --binary other -o again.prof
same other.prof again.prof
refused "no input has counts of the builds that --build-id names" both.addr --build-id 0123456789abcdef -o x.addr

# Other kinds.
printf 'main;work 5\n' > stacks.folded
refused "stacks.folded: is folded stacks, and only address profiles are merged into one; 'pgo convert' makes them of recordings and pprof (--binary, -o x.addr)" 0.addr stacks.folded -o x.addr
refused "0.addr: is an address profile, not a stack profile (pprof, gperftools CPU profile, folded stacks); 'pgo convert' makes one of it, x.pb.gz" 0.addr stacks.folded -o x.folded
refused "-o x.addr is of address profiles, -o x.folded of stack profiles" 0.addr -o x.addr -o x.folded
refused "no input is an address profile, and only those are merged into one; 'pgo convert' makes them of recordings and pprof (--binary, -o x.addr)" hosts/ -o x.addr
cp stacks.folded all
merge all -o again.addr
grep -q "all/stacks.folded: was skipped: not an address profile" merge.log
zstd -dcq 0.addr | head -c -9 > all/cut.addr
"$pgo" merge all -o again.addr 2> merge.log || { cat merge.log; fail "stops at what is damaged"; }
grep -q "^pgo: warning: skipped: all/cut.addr: " merge.log || { cat merge.log; fail "does not name what is damaged"; }
refused "all/cut.addr: " all/cut.addr -o x.addr
# What is sound and not read here would be missing: an error even there.
mkdir newer
cp 0.addr newer
zstd -dcq 0.addr | LC_ALL=C sed '0,/profile\x10\x02/s//profile\x10\x03/' > newer/newer.addr
refused "newer/newer.addr: address profile: is of version 3 of this format, and versions 1 to 2 are supported" newer -o x.addr
status=0
"$pgo" convert newer --binary "$subject_prog" -o x.addr 2> refused.log || status=$?
[ "$status" = 2 ] || fail "converts without what is of a newer version"
for left in x.addr x.folded; do
  [ ! -e $left ] || fail "an error left $left"
done
