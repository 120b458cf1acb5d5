# Shards of a merge, on as many machines as there are, give the bytes of one merge: of names on standard input, in any
# order, also of more shards than inputs, and of shards of shards.
. "$(dirname "$0")/../prelude.sh"

python3 "$here/../bench/make_pprofs.py" fleet 30
merge() { "$pgo" merge "$@" 2> merge.log || { cat merge.log; fail "cannot merge $*"; }; }
refused() { # TEXT ARGUMENT...
  local status=0
  "$pgo" merge "${@:2}" 2> refused.log < /dev/null || status=$?
  [ "$status" = 2 ] || fail "exit status $status: $*"
  grep -qF -- "$1" refused.log || fail "expected '$1', got $(cat refused.log)"
}
merge fleet -o once.pb.gz
find fleet -type f > names
merge @- -o out.pb.gz < names
cmp once.pb.gz out.pb.gz

empty=0
for count in 1 2 7 64; do
  mkdir -p parts$count
  for index in $(seq 0 $((count - 1))); do
    shuf names | merge @- --shard "$index/$count" -o "parts$count/$index.pb.gz"
    ! grep -q "^pgo: shard $index/$count: none of 30 inputs, so the output is an empty profile$" merge.log ||
      empty=$((empty + 1))
  done
  merge parts$count -o out.pb.gz
  cmp once.pb.gz out.pb.gz
done
[ "$empty" -ge 34 ] || fail "only $empty of 64 shards of 30 inputs are empty"
for index in 0 1 2; do merge parts7 --shard $index/3 -o again$index.pb.gz; done
merge again?.pb.gz -o out.pb.gz
cmp once.pb.gz out.pb.gz

# A shard says how much it has, and is a profile like others.
merge fleet --shard 0/2 -o half.pb.gz --json > half.json
python3 - << 'END'
import json
shard, inputs = (json.load(open("half.json"))[key] for key in ("shard", "inputs"))
assert shard == {"index": 0, "count": 2, "inputs_of_all": 30} and 0 < inputs < 30, (shard, inputs)
END
grep -qE '^pgo: shard 0/2: [0-9]+ of 30 inputs$' merge.log || { cat merge.log; fail "does not say how many"; }
"$pgo" show parts64/0.pb.gz > show.log 2>&1 || { cat show.log; fail "cannot show a shard"; }

# What would not give the same is refused, whichever inputs the shard has.
name=$(head -n 1 names)
refused "--shard 2/2: shards are numbered from 0, so the last one is 1/2" fleet --shard 2/2 -o x.pb.gz
refused "--shard half: two numbers expected, as in 3/16" fleet --shard half -o x.pb.gz
for index in 0 1; do
  refused "--shard does not apply together with --normalize, which needs the totals of all inputs; merge all inputs at once, or give whole weights" \
    fleet --shard $index/2 --normalize samples -o x.pb.gz
  refused "--weight $name=3/2: with --shard, weights are whole numbers, because each shard is rounded on its own" \
    fleet --shard $index/2 --weight "$name=3/2" -o x.pb.gz
  refused "-o x.folded: a shard is merged again, and only address profiles (.addr) and pprof (.pb.gz) keep all that this needs" \
    fleet --shard $index/2 -o x.folded
done
refused "--shard does not apply to LLVM sample profiles" fleet --shard 0/2 -o x.prof
refused "the list of inputs is empty" @- -o x.pb.gz
refused "@-: is named twice, and standard input is read once" @- @- -o x.pb.gz
refused "-: standard input is an input, and @- reads the names of inputs from it; write the names to a file, and name it as @LIST" \
  @- - -o x.pb.gz
refused "--weight @-=2: the names on standard input are read once; write them to a file, and name it twice: as input @LIST, and in the weight" \
  fleet --weight @-=2 -o x.pb.gz
for left in x.pb.gz x.folded x.prof; do [ ! -e $left ] || fail "an error left $left"; done

# Whole weights: as if the input were named that often.
merge fleet --weight "$name=2" -o twice.pb.gz
for index in 0 1; do merge fleet --weight "$name=2" --shard $index/2 -o half$index.pb.gz; done
merge half0.pb.gz half1.pb.gz -o out.pb.gz
cmp twice.pb.gz out.pb.gz
