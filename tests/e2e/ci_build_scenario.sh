# Sourced by tests of builds, after ci_templates_prelude.sh and cmake_prelude.sh: `builds`, which calls build_job STATUS
# FILE: the job, which shows what changes in pgo.lock in FILE of `job`, if it is a request's.

builds() {
  export CMAKE_PREFIX_PATH=$BUILD_DIR PRODPGO_CACHE=$work/cache
  local first
  new_repository
  project source << 'END'
prodpgo_profile(server LOCK pgo.lock)
prodpgo_optimize(small PROFILE server)
enable_testing()
add_test(NAME runs COMMAND small 10)
END
  rm source/small.proftext
  printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > next.proftext
  (cd source && "$bin/pgo" refresh) > log 2>&1 || { cat log; fail "cannot pin"; }
  rm source/summary.md
  first=$(sha256sum < next.proftext)
  commit .

  # The main branch: built with the profile, from a cache that is empty at first.
  rm -rf cache
  REGISTRY_LOGIN='{"auths": {"a": {}}}' EVENT=push build_job 0 "$1"
  expect "login" '{"auths": {"a": {}}}' "$(cat job/home/.docker/config.json)"
  ! [ -s "job/$1" ] || fail "shows a change of pgo.lock on the main branch"
  "$pgo" show job/checkout/build/small > shown
  grep -qF "${first:0:12}" shown || { cat shown; fail "was not built with the profile"; }

  # A request with another profile.
  printf 'main:1000:1\n 3: 2\n 4: 100 _ZL5inneri:100\n' > next.proftext
  git -C source switch --quiet --create change
  (cd source && "$bin/pgo" refresh) > log 2>&1 || { cat log; fail "cannot pin"; }
  git -C source commit --quiet --message Change pgo.lock
  git -C source push --quiet origin change
  REF=change EVENT=pull_request build_job 0 "$1"
  grep -qF "$(jq -r .profiles.server.manifest source/pgo.lock | cut -c 1-19)" "job/$1" ||
    { cat "job/$1"; fail "does not show what changes"; }

  # Without a login there is no empty configuration of docker; without the pinned profile there is no build.
  rm -r cache registry
  REGISTRY_LOGIN='' EVENT=push build_job 2 "$1"
  ! [ -e job/home/.docker/config.json ] || fail "an empty config.json"
}
