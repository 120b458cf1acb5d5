# When the line of a refresh that pushes is broken, its test fails. (The tests long_broken_* break all lines.)
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_refresh_scenario.sh"
. "$here/ci_mutants_scenario.sh"
start_forge
github() { play "$1" github prodpgo-refresh.yml refresh; }
gitlab() { play "$1" gitlab prodpgo-refresh.yml prodpgo-refresh; }
status_file=job/github_step_summary
finds_faults github/prodpgo-refresh.yml 'git push' weekly_refresh github
status_file=job.log
finds_faults gitlab/prodpgo-refresh.yml 'git push' weekly_refresh gitlab
stop_servers
