# A registry that wants tokens of a token server: without user and password for reading, with them for pushing, and with
# an identity token. The registry is Debian's; the token server is a stand-in.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
need openssl
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=tokens.test -keyout key.pem -out certificate.pem \
  2> openssl.log
tokens=127.0.0.1:$(free_port)
start_server tokens 143 "http://$tokens/" \
  python3 "$here/token_server.py" "${tokens#*:}" "$user" "$password" key.pem certificate.pem asked
printf '  token: {realm: "http://%s/token", service: profiles, issuer: tokens.test, rootcertbundle: %s}\n' \
  "$tokens" "$work/certificate.pem" > auth
start_registry auth
place=oci://$registry/team/server
profile pushed/server.proftext 100
# How the token server was asked, and for what: each once. (The registry names actions in any order.)
asked() { sed 's/push,pull/pull,push/' asked | sort -u; }
scope="profiles repository:team/server"

# Without a password there are tokens for reading only.
refuses "$place: the server answered 401 (Unauthorized): UNAUTHORIZED: authentication required; neither docker's \
config.json nor ~/.netrc has a user and a password that it accepts; 'docker login $registry' writes them" \
  push pushed/server.proftext "$place:v1"
log_in "$registry"
: > asked
digest=$("$pgo" push pushed/server.proftext "$place:v1" 2> log)
expect "a push asks for" "$(printf '%s\n' "GET basic $scope:pull" "GET basic $scope:pull,push")" "$(asked)"
rm "$DOCKER_CONFIG/config.json"
: > asked
"$pgo" pull "$place:v1" -o out > pull.out 2> log
cmp out/server.proftext pushed/server.proftext
expect "a pull asks for" "GET anonymous $scope:pull" "$(asked)"

password=wrong-sesame-4 log_in "$registry"
refuses "http://$tokens/token, the token server of $place: the server answered 401 (Unauthorized): UNAUTHORIZED: wrong \
user or password; it does not accept the user and password of $DOCKER_CONFIG/config.json" list "$place"

# An identity token, which `docker login` gets from some registries instead of the password.
printf '{"auths": {"%s": {"auth": "%s", "identitytoken": "refresh-%s"}}}' "$registry" \
  "$(printf '00000000-0000-0000-0000-000000000000:' | base64)" "$password" > "$DOCKER_CONFIG/config.json"
: > asked
profile pushed/server.proftext 200
later=$("$pgo" push pushed/server.proftext "$place:v2" 2> log)
expect "with an identity token" \
  "$(printf '%s\n' "POST refresh_token $scope:pull" "POST refresh_token $scope:pull,push")" "$(asked)"
expect "versions" "$(printf '%s\n' "$digest v1" "$later v2" | sort)" "$(versions "$place")"

stop_servers
check_no_secrets wrong-sesame-4 eyJ
