# Each template is what its tool or schema says, and each check finds a fault.
. "$(dirname "$0")/../prelude.sh"
templates=$(cd "$here/../../ci-templates" && pwd)
need shellcheck

# install NAME: sets `program` to what tests/servers/install.sh installs.
install() {
  program=$("$here/../servers/install.sh" "$1" 2> reason) && return
  [ "${PRODPGO_TOOLS-}" != required ] || fail "$(tail -n 1 reason) (install/dependencies.sh test)"
  skip "$(tail -n 1 reason)"
}
finds() { # WORD COMMAND...: the command fails and says so
  local status=0
  "${@:2}" > found 2>&1 || status=$?
  [ $status != 0 ] && grep -qF -- "$1" found || { cat found; fail "does not find '$1': ${*:2}"; }
}
# with FAULT FILE: a copy of a template in `faulty`, with the sed command FAULT.
with() {
  rm -rf faulty
  mkdir -p faulty
  sed "$1" "$templates/$2" > "faulty/${2##*/}"
  ! cmp -s "faulty/${2##*/}" "$templates/$2" || fail "'$1' changes nothing in $2"
}

shellcheck "$templates"/*.sh

# A repository of another project has no such document.
! grep -rnE 'docs/[a-z]' "$templates" | grep -vE 'docs/[a-z]+/[a-z-]+\.md of ProdPGO' || fail "a template names a document without saying that it is ProdPGO's"

# No command is an argument of another one, which would hide that it failed: only name=$(command) ends the step.
hides() { grep -nE '^[^#]*\$\([a-z]' "$@" | grep -vE '[0-9]+: *(- )?[a-z_]+=\$\('; }
! hides "$templates"/github/*.yml "$templates"/gitlab/*.yml "$templates"/*.sh || fail "an exit code is hidden"
with 's/\[ -s files.txt \]/[ -n "$(cat files.txt)" ]/' gitlab/prodpgo-refresh.yml
hides faulty/*.yml > found || fail "finds no hidden exit code"

install template_schemas
schemas=${program%/*}
gitlab() { "$schemas/check-jsonschema" --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci "$@"; }
gitlab "$templates"/gitlab/*.yml > log 2>&1 || { cat log; fail "gitlab"; }
with 's/when: delayed/when: later/' gitlab/prodpgo-release.yml
finds "later" gitlab faulty/*.yml

kubernetes() { "$schemas/kubernetes-validate" --strict -k "$1" "${@:2}"; }
for version in 1.31 1.37; do
  kubernetes $version "$templates"/kubernetes/*.yaml > log 2>&1 || { cat log; fail "kubernetes $version"; }
done
with 's/restartPolicy/restartPolicies/' kubernetes/refresh-cronjob.yaml
finds "restartPolicies" kubernetes 1.37 faulty/*.yaml

# Least privilege, and as many shards as pods.
"$schemas/python" - "$templates"/kubernetes/{merge,refresh}-*.yaml << 'END'
import re, sys, yaml
variables = {}
for path in sys.argv[1:]:
    [document] = yaml.safe_load_all(open(path))
    job = document["spec"]["jobTemplate"]["spec"] if document["kind"] == "CronJob" else document["spec"]
    pod = job["template"]["spec"]
    [container] = pod["containers"]
    assert pod["automountServiceAccountToken"] is False and pod["enableServiceLinks"] is False, path
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault", path
    assert container["securityContext"] == {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                            "capabilities": {"drop": ["ALL"]}}, path
    assert "memory" in container["resources"]["limits"], path
    codes = job["podFailurePolicy"]["rules"][0]["onExitCodes"]
    assert codes["containerName"] == container["name"], path
    if document["kind"] == "CronJob":  # its head names each code that is not tried again
        head = " ".join(line for line in open(path) if line.startswith("#"))
        assert codes["values"] == [int(code) for code in re.findall(r"\((?:exit code )?(\d)\)", head)], path
    variables |= {entry["name"]: entry["value"] for entry in container.get("env", [])}
    if job.get("completionMode") == "Indexed":
        shards = job["completions"]
assert variables["SHARDS"] == str(shards) and variables["LAST_SHARD"] == str(shards - 1), variables
END

# What records processes of others needs four capabilities, and nothing else.
"$schemas/python" - "$templates"/kubernetes/capture-*.yaml << 'END'
import sys, yaml
for path in sys.argv[1:]:
    [document] = yaml.safe_load_all(open(path))
    pod = document["spec"]["template"]["spec"]
    [container] = [one for one in pod.get("initContainers", []) + pod["containers"] if one["name"] == "capture"]
    assert pod["automountServiceAccountToken"] is False and pod["enableServiceLinks"] is False, path
    assert pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault", path
    assert pod.get("hostPID", False) != pod.get("shareProcessNamespace", False), path
    assert container["securityContext"] == {"runAsUser": 0, "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                            "capabilities": {"drop": ["ALL"],
                                                             "add": ["PERFMON", "SYS_PTRACE", "DAC_READ_SEARCH",
                                                                     "CHECKPOINT_RESTORE"]}}, path
    assert "memory" in container["resources"]["limits"], path
END

# systemd: the units of the machine are those that they refer to.
need systemd-analyze
root() {
  rm -rf root
  mkdir -p root/etc/systemd/system root/etc/prodpgo root/bin root/lib/systemd root/usr/share/prodpgo
  cp -r /lib/systemd/system root/lib/systemd/
  cp -r "$templates" root/usr/share/prodpgo/
  mkdir -p root/usr/bin
  cp /bin/ln /bin/true root/bin/
  cp /bin/true root/usr/bin/pgo
  touch root/etc/prodpgo/refresh.env root/etc/prodpgo/capture.env
  cp "$templates"/systemd/* root/etc/systemd/system/
}
units() {
  SYSTEMD_LOG_LEVEL=warning systemd-analyze verify --man=no --root="$work/root" \
    /etc/systemd/system/prodpgo-refresh.service /etc/systemd/system/prodpgo-refresh.timer \
    /etc/systemd/system/prodpgo-capture@.service
}
root
units > log 2>&1 || { cat log; fail "systemd-analyze verify"; }
! grep prodpgo log || fail "systemd-analyze verify warns"
systemd-analyze security --no-pager --offline=true --threshold=15 --root="$work/root" prodpgo-refresh.service > log 2>&1 ||
  { tail -n 1 log; fail "exposed more than 1.5"; }
systemd-analyze security --no-pager --offline=true --threshold=45 --root="$work/root" prodpgo-capture@.service > log 2>&1 ||
  { tail -n 1 log; fail "exposed more than 4.5"; }
sed -i 's/^ProtectSystem=strict/ProtectSystem=strictly/' root/etc/systemd/system/prodpgo-refresh.service
units > log 2>&1 || :
grep -qF "strictly" log || { cat log; fail "finds no wrong value"; }
root
rm root/usr/share/prodpgo/ci-templates/push-refresh.sh
finds "push-refresh.sh" units

# Last, because it needs Go: workflows, with shellcheck for their steps.
install actionlint
"$program" "$templates"/github/*.yml > log 2>&1 || { cat log; fail "actionlint"; }
with 's/steps.verify.outputs/steps.verified.outputs/' github/prodpgo-release.yml
finds "verified" "$program" faulty/*.yml
with 's/"\$number" \]/$number ]/' github/prodpgo-refresh.yml
finds "SC2070" "$program" faulty/*.yml
# Actions are pinned by commit.
! grep -hE 'uses: ' "$templates"/github/*.yml | grep -vE 'uses: [a-z-]+/[a-z-]+@[0-9a-f]{40} # v[0-9.]+$' ||
  fail "an action is not pinned"
