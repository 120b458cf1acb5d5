#!/usr/bin/env python3
"""Merges the profiles of a large fleet in Spark.

Usage: spark-submit spark_merge.py [--partitions N] [--fan-in N] [--pgo PGO] NAMES SHARED OUTPUT

NAMES is a file with the path of one profile on each line, and SHARED a directory; all workers must reach both the
profiles and SHARED by the same paths. Each task gets names, not bytes: Spark pipes them into `pgo merge`, which writes
the merged profile of its partition into SHARED, under the digest of its contents, and prints its path. When there are
more than --fan-in of these, tasks merge them again. The driver merges the last ones into OUTPUT.

The bytes of OUTPUT depend neither on the number of partitions, nor on the order of the names, nor on tasks that were
killed and tried again: a task that is run twice writes the same file twice. SHARED can be removed afterwards.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import tempfile

from pyspark.sql import SparkSession

# In a task. A partition without names has nothing to do. `--shard 0/1` merges all inputs of the task into a profile that
# is to be merged again. The file gets its name when it is complete.
TASK = """
set -eu
work=$(mktemp -d "$SHARED/task.XXXXXX")
trap 'rm -rf "$work"' EXIT
cat > "$work/names"
[ -s "$work/names" ] || exit 0
"$PGO" merge "@$work/names" --shard 0/1 -j 1 -o "$work/merged$SUFFIX" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
digest=$(sha256sum "$work/merged$SUFFIX" | cut -d ' ' -f 1)
mv "$work/merged$SUFFIX" "$SHARED/$digest$SUFFIX"
echo "$SHARED/$digest$SUFFIX"
"""


def merge_in_tasks(context, names, partitions, environment):
    """Paths of the profiles that the tasks wrote, one for each partition that had names. Two partitions may write
    equal profiles, which then count twice, by one path."""
    task = "sh -c " + shlex.quote(TASK)
    return context.parallelize(names, partitions).pipe(task, env=environment, checkCode=True).collect()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--partitions", type=int, default=64)
    parser.add_argument("--fan-in", type=int, default=256)
    parser.add_argument("--pgo", default="pgo")
    parser.add_argument("names", type=pathlib.Path)
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    arguments = parser.parse_args()
    suffix = ".pb.gz" if arguments.output.name.endswith(".pb.gz") else arguments.output.suffix
    names = arguments.names.read_text(encoding="utf-8").splitlines()
    arguments.shared.mkdir(parents=True, exist_ok=True)
    environment = {"PGO": arguments.pgo, "SHARED": str(arguments.shared.resolve()), "SUFFIX": suffix,
                   "PATH": os.environ.get("PATH", os.defpath)}  # tasks get no other variables
    session = SparkSession.builder.appName("pgo merge").getOrCreate()
    try:
        merged = merge_in_tasks(session.sparkContext, names, arguments.partitions, environment)
        while len(merged) > arguments.fan_in:
            groups = -(-len(merged) // arguments.fan_in)
            merged = merge_in_tasks(session.sparkContext, merged, groups, environment)
    finally:
        session.stop()
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".names") as last:
        last.write("".join(f"{path}\n" for path in merged))
        last.flush()
        subprocess.run([arguments.pgo, "merge", f"@{last.name}", "-o", str(arguments.output)], check=True)


if __name__ == "__main__":
    main()
