# Sourced by tests of releases, after ci_templates_prelude.sh and cmake_prelude.sh: `releases SKIPPED` plays releases whose
# canary is as good, is worse, tells nothing, has no profiles, and runs another version. It calls release_job, verify_job and previous_job
# STATUS, and shows_verdict VERDICT; a job that proposes nothing exits with SKIPPED.

# stacks DIRECTORY GROWTH BUILD [HOURS]: stacks of eight hosts ($hosts) that ran the build HOURS ago, whose function `parse`
# grew by GROWTH percent. Hosts differ a little.
stacks() {
  local hour host made
  hour=$(date -u -d "${4-0} hours ago" +%Y-%m-%dT%H)
  mkdir -p "store/$1/$hour" "profiles/$2-$3"
  for ((host = 0; host < ${hosts-8}; host++)); do
    made=profiles/$2-$3/host$host.pb
    [ -e "$made" ] || printf 'map server %s\nmain;serve;parse %d\nmain;serve;reply %d\nmain;serve;log %d\n' "$3" \
      $(((9000 + host * 7) * (100 + $2) / 100)) $((8000 - host * 5)) $((7000 + host * 3)) |
      python3 "$here/built_pprof.py" "$made" samples/count
    cp "$made" "store/$1/$hour/"
  done
}
deployed() { if [ -e deployed ]; then cat deployed; fi; }

releases() {
  export REF=v1.2 SETTINGS="ARCHIVE=$work/archive
PROFILES=dir:$work/store
PROFILES_PATHS={track}/{hour}/{host}.pb
PROFILE=server"
  export PRODPGO_CACHE=$work/cache CMAKE_PREFIX_PATH=$BUILD_DIR
  local step before built earlier=0123456789abcdef0123
  rm -rf deployed store archive cache
  new_repository

  # Two profiles, one after the other; the program; and the scripts of the team.
  project source << 'END'
set_target_properties(small PROPERTIES OUTPUT_NAME server)
prodpgo_profile(server LOCK pgo.lock)
prodpgo_optimize(small PROFILE server)
prodpgo_archive(small)
add_custom_target(server-archive DEPENDS small-archive)
END
  mkdir -p source/deploy
  for step in canary promote rollback; do
    printf '#!/bin/sh\n%s\necho "%s $*" >> "%s/deployed"\n' \
      "$([ $step != canary ] || echo 'cmp "$1" build/server')" $step "$work" > source/deploy/$step
  done
  printf '#!/bin/sh\ncat "%s/running"\n' "$work" > source/deploy/running
  echo v1.2 > running
  chmod +x source/deploy/*
  for step in 1 2; do
    printf 'main:1000:1\n 3: %d\n 4: 100 _ZL5inneri:100\n' $step > next.proftext
    (cd source && "$bin/pgo" refresh) > log 2>&1 || { cat log; fail "cannot pin"; }
  done
  rm source/summary.md source/small.proftext
  commit .
  git -C source tag v1.2
  git -C source push --quiet origin v1.2
  before=$(jq -r .profiles.server.previous source/pgo.lock)

  # From a cache that is empty at first.
  rm -rf cache

  # The release itself: what was built is in the archive, by its build ID, and is what went to the canary.
  release_job 0
  expect "deployed" "canary build/server v1.2" "$(deployed)"
  "$pgo" show job/checkout/build/server > shown
  grep -qF "server" shown
  find archive -type f -not -name '*.debug' -not -name '*.sha256' > archived
  expect "archived programs" 1 "$(wc -l < archived)"
  cmp "$(cat archived)" job/checkout/build/server

  built=$("$pgo" show job/checkout/build/server --json | jq -r .build_id)

  # As good as the stable hosts.
  rm -f deployed
  stacks stable 0 $earlier
  stacks canary 0 "$built"
  verify_job 0
  shows_verdict pass
  expect "after a pass" "promote v1.2" "$(deployed)"
  previous_job "$1"

  # Only one host a side, which tells nothing: nobody decides.
  rm -rf deployed store
  hosts=1 stacks stable 0 $earlier
  hosts=1 stacks canary 0 "$built"
  verify_job 3
  expect "when inconclusive" "" "$(deployed)"
  previous_job "$1"

  # No profiles of the canary but those from before the deployment.
  rm -r store/canary
  stacks canary 0 $earlier
  verify_job 2
  expect "without profiles" "" "$(deployed)"
  expect "requests" "" "$(requests '.[].number')"

  # The canary runs another version by now, which is not worse.
  stacks stable 0 $earlier
  stacks canary 0 "$built"
  echo v1.3 > running
  verify_job 2
  expect "with another version" "" "$(deployed)"
  previous_job "$1"
  echo v1.2 > running

  # Worse: rolled back, and the profile before is proposed. Half of the window is from before the deployment.
  stacks stable 0 $earlier 1
  stacks canary 0 $earlier 1
  stacks canary 60 "$built"
  verify_job 1
  shows_verdict fail
  expect "after a failure" "rollback v1.2" "$(deployed)"
  previous_job 0
  expect "request" "1 prodpgo/previous Use the profile before v1.2" "$(requests '.[] | "\(.number) \(.branch) \(.title)"')"
  requests '.[0].body' > body.md
  grep -qF "$(jq -r .profiles.server.manifest source/pgo.lock | cut -c 1-19)" body.md || { cat body.md; fail "the request does not say what changes"; }
  expect "changed files" pgo.lock "$(git_origin diff --name-only main prodpgo/previous | xargs)"
  expect "pinned" "$before" "$(git_origin show prodpgo/previous:pgo.lock | jq -r .profiles.server.manifest)"

  # The request of an earlier release is still open, and a stranger has one from a branch of the same name in a fork.
  requests '.[0] + {"title": "earlier", "body": "earlier"}' > earlier.json
  jq -n '[input, {"number": 2, "branch": "prodpgo/previous", "title": "x", "body": "x", "state": "open", "fork": true}]' \
    earlier.json > "$FORGE/requests.json"
  previous_job 0
  expect "request" "1 Use the profile before v1.2,2 x" "$(requests '[.[] | "\(.number) \(.title)"] | join(",")')"
  expect "body" "$(cat body.md)" "$(requests '.[0].body')"
}
