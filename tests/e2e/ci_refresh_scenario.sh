# Sourced by tests of the weekly refresh, after ci_templates_prelude.sh: `weekly_refresh COMMAND...`, where COMMAND
# STATUS runs one refresh, which must exit with STATUS. It keeps one request with the newest profile up to date.

branch=prodpgo/refresh
lock='lock of server.json'

# request_is COUNT: there is one request, of that number, and it has what the branch has.
request_is() {
  expect "requests" "$1 $branch open" "$(requests '.[] | select(.fork | not) | select(.state == "open") | "\(.number) \(.branch) \(.state)"')"
  expect "title" "Use newer profiles" "$(requests ".[$1 - 1].title")"
  git_origin show "$branch:summary.md" > summary.md
  requests ".[$1 - 1].body" | cmp - <(cat summary.md && echo) || fail "the request does not have the summary"
}
# shows_what_is_due: in $status_file. Profiles of these tests do not say when they were recorded.
status_file=job.log
shows_what_is_due() {
  grep -E '^ *server .* due +sha256:' "$status_file" > /dev/null &&
    grep -F 'server is due: its age is not known' "$status_file" > /dev/null || { cat "$status_file"; fail "does not show what is due"; }
}
# only_opens_requests: for templates that do not edit a request that is open.
only_opens_requests() {
  request_is() {
    expect "requests" "$1 $branch Use newer profiles" \
      "$(requests '.[] | select(.fork | not) | select(.state == "open") | "\(.number) \(.branch) \(.title)"')"
    requests ".[$1 - 1].body" | grep -qF 'sha256:' || fail "the request has no summary"
  }
}
# branch_is: one commit on the main branch, with the two files, that pins the newest profile.
branch_is() {
  expect "commits on main" 1 "$(git_origin rev-list --count "main..$branch")"
  expect "main's part" "$(git_origin rev-parse main)" "$(git_origin rev-parse "$branch~1")"
  expect "changed files" "$lock summary.md" "$(git_origin diff --name-only main "$branch" | xargs)"
  git_origin show "$branch:$lock" | grep -qF "$(sha256sum < next.proftext | cut -d ' ' -f 1)" ||
    fail "the branch does not pin the newest profile"
}

# refuses_requests COMMAND...: after weekly_refresh. The forge takes the push, but no request.
refuses_requests() {
  rm "$FORGE/team/server.git/hooks/pre-receive"
  echo 'not JSON' > "$FORGE/requests.json"
  "$@" 4
  branch_is
}

weekly_refresh() {
  local first second
  new_repository
  # A stranger's request from a branch of the same name in a fork.
  printf '[{"number": 1, "branch": "%s", "title": "x", "body": "x", "state": "open", "fork": true}]' "$branch" > "$FORGE/requests.json"

  # The first profile: no pgo.lock yet.
  echo 0 > refresh_status
  profile 1000
  "$@" 0
  branch_is
  request_is 2
  shows_what_is_due
  expect "author" prodpgo "$(git_origin log -1 --format=%an $branch)"

  # Nothing new: no commit, no change.
  first=$(git_origin rev-parse $branch)
  cp "$FORGE/requests.json" before.json
  "$@" 0
  expect "branch" "$first" "$(git_origin rev-parse $branch)"
  cmp before.json "$FORGE/requests.json"

  # A newer one, while the request is open and the main branch goes on. A gate of another service fails.
  echo x > source/README
  commit README
  profile 2000
  echo 1 > refresh_status
  "$@" 1
  branch_is
  request_is 2

  # A gate fails, and nothing is pinned: nothing is pushed.
  git -C source pull --quiet origin $branch
  git -C source push --quiet origin main
  jq '.[1].state = "merged"' "$FORGE/requests.json" > edited.json
  mv edited.json "$FORGE/requests.json"
  second=$(git_origin rev-parse $branch)
  "$@" 1
  expect "branch" "$second" "$(git_origin rev-parse $branch)"
  # Likewise when all is up to date, and the forge has removed the merged branch.
  echo 0 > refresh_status
  git_origin update-ref -d refs/heads/$branch
  "$@" 0
  expect "branches" main "$(git_origin for-each-ref --format='%(refname:short)' refs/heads | xargs)"
  expect "open requests" "" "$(requests '.[] | select(.fork | not) | select(.state == "open") | .number')"

  # After the merge, the next one is a request of its own.
  profile 3000
  "$@" 0
  branch_is
  request_is 3
  expect "the stranger's" x "$(requests '.[0].body')"
  expect "branches" "main $branch" "$(git_origin for-each-ref --format='%(refname:short)' refs/heads | xargs)"

  # An error before anything is pinned.
  profile 4000
  second=$(git_origin rev-parse $branch)
  echo 2 > refresh_status
  "$@" 2
  ! grep -F "jq: error" job.log || fail "reads a report that was not written"
  expect "branch" "$second" "$(git_origin rev-parse $branch)"
  echo 0 > refresh_status

  # The forge refuses the push: that is not the exit code of a gate.
  printf '#!/bin/sh\nexit 1\n' > "$FORGE/team/server.git/hooks/pre-receive"
  chmod +x "$FORGE/team/server.git/hooks/pre-receive"
  "$@" 4
  expect "branch" "$second" "$(git_origin rev-parse $branch)"
}
