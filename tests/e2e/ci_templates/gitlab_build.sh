# The build of GitLab uses the pinned profile, shows what a request changes in pgo.lock, and fails without the profile.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/cmake_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_build_scenario.sh"
start_forge
build_job() { play "$1" gitlab prodpgo-build.yml prodpgo-build; }
builds job.log build_job
stop_servers
