# The CronJob pushes what was pinned, with a read-only root and no rights, and GitLab's options open the request.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/ci_refresh_scenario.sh"
. "$here/ci_sandbox_prelude.sh"
start_forge
export SETTINGS="REPOSITORY=$ORIGIN"
mkdir -p secrets/prodpgo-git secrets/prodpgo-registry secrets/prodpgo-store
echo 'machine 127.0.0.1 login x password forge-token-5' > secrets/prodpgo-git/.netrc
echo '{"auths": {}}' > secrets/prodpgo-registry/.dockerconfigjson
printf key > secrets/prodpgo-store/AWS_ACCESS_KEY_ID
printf secret > secrets/prodpgo-store/AWS_SECRET_ACCESS_KEY
# A new pod each time: emptyDir begins empty.
job() {
  rm -rf volumes
  sandboxed "$1" kubernetes refresh-cronjob.yaml
}
only_opens_requests
weekly_refresh job

# Nothing outside of the volumes can be written, and the process has no rights.
mkdir -p faulty/kubernetes
sed 's|command: .*|command: [sh, -c, "test ! -w / -a ! -w /usr/local/bin -a ! -w /etc/prodpgo/docker/config.json -a -w /home/prodpgo \&\& grep -q \\"^CapEff:[[:space:]]0*$\\" /proc/self/status"]|' \
  "$templates/kubernetes/refresh-cronjob.yaml" > faulty/kubernetes/refresh-cronjob.yaml
templates=$work/faulty job 0
stop_servers
