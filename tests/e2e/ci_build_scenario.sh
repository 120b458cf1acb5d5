# Sourced by tests of builds, after ci_templates_prelude.sh and cmake_prelude.sh: `builds FILE COMMAND...`, where COMMAND
# STATUS runs the job, which shows in FILE what changes in pgo.lock, if it is a request's. A test of another build system
# redefines these:

# new_project: in `source`. Its one test passes.
new_project() {
  project source << 'END'
prodpgo_profile(server LOCK pgo.lock)
prodpgo_optimize(small PROFILE server)
enable_testing()
add_test(NAME runs COMMAND small 10)
END
  rm source/small.proftext
}
program=build/small           # in the checkout
passed='100% tests passed'    # what the job prints
without_profile=2             # its exit code without the pinned profile

builds() {
  export CMAKE_PREFIX_PATH=$BUILD_DIR PRODPGO_CACHE=$work/cache
  local first
  rm -rf cache
  new_repository
  new_project
  printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > next.proftext
  (cd source && "$bin/pgo" refresh) > log 2>&1 || { cat log; fail "cannot pin"; }
  rm source/summary.md
  first=$(sha256sum < next.proftext)
  commit .

  # The main branch: built with the profile, from a cache that is empty at first.
  rm -rf cache
  REGISTRY_LOGIN='{"auths": {"a": {}}}' EVENT=push "${@:2}" 0
  expect "login that reads" '{"auths": {"a": {}}}' "$(cat job/home/.docker/config.json)"
  ! grep -F 'HEAD:pgo.lock' "$1" || fail "shows a change of pgo.lock on the main branch"
  grep -F "$passed" job.log > found || { cat job.log; fail "the tests did not run"; }
  "$pgo" show "job/checkout/$program" > shown
  grep -qF "${first:0:12}" shown || { cat shown; fail "was not built with the profile"; }

  # A request with another profile.
  printf 'main:1000:1\n 3: 2\n 4: 100 _ZL5inneri:100\n' > next.proftext
  git -C source switch --quiet --create change
  (cd source && "$bin/pgo" refresh) > log 2>&1 || { cat log; fail "cannot pin"; }
  git -C source commit --quiet --message Change pgo.lock
  git -C source push --quiet origin change
  REF=change EVENT=pull_request "${@:2}" 0
  grep -qF "$(jq -r .profiles.server.manifest source/pgo.lock | cut -c 1-19)" "$1" ||
    { cat "$1"; fail "does not show what changes"; }

  # Without a login there is no empty configuration of docker; without the pinned profile there is no build.
  rm -r cache registry
  REGISTRY_LOGIN='' EVENT=push "${@:2}" "$without_profile"
  ! [ -e job/home/.docker/config.json ] || fail "an empty config.json"
}
