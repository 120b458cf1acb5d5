# The release of GitHub archives, and promotes or rolls back as pgo verify says; after a failure it proposes the profile
# before.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/cmake_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_release_scenario.sh"
start_forge
export NEEDS=needs
release_job() { play "$1" github prodpgo-release.yml release; }
verify_job() {
  rm -f needs
  play "$1" github prodpgo-release.yml verify
}
previous_job() { play "$1" github prodpgo-release.yml previous; }
releases 99
stop_servers
