#!/bin/sh
# Runs a short job (CI, cron, a function such as Lambda) and uploads its profile:
#
#   SERVICE=importer DESTINATION=s3://profiles short-job.sh ./importer --all
#
# The image has pgo and perf. In a function, this is the command of the handler: the job is one invocation.
#
# - If perf may not record, the job runs without it. If the upload fails, the profile is lost. Standard error says so in
#   both cases. The exit code is the command's, or 2 if the command does not exist.
# - A profile of two or three samples is uploaded, too: the profiles of many runs are added up, and without those of short
#   runs, long runs would count too much. A run without samples has no profile.
# - ENGINE=perf takes branch records instead of clock samples. What this costs: docs/guide/capture.md of ProdPGO.
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
