# The weekly refresh of GitHub with pgo refresh itself: the request pins a version that can be pulled, and the next run,
# before and after the merge, finds nothing new.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/ci_templates_prelude.sh"
. "$here/archive_prelude.sh"
start_forge
ln -sf "$pgo" "$bin/pgo"
branch=prodpgo/refresh

for host in 1 2; do
  "$pgo" record --engine emulate --period 3$host -o host.perf -- ./server > record.log 2>&1 ||
    skip "cannot record under emulation: $(tail -n 1 record.log)"
  mkdir -p store/2026-11-26T10
  mv host.perf store/2026-11-26T10/web-$host.data
done
archive server --debug-file server.debug --to archive
new_repository
cat > source/pgo.toml << END
[service.server]
source = "dir:$work/store"
path-template = "{hour}/{host}.data"
binaries = "dir:$work/archive"
lock = "server.lock"
registry = "oci-dir:$work/registry"
[service.server.gates]
min-hosts = 2
min-quality = "weak"
END
commit pgo.toml
job() { play "$1" github prodpgo-refresh.yml refresh; }

job 0
expect "changed files" "server.lock summary.md" "$(git_origin diff --name-only main $branch | xargs)"
expect "requests" "1 $branch" "$(requests '.[] | "\(.number) \(.branch)"')"
grep -F 'server  ' job/github_step_summary > /dev/null || { cat job/github_step_summary; fail "the summary has no pin"; }
requests '.[0].body' | grep -qF '| min-hosts | 2 |' || { requests '.[0].body'; fail "the request has no gates"; }
git_origin show $branch:server.lock > server.lock
PRODPGO_CACHE=$work/empty "$pgo" pull --locked --lock server.lock > pulled 2> pull.log || { cat pull.log; fail "cannot pull"; }

# Again, while the request is open: the same version, and no commit.
first=$(git_origin rev-parse $branch)
job 0
expect "branch" "$first" "$(git_origin rev-parse $branch)"

# After the merge: nothing new.
git -C source pull --quiet origin $branch
git -C source push --quiet origin main
git_origin update-ref -d refs/heads/$branch
jq '.[0].state = "merged"' "$FORGE/requests.json" > edited.json
mv edited.json "$FORGE/requests.json"
job 0
grep -F 'nothing new' job.log > /dev/null || { cat job.log; fail "found something new"; }
expect "branches" main "$(git_origin for-each-ref --format='%(refname:short)' refs/heads | xargs)"

# A gate fails: so does the job, and nothing is pushed.
sed -i 's/min-hosts = 2/min-hosts = 20/' source/pgo.toml
rm -r store/2026-11-26T10/web-1.data
commit pgo.toml
job 1
expect "branches" main "$(git_origin for-each-ref --format='%(refname:short)' refs/heads | xargs)"
stop_servers
