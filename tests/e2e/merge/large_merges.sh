# samples/large-merges/merge_shard.sh, the task of an Indexed Job: all shards, in any order, one of
# them twice at once, give the bytes of one merge.
. "$(dirname "$0")/../prelude.sh"

task=$here/../../samples/large-merges/merge_shard.sh
python3 "$here/../bench/make_pprofs.py" fleet 30
"$pgo" merge fleet -o once.pb.gz 2> /dev/null
export PGO=$pgo PROFILES=fleet OUTPUT=shards SHARDS=40 SUFFIX=.pb.gz
run() { "$task" > task.log 2>&1 || { cat task.log; fail "the task failed"; }; }
status=0
"$task" 2> refused.log || status=$?
[ "$status" = 2 ] || fail "merges no shards: $status"
grep -qF "shards/0.pb.gz is missing: run shard 0 again" refused.log || { cat refused.log; fail "does not name what is missing"; }
for shard in $(seq 0 39 | shuf); do SHARD=$shard run; done
SHARD=3 "$task" 2> /dev/null & first=$!
SHARD=3 run
wait $first
run
cmp once.pb.gz shards/merged.pb.gz
"$task" > /dev/null 2>&1 || fail "cannot merge again"
cmp once.pb.gz shards/merged.pb.gz
