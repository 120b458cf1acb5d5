# A registry with a certificate of the company's own authority: pgo trusts it with --ca-file only, and then sends the
# password.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
need openssl
for authority in ours other; do
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$authority" -keyout $authority.key -out $authority.pem \
    2> openssl.log
done
openssl req -newkey rsa:2048 -nodes -subj /CN=registry -keyout server.key -out server.csr 2> openssl.log
printf 'subjectAltName = IP:0.0.0.0\n' > extensions
openssl x509 -req -in server.csr -CA ours.pem -CAkey ours.key -CAcreateserial -days 2 -extfile extensions -out server.pem \
  2> openssl.log
registry_tls="{certificate: $work/server.pem, key: $work/server.key}"
basic_auth > auth
start_registry auth
far=$(far_name "$registry")
log_in "$far"
place=oci://$far/team/server
profile pushed/server.proftext 100

# refuses_all CHECK [OPTION]...: no command trusts it, and none sends a request.
refuses_all() {
  local check=$1 command
  shift
  for command in "push pushed/server.proftext $place:v1" "list $place" "pull $place:v1" "pin server $place:v1" \
    "copy $place:v1 oci-dir:copy" "merge $place:v1 -o x.proftext"; do
    status=0
    # shellcheck disable=SC2086  # the words of a command
    "$pgo" $command "$@" > text 2> log || status=$?
    expect "exit code of $command" 2 $status
    grep -qE "^pgo: error: $place: $check" log || fail "$command: $(cat log)"
    grep -qF "give that authority's certificate (PEM) by --ca-file" log || fail "$command: $(cat log)"
  done
}
refuses_all "(the manifest v1: )?the TLS certificate of 0.0.0.0 is not trusted: "
refuses_all "(the manifest v1: )?the TLS certificate of 0.0.0.0 is not trusted: " --ca-file other.pem
! grep -q '/v2/team' registry.log || fail "a request was sent: $(cat registry.log)"

ca="--ca-file ours.pem"
# shellcheck disable=SC2086  # an option and its value
{
  digest=$("$pgo" push pushed/server.proftext "$place:v1" $ca 2> log) || fail "$(cat log)"
  "$pgo" list "$place" $ca > text
  grep -q "$digest" text || fail "$(cat text)"
  "$pgo" pin server "$place:v1" $ca > text
  "$pgo" pull --locked -o out $ca > text 2> log || fail "$(cat log)"
  cmp out/server.proftext pushed/server.proftext
  "$pgo" copy "$place:v1" oci-dir:copy $ca > text 2> log || fail "$(cat log)"
  rm -rf cache
  "$pgo" merge pgo.lock#server -o merged.proftext $ca 2> log || fail "$(cat log)"
}
# As in a build of CMake, which runs pgo without options.
PRODPGO_CA_FILE=ours.pem "$pgo" list "$place" > text
grep -q "$digest" text || fail "$(cat text)"
grep -q '/v2/team' registry.log || fail "the log has no requests"
stop_servers
check_no_secrets
