# The test of GitHub's release fails when any line of shell in its template is broken; but for `cmake --build`, since the
# target server-archive builds, too.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/cmake_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_release_scenario.sh"
. "$here/ci_releases_of_forges.sh"
. "$here/ci_mutants_scenario.sh"
start_forge
unnoticed='instead of   cmake --build build$'
finds_faults github/prodpgo-release.yml . releases_of github
stop_servers
