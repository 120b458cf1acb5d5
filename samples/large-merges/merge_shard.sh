#!/bin/sh
# One task of a large merge: merges shard number SHARD of SHARDS of the profiles below PROFILES into
# OUTPUT/SHARD.addr. Any engine can run the tasks that gives each a number from 0: in a Kubernetes job of
# completion mode Indexed, SHARD is $JOB_COMPLETION_INDEX. Run the same script without SHARD once all
# tasks are done: it merges their outputs into OUTPUT/merged.addr.
#
# The output appears whole or not at all, so a task that was killed can be started again, even twice at
# once: each writes the same bytes.
set -eu

: "${PROFILES:?is the directory with the profiles of the hosts}"
: "${OUTPUT:?is a directory for the results, outside of PROFILES}"
: "${SHARDS:?is the number of shards}"
pgo=${PGO:-pgo}
suffix=${SUFFIX:-.addr} # or .pb.gz

mkdir -p "$OUTPUT"
if [ -n "${SHARD-}" ]; then
  find "$PROFILES" -type f -name "*$suffix" | "$pgo" merge @- --shard "$SHARD/$SHARDS" -o "$OUTPUT/$SHARD$suffix"
  exit
fi

set --
number=0
while [ "$number" -lt "$SHARDS" ]; do
  if [ ! -e "$OUTPUT/$number$suffix" ]; then
    echo "$0: $OUTPUT/$number$suffix is missing: run shard $number again" >&2
    exit 2
  fi
  set -- "$@" "$OUTPUT/$number$suffix"
  number=$((number + 1))
done
"$pgo" merge "$@" -o "$OUTPUT/merged$suffix"
