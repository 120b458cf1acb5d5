# Sourced by tests of the templates for Kubernetes and systemd, after ci_templates_prelude.sh: `sandboxed STATUS
# kubernetes|systemd FILE`, which runs one (ci_templates/sandbox.py), with the stand-ins of $bin as programs of the image.
need unshare setpriv chroot
[ "$(id -u)" = 0 ] || skip "a sandbox needs root"
unshare --mount --pid --fork true 2> /dev/null || skip "no namespaces here"

export SECRETS=$work/secrets VOLUMES=$work/volumes IMAGE OUTSIDE
IMAGE="/usr/local/bin/pgo=$bin/pgo
/usr/share/prodpgo/ci-templates=$templates
$pgo=$pgo"
OUTSIDE="$work/registry $work/next.proftext $work/refresh_status"

sandboxed() {
  local status=0
  mkdir -p registry
  touch next.proftext
  chown -R 65532 registry
  "$python" "$here/ci_templates/sandbox.py" "$2" "$templates/$2/$3" > job.log 2>&1 || status=$?
  [ "$status" = "$1" ] || { cat job.log; fail "$3: expected exit code $1, got $status"; }
}
