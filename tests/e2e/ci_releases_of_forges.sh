# Sourced by tests of releases, after ci_release_scenario.sh: `releases_of github|gitlab`, which plays the scenario with the
# template of that forge.

releases_of() {
  "$1_jobs"
  if [ "$1" = github ]; then releases 99; else releases 0; fi
}

github_jobs() {
  export NEEDS=needs
  rm -f needs
  release_job() { play "$1" github prodpgo-release.yml release; }
  verify_job() {
    sed -i '/^verify/d' needs
    play "$1" github prodpgo-release.yml verify
  }
  previous_job() { play "$1" github prodpgo-release.yml previous; }
  shows_verdict() { grep -F "$1" job/github_step_summary > verdict || fail "the summary does not say: $1"; }
}

gitlab_jobs() {
  export NEEDS=needs
  rm -f needs
  release_job() { play "$1" gitlab prodpgo-release.yml prodpgo-release; }
  verify_job() {
    rm -f verify.*
    play "$1" gitlab prodpgo-release.yml prodpgo-verify
    [ "$1" = 2 ] || cp job/checkout/verify.* .
  }
  previous_job() { ARTIFACTS=$(find "$PWD" -maxdepth 1 -name 'verify.*') play "$1" gitlab prodpgo-release.yml prodpgo-previous; }
  shows_verdict() {
    grep -F '<testsuite' verify.xml > verdict || fail "no JUnit XML"
    grep -F "$1" verify.md > verdict || fail "no text that says: $1"
  }
}
