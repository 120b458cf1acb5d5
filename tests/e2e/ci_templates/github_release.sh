# The release of GitHub archives, and promotes or rolls back as pgo verify says; after a failure it proposes the profile
# before.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/cmake_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_release_scenario.sh"
. "$here/ci_releases_of_forges.sh"
start_forge
releases_of github
stop_servers
