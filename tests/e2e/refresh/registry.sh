# pgo refresh with a registry in the network: it looks for the parts of the pinned version there, and pushes again what was
# deleted.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
. "$here/refresh_prelude.sh"
need curl
start_registry
place=oci://$registry/team/queryd
sed -i "s|oci-dir:registry|$place|" pgo.toml
delete() { # blobs|manifests DIGEST
  curl --silent --show-error --fail -X DELETE "http://$registry/v2/team/queryd/$1/$2"
}
# lost_is_back PART WHAT_PGO_DOES
lost_is_back() {
  refresh 0
  says "queryd: pushed $digest again, because the registry had lost it; it stays pinned" text
  says "pgo: warning: queryd: $place: does not have ${1}the pinned version $digest any more, so builds cannot pull it; $2" log
  PRODPGO_CACHE=$work/empty "$pgo" pull --locked > pulled 2> pull.log || { cat pull.log; fail "cannot pull"; }
  rm -r empty
}

refresh 0
digest=$(locked - manifest)
refresh 0
says "queryd: nothing new" text
delete blobs "$(locked llvm digest)"
lost_is_back "queryd.prof of " "pgo makes it again"
"$pgo" pull --locked > pulled 2> pull.log
delete blobs "$(locked llvm digest)"
lost_is_back "queryd.prof of " "pgo has restored it from its cache"
delete manifests "$digest"
lost_is_back "" "pgo has restored it from its cache"

# A registry that cannot be reached has lost nothing.
kill_registry
refresh 2
never_says() { ! grep -qF -- "$1" "$2" || { cat "$2"; fail "says: $1"; }; }
never_says "does not have" log
