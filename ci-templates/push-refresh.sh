#!/bin/sh
# The weekly job without CI, as a Kubernetes CronJob or a systemd timer runs it: clones REPOSITORY into the current
# directory, runs `pgo refresh` there, and pushes what it pinned as the branch prodpgo/refresh. It needs git and jq.
#
#   REPOSITORY      the URL of the repository with pgo.toml. git takes credentials from ~/.netrc
#   PUSH_OPTIONS    options of `git push`. With those of GitLab, it opens or updates the merge request, too
#
# Arguments are options of pgo refresh. The exit code is that of pgo refresh, or 4 if a command before or after it fails:
# the push is refused, say.
set -eu
code=4
trap '[ $code != 4 ] || echo "push-refresh.sh: a command failed, so nothing was proposed; see its message above" >&2; exit $code' EXIT
rm -rf repository
git clone --quiet --depth=1 "$REPOSITORY" repository
cd repository
refreshed=0
pgo refresh --report refresh.json "$@" || refreshed=$? # 1: a gate failed. Other services of pgo.toml may be pinned
[ -s refresh.json ] || { code=$refreshed; exit; } # an error before anything was pinned
jq -r '.services[] | select(.outcome == "pinned") | .lock' refresh.json > files.txt
if [ -s files.txt ]; then # something was pinned
  echo summary.md >> files.txt
  git switch --quiet --force-create prodpgo/refresh
  git add --pathspec-from-file=files.txt
  if ! git fetch --depth=1 origin prodpgo/refresh || ! xargs -d\\n git diff --cached --quiet FETCH_HEAD -- < files.txt; then
    { echo 'Use newer profiles'; echo; cat summary.md; } > ../message # GitLab's request has it as its description
    git -c user.name=prodpgo -c user.email=prodpgo@example.com commit --quiet --cleanup=whitespace --file ../message
    # shellcheck disable=SC2086 # a list of options
    git push --quiet --force ${PUSH_OPTIONS-} origin prodpgo/refresh
  fi
fi
code=$refreshed
pgo status || : # what is pinned, for the log. It decides nothing: 1 is that a profile is due
