# The tests of builds fail when any line of shell in their templates is broken.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/cmake_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_build_scenario.sh"
. "$here/ci_mutants_scenario.sh"
start_forge
github() { play "$1" github prodpgo-build.yml build; }
gitlab() { play "$1" gitlab prodpgo-build.yml prodpgo-build; }
finds_faults github/prodpgo-build.yml . builds job/github_step_summary github
finds_faults gitlab/prodpgo-build.yml . builds job.log gitlab
stop_servers
