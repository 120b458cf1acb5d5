# The build of GitHub by Bazel: what github_build.sh tests of that by CMake.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/bazel_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_build_scenario.sh"
. "$here/ci_bazel_prelude.sh"
start_forge
build_job() { play "$1" github prodpgo-build-bazel.yml build; }
builds job/github_step_summary build_job
stop_servers
