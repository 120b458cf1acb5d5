# The weekly refresh of GitHub opens one pull request and keeps it up to date.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_refresh_scenario.sh"
start_forge
job() { play "$1" github prodpgo-refresh.yml refresh; }
status_file=job/github_step_summary
weekly_refresh job
refuses_requests job
stop_servers
