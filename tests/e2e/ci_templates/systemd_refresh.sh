# The service of systemd pushes what was pinned, with a read-only root and no rights; its state stays from week to week.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_refresh_scenario.sh"
. "$here/ci_sandbox_prelude.sh"
start_forge
mkdir -p secrets
printf '%s\n' "REPOSITORY=$ORIGIN" 'PUSH_OPTIONS=-o merge_request.create -o merge_request.target=main' \
  AWS_REGION=eu-central-1 AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret > secrets/refresh.env
echo 'machine 127.0.0.1 login x password forge-token-5' > secrets/netrc
job() { sandboxed "$1" systemd prodpgo-refresh.service; }
only_opens_requests
weekly_refresh job
stop_servers
