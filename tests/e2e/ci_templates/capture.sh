# The templates for capture record a real service into a directory, with the commands as they stand in them, and with no
# more rights than they give.
. "$(dirname "$0")/../prelude.sh"
. "$here/capture_prelude.sh"
templates=$(cd "$here/../../ci-templates" && pwd)
[ "$(id -u)" = 0 ] || skip "recording processes of others needs root"
need setpriv
for python in python3 /usr/bin/python3 none; do
  "$python" -c 'import yaml' 2> /dev/null && break
done
[ $python != none ] || { [ "${PRODPGO_TOOLS-}" != required ] || fail "python3-yaml is not installed"; skip "python3-yaml is not installed"; }
mkdir -p bin
ln -s "$pgo" bin/pgo
PATH=$work/bin:$PATH

# A service of another user.
start_service templd 0
chmod 755 . templd
setpriv --reuid=65534 --regid=65534 --clear-groups ./templd > /dev/null 2>&1 &
service_pids=($!)
disown

# records STORE CAPABILITIES COMMAND...: as root with these alone, until something is stored; then it ends by SIGTERM.
records() {
  local rights
  rights=$(printf ',+%s' $2)
  setpriv --inh-caps=-all --bounding-set="-all$rights" --no-new-privs "${@:3}" > log 2>&1 &
  recorder=$!
  await 60 has_profiles "$1" 1 || { cat log; fail "$1"; }
  end_capture TERM
  grep -qE '^pgo: templd: recorded [1-9]' log || { cat log; fail "$1: no samples"; }
  ! grep -i warning log || fail "$1: warns"
}

# Kubernetes.
export SERVICE=templd EVERY=2s DURATION=1s NODE=node-1
for name in daemonset sidecar; do
  export DESTINATION=$work/store-$name
  "$python" - "$templates/kubernetes/capture-$name.yaml" > command << 'END'
import os, re, sys, yaml
[document] = yaml.safe_load_all(open(sys.argv[1]))
pod = document["spec"]["template"]["spec"]
[container] = [one for one in pod.get("initContainers", []) + pod["containers"] if one["name"] == "capture"]
mounts = [mount["mountPath"] for mount in container["volumeMounts"]]
names = {entry["name"] for entry in container["env"]}
for given in container["command"]:
    word = given
    assert set(re.findall(r"\$\((\w+)\)", word)) <= names, word
    word = re.sub(r"\$\((\w+)\)", lambda match: os.environ[match[1]], word)
    if given.startswith("/"):  # what it writes is on a volume
        assert any(word == mount or word.startswith(mount + "/") for mount in mounts), word
        word = os.environ["BUILD_DIR"] + "/tests/e2e/work/ci_templates_capture" + word
    print(word)
print(*(name.lower() for name in container["securityContext"]["capabilities"]["add"]), file=open("rights", "w"))
END
  [ "$name" != daemonset ] || grep -qx "host=node-1" command || fail "the node is not named"
  mapfile -t words < command
  records "$DESTINATION" "$(cat rights)" env HOME=/none "${words[@]}" --max-overhead 50%
done
[ -n "$(find store-daemonset -name 'host=node-1,*.addr')" ] || fail "the profile is not named for the node"

# systemd: a unit of the kernel's cgroups stands for one of systemd.
unit_file="$templates/systemd/prodpgo-capture@.service"
for root in /sys/fs/cgroup /sys/fs/cgroup/unified none; do
  [ ! -e $root/cgroup.procs ] || break
done
cgroup=$root/templd$$.service
if mkdir "$cgroup" 2> /dev/null && echo "${service_pids[0]}" > "$cgroup/cgroup.procs"; then
  trap 'stop_services; [ -z "$recorder" ] || kill -KILL $recorder 2> /dev/null || :; sleep .2; rmdir "$cgroup"' EXIT
  export DESTINATION=$work/store-systemd STATE_DIRECTORY=$work/state-systemd
  mkdir -p "$STATE_DIRECTORY"
  command=$(sed -n 's/^ExecStart=//p' "$unit_file")
  rights=$(sed -n 's/^CapabilityBoundingSet=//p' "$unit_file" | tr A-Z a-z | sed 's/cap_//g')
  command=${command//%i/templd$$}
  command=${command//\$\{DESTINATION\}/$DESTINATION}
  command=${command/--every 10m --for 30s/--every 2s --for 1s}
  read -ra words <<< "$command"
  [ "${words[0]}" = /usr/bin/pgo ] || fail "another program: ${words[0]}"
  records "$DESTINATION" "$rights" "$pgo" "${words[@]:1}" --max-overhead 50% --label service=templd
  [ -e "$STATE_DIRECTORY/spool/templd/status.json" ] || fail "the spool is not in the state directory"
  # cron: the same once.
  line=$(grep -E '^[0-9*]' "$templates/capture.crontab")
  read -r minute hour day month weekday user command <<< "$line"
  [[ "$minute $hour $day $month $weekday $user" =~ ^[0-9]+\ \*\ \*\ \*\ \*\ root$ ]] || fail "another schedule: $line"
  [[ $command = *' 2>&1 | logger -t prodpgo' ]] || fail "cron would send mails"
  command=${command% 2>&1 | logger -t prodpgo}
  # cron takes % for the end of a line.
  [[ $command != *%* ]] || fail "% in a line of cron"
  command=${command/0-3000/0-0}
  command=${command/--unit queryd/--unit templd$$}
  command=${command/--for 30s/--for 1s}
  command=${command/\/var\/spool/$work\/cron-spool}
  command=${command/s3:\/\/profiles/$work\/store-cron}
  sh -c "$command" > log 2>&1 || { cat log; fail "the line of cron"; }
  [ "$(profiles_in store-cron)" = 1 ] || { cat log; fail "cron stores nothing"; }
fi
stop_services

# The short job: its profile, and its exit code with and without a perf that records, and without a store.
short() { SERVICE=job DESTINATION=$1 "$templates/short-job.sh" "${@:2}" > log 2>&1; }
short "$work/store-short" ./templd 3000 || { cat log; fail "exit code $?"; }
find store-short/service=job -name '*.perf.data' | grep -q . || { cat log; fail "no profile"; }
status=0
short "$work/store-short" sh -c 'exit 5' || status=$?
[ $status = 5 ] || { cat log; fail "another exit code: $status"; }
touch in-the-way
short "$work/in-the-way/store" ./templd 3000 || { cat log; fail "exit code $? without a store"; }
grep -q "the profile was not uploaded" log || { cat log; fail "says nothing"; }
mkdir broken
printf '#!/bin/sh\nexit 1\n' > broken/perf
chmod +x broken/perf
status=0
PATH=$work/broken:$PATH short "$work/none" sh -c 'echo ran > ran; exit 6' || status=$?
[ $status = 6 ] && [ -e ran ] && [ ! -e none ] || { cat log; fail "exit code $status without perf"; }
