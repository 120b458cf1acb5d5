# The build of GitLab by Bazel: what gitlab_build.sh tests of that by CMake.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/bazel_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_build_scenario.sh"
. "$here/ci_bazel_prelude.sh"
start_forge
build_job() { play "$1" gitlab prodpgo-build-bazel.yml prodpgo-build-bazel; }
builds job.log build_job
stop_servers
