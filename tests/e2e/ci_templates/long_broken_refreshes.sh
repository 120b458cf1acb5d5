# The tests of the weekly refreshes fail when any line of shell in their templates is broken.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_refresh_scenario.sh"
. "$here/ci_mutants_scenario.sh"
start_forge
github() { play "$1" github prodpgo-refresh.yml refresh; }
gitlab() { play "$1" gitlab prodpgo-refresh.yml prodpgo-refresh; }
status_file=job/github_step_summary
finds_faults github/prodpgo-refresh.yml . weekly_refresh github
status_file=job.log
finds_faults gitlab/prodpgo-refresh.yml . weekly_refresh gitlab

# push-refresh.sh, as systemd runs it.
. "$here/ci_sandbox_prelude.sh"
mkdir -p secrets
printf '%s\n' "REPOSITORY=$ORIGIN" 'PUSH_OPTIONS=-o merge_request.create -o merge_request.target=main' > secrets/refresh.env
echo 'machine 127.0.0.1 login x password forge-token-5' > secrets/netrc
only_opens_requests
systemd() {
  IMAGE="/usr/local/bin/pgo=$bin/pgo
/usr/share/prodpgo/ci-templates=$templates
$pgo=$pgo" sandboxed "$1" systemd prodpgo-refresh.service
}
new_host() {
  rm -rf volumes
  weekly_refresh systemd
}
finds_faults push-refresh.sh . new_host
stop_servers
