# Sourced by tests of registries in the network, after versions_prelude.sh and servers_prelude.sh.
#
#   start_registry [FILE]          Debian's docker-registry, or $registry_program, with the lines of `auth:` in FILE
#   start_go_containerregistry     another one; both set `registry` to their HOST:PORT
#   kill_registry, restart_registry
#   far_name HOST:PORT             the same server by a name that pgo takes for another machine, so it wants TLS there
#   check_signatures PLACE         versions are signed there, and only those that the right key signed are taken
#   log_in HOST:PORT               to docker's configuration, as $user with $password
#   add_referrer LAYOUT DIGEST TEXT  an artifact that refers to a version of an OCI layout, as a signature does;
#                                  prints its digest
#   put_tags LAYOUT DIGEST COUNT   tags t0, t1, ... in the repository team/server for a version that it has
#   versions REFERENCE             what `pgo list` has: a line for each version, its digest and sorted tags
#   large_profile FILE             an LLVM profile of more than 16 MB, which goes in parts
#   check_no_secrets               none of the test's files that pgo wrote, or the cache, has a password or a token

user=ci password=open-sesame-17
# No test may use credentials of the user who runs it.
export DOCKER_CONFIG=$work/docker NETRC=$work/netrc
mkdir -p "$DOCKER_CONFIG"
touch "$NETRC"
registry_program=docker-registry registry_tls=

start_registry() {
  need "$registry_program"
  registry=127.0.0.1:$(free_port)
  { cat << END
version: 0.1
log: {level: error}
storage: {filesystem: {rootdirectory: $work/registry}, delete: {enabled: true}}
http: {addr: $registry, secret: fixed${registry_tls:+, tls: $registry_tls}}
END
    [ $# = 0 ] || { echo auth:; cat "$1"; }; } > registry.yml
  restart_registry
}
restart_registry() { start_server registry 143 "http://$registry/v2/" "$registry_program" serve "$work/registry.yml"; }
start_go_containerregistry() {
  local program
  find_optional go_containerregistry
  registry=127.0.0.1:$(free_port)
  start_server registry 143 "http://$registry/v2/" "$program" "$registry"
}
kill_registry() {
  local pid=${server_pids[registry]}
  unset "server_pids[registry]"
  kill -KILL "$pid"
  wait "$pid" 2> wait.log || :
}

# Linux connects 0.0.0.0 to this machine.
far_name() { echo "0.0.0.0:${1#*:}"; }

check_signatures() {
  local place=$1/signed key digest
  need minisign
  for key in release other; do minisign -G -W -p $key.pub -s $key.key > text; done
  id() { head -1 "$1.pub" | sed 's/.* //'; }
  profile signed/server.proftext 77
  digest=$("$pgo" push signed/server.proftext "$place:v1" 2> log) || fail "$(cat log)"
  refuses "$place@$digest: is not signed, and --verify requires a signature by the key $(id release); 'pgo push' with \
--sign signs a version" pull "$place:v1" --verify release.pub
  for key in release other release; do
    expect "signed by $key" "$digest" "$("$pgo" push signed/server.proftext "$place:v1" --sign $key.key 2> log)"
  done
  grep -qx "pgo: $place:v1: is already signed by the key $(id release)" log || fail "$(cat log)"
  "$pgo" list "$place" --json | python3 -c '
import json, sys
(version,) = json.load(sys.stdin)["versions"]
assert version["signers"] == sorted(sys.argv[1:]), version' "$(id release)" "$(id other)"
  "$pgo" pull "$place:v1" --verify release.pub -o from > text 2> log || fail "$(cat log)"
  cmp from/server.proftext signed/server.proftext

  # Of a lock file: by the key that it names.
  "$pgo" pin signed "$place:v1" --verify release.pub --lock signed.lock > text
  "$pgo" pull --locked --lock signed.lock --cache signed-cache > text 2> log || fail "$(cat log)"
  grep -qx "pgo: the signature by the key $(id release) is valid" log || fail "$(cat log)"
  minisign -G -W -p third.pub -s third.key > text
  refuses "$place@$digest: is signed by $(printf '%s\n' "$(id release)" "$(id other)" | sort | paste -sd, | sed 's/,/, /'), \
and --verify requires a signature by the key $(id third); 'pgo push' with --sign signs a version" \
    pull --locked --lock signed.lock --verify third.pub
  "$pgo" copy "$place:v1" oci-dir:signed-copy > text 2> log || fail "$(cat log)"
  "$pgo" pull oci-dir:signed-copy:v1 --verify other.pub > text 2> log || fail "$(cat log)"
}

# basic_auth: the lines for user and password.
basic_auth() {
  need htpasswd
  htpasswd -Bbn "$user" "$password" > htpasswd
  printf '  htpasswd: {realm: profiles, path: %s}\n' "$work/htpasswd"
}
log_in() {
  printf '{"auths": {"%s": {"auth": "%s"}}}\n' "$1" "$(printf '%s:%s' "$user" "$password" | base64 -w 0)" \
    > "$DOCKER_CONFIG/config.json"
}

add_referrer() {
  python3 - "$@" << 'END'
import hashlib, json, pathlib, sys
layout, subject = pathlib.Path(sys.argv[1]), sys.argv[2]
def add(contents):
    digest = hashlib.sha256(contents).hexdigest()
    (layout / "blobs/sha256" / digest).write_bytes(contents)
    return {"digest": "sha256:" + digest, "size": len(contents)}
manifest = {
    "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
    "artifactType": "application/vnd.example.note.v1",
    "config": {"mediaType": "application/vnd.oci.empty.v1+json", **add(b"{}")},
    "layers": [{"mediaType": "text/plain", **add(sys.argv[3].encode())}],
    "subject": {"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": subject,
                "size": (layout / "blobs/sha256" / subject.removeprefix("sha256:")).stat().st_size}}
entry = {"mediaType": manifest["mediaType"], **add(json.dumps(manifest).encode())}
index = json.loads((layout / "index.json").read_text())
index["manifests"].append(entry)
(layout / "index.json").write_text(json.dumps(index))
print(entry["digest"])
END
}

# With one curl: it goes through the numbers.
put_tags() {
  curl -s -f -u "$user:$password" -X PUT "http://$registry/v2/team/server/manifests/t[0-$(($3 - 1))]" \
    -H 'Content-Type: application/vnd.oci.image.manifest.v1+json' --data-binary @"$1/blobs/sha256/${2#sha256:}" ||
    fail "cannot make tags"
}

versions() {
  "$pgo" list "$1" --json | python3 -c '
import json, sys
for version in json.load(sys.stdin)["versions"]: print(version["digest"], *sorted(version["tags"]))' | sort
}

large_profile() {
  python3 - "$1" << 'END'
import sys
with open(sys.argv[1], "w") as file:
    for function in range(100_000):
        file.write(f"{function:0180}:{1000 + function}:10\n 1: {function}\n")
END
  [ "$(stat -c %s "$1")" -gt $((17 << 20)) ] || fail "$1 is too small"
}

check_no_secrets() { # [SECRET...]
  local secret
  for secret in "$password" "$(printf '%s:%s' "$user" "$password" | base64 -w 0)" "$@"; do
    if grep -rlF --include='*.out' --include=log --include=pgo.lock -e "$secret" . > found ||
      grep -rlsF -e "$secret" "$PRODPGO_CACHE" > found; then
      fail "a secret is in $(head -n 1 found)"
    fi
  done
}

# start_proxy: breaking_proxy.py before the registry. Sets `proxy` to its HOST:PORT.
start_proxy() {
  proxy=127.0.0.1:$(free_port)
  start_server proxy 143 "http://$proxy/v2/" python3 "$here/breaking_proxy.py" "${proxy#*:}" "${registry#*:}"
}
# break_at PATTERN body|answer: breaks off the first request whose head has PATTERN. `wait_for_break` waits until it
# is; the connection is closed when there is a file `go`.
break_at() {
  rm -f broken go
  printf '%s\n%s\n' "$1" "$2" > break
}
wait_for_break() {
  local end=$((SECONDS + 60))
  until [ -e broken ]; do
    [ $SECONDS -lt $end ] || fail "nothing broke off"
    sleep .05
  done
}
