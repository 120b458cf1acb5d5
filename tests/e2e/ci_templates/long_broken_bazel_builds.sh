# The tests of builds by Bazel fail when any line of shell in their templates is broken.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/bazel_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_build_scenario.sh"
. "$here/ci_bazel_prelude.sh"
. "$here/ci_mutants_scenario.sh"
start_forge
github() { play "$1" github prodpgo-build-bazel.yml build; }
gitlab() { play "$1" gitlab prodpgo-build-bazel.yml prodpgo-build-bazel; }
finds_faults github/prodpgo-build-bazel.yml . builds job/github_step_summary github
finds_faults gitlab/prodpgo-build-bazel.yml . builds job.log gitlab
stop_servers
