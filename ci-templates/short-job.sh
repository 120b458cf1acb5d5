#!/bin/sh
# Runs a short job (CI, cron, a function such as Lambda) and uploads its profile:
#
#   SERVICE=importer DESTINATION=s3://profiles short-job.sh ./importer --all
#
# The image has pgo and perf. In a function, this is the command of the handler: the job is one invocation. Where perf
# may not record, or the upload fails, the job runs all the same, and standard error says so: its exit code is that of
# the command alone; 2 if there is no such command. ENGINE=perf takes branch records instead of clock samples. What this costs: docs/guide/capture.md.
set -eu
: "${SERVICE:?names the job in the store}" "${DESTINATION:?is a directory, a bucket or a store}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! pgo record --no-clock --engine "${ENGINE:-clock}" -o "$work/trial.data" -- true 2> "$work/log"; then
  tail -n 1 "$work/log" >&2
  "$@"
  exit
fi
status=0
pgo record --no-clock --engine "${ENGINE:-clock}" -o "$work/job.data" -- "$@" || status=$?
if [ -s "$work/job.data" ]; then
  pgo upload "$work/job.data" "$DESTINATION" --label "service=$SERVICE" || echo "the profile was not uploaded" >&2
fi
exit "$status"
