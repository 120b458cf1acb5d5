# The Jobs of a large merge: the pods of all shards and the one after them write the bytes of one merge.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_sandbox_prelude.sh"
. "$here/archive_prelude.sh"

mkdir -p volumes/profiles
for host in 1 2 3 4 5 6; do
  "$pgo" record --engine emulate --period 3$host -o host.perf -- ./unstripped > record.log 2>&1 ||
    skip "cannot record under emulation: $(tail -n 1 record.log)"
  "$pgo" convert host.perf --binary unstripped -o volumes/profiles/host$host.addr 2> convert.log
done
(cd volumes/profiles && "$pgo" merge . -o "$work/expected.addr") 2> merge.log

for shard in 0 1 2; do
  SETTINGS="SHARDS=3
JOB_COMPLETION_INDEX=$shard" sandboxed 0 kubernetes merge-shards-job.yaml
done
SETTINGS=LAST_SHARD=2 sandboxed 0 kubernetes merge-total-job.yaml
cmp expected.addr volumes/prodpgo-merged/all.addr

# A shard is missing.
rm volumes/prodpgo-merged/shard-1.addr
SETTINGS=LAST_SHARD=2 sandboxed 2 kubernetes merge-total-job.yaml
grep -F shard-1.addr job.log > missing || { cat job.log; fail "does not name the missing shard"; }

# No profiles at all: the exit code that fails the Job at once.
rm volumes/profiles/*
SETTINGS="SHARDS=3
JOB_COMPLETION_INDEX=0" sandboxed 2 kubernetes merge-shards-job.yaml
