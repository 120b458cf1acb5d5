# Where user and password for a registry come from, and what pgo says when they are missing or wrong.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
basic_auth > auth
start_registry auth
place=oci://$registry/team/server
config=$DOCKER_CONFIG/config.json
wrong=wrong-sesame-4
profile pushed/server.proftext 100
push_there() { "$pgo" push pushed/server.proftext "$place:$1" > text.out 2> log || fail "$1: $(cat log)"; }
refused="$place: the server answered 401 (Unauthorized): UNAUTHORIZED: authentication required"
nowhere="neither docker's config.json nor ~/.netrc has a user and a password that it accepts"

# None, and those of netrc.
refuses "$refused; $nowhere; 'docker login $registry' writes them" push pushed/server.proftext "$place:v1"
echo "machine 127.0.0.1 login $user password $wrong" > netrc
refuses "$refused; $nowhere; 'docker login $registry' writes them" push pushed/server.proftext "$place:v1"
echo "machine 127.0.0.1 login $user password $password" > netrc
push_there netrc

# Docker's file goes before netrc.
log_in "$registry"
echo "machine 127.0.0.1 login $user password $wrong" > netrc
push_there docker
echo "machine 127.0.0.1 login $user password $password" > netrc
password=$wrong log_in "$registry"
refuses "$refused; it does not accept the user and password of $config" list "$place"
: > netrc

# A helper, for one registry and for all.
printf '{"credHelpers": {"%s": "vault"}}' "$registry" > "$config"
refuses "docker-credential-vault: the credential helper for $registry was not found; install it, or remove it from \
docker's config.json" list "$place"
mkdir helpers
export PATH=$work/helpers:$PATH
helper() { # LINES: what it does after it has read the host
  printf '#!/bin/sh\nread -r host\necho "$1 $host" >> "%s"\n%s\n' "$work/asked" "$1" > helpers/docker-credential-vault
  chmod +x helpers/docker-credential-vault
}
helper "echo '{\"ServerURL\": \"\", \"Username\": \"$user\", \"Secret\": \"$password\"}'"
push_there helper
expect "what the helper was asked" "get $registry" "$(cat asked)"
echo '{"credsStore": "vault"}' > "$config"
push_there store

# One that has none, and one that fails; whatever it prints, it is not shown.
helper "echo 'credentials not found in native keychain'; exit 1"
refuses "$refused; $nowhere; 'docker login $registry' writes them" list "$place"
helper "echo $password; echo $password >&2; exit 1"
refuses "$work/helpers/docker-credential-vault get: ended with exit status 1; run it by hand, with $registry on \
standard input" list "$place"

log_in "$registry"
digest=$("$pgo" push pushed/server.proftext "$place:v1" 2> log)
expect "what was pushed" "$digest docker helper netrc store v1" "$(versions "$place")"
stop_servers
check_no_secrets "$wrong" "$(printf '%s:%s' "$user" "$wrong" | base64 -w 0)"
