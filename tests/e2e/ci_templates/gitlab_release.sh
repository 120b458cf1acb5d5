# The release of GitLab archives, and promotes or rolls back as pgo verify says; after a failure it proposes the profile
# before.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/cmake_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_release_scenario.sh"
start_forge
release_job() { play "$1" gitlab prodpgo-release.yml prodpgo-release; }
verify_job() {
  rm -f verify.*
  play "$1" gitlab prodpgo-release.yml prodpgo-verify
  [ "$1" = 2 ] || cp job/checkout/verify.* .
}
previous_job() {
  local ARTIFACTS
  ARTIFACTS=$(echo "$PWD"/verify.*)
  export ARTIFACTS
  play "$1" gitlab prodpgo-release.yml prodpgo-previous
}
releases 0
grep -F '<testsuite' verify.xml > /dev/null || fail "no JUnit XML"
stop_servers
