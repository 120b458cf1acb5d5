# pgo init writes the weekly job for the forge of the repository, and changes no file that is there.
. "$(dirname "$0")/../prelude.sh"
need git
templates=$here/../../ci-templates
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

# init EXPECTED_EXIT_CODE [ARGUMENT]...: what it says is in `$work/log`.
init() {
  local expected=$1 status=0
  shift
  "$pgo" init "$@" > "$work/text" 2> "$work/log" || status=$?
  [ "$status" = "$expected" ] || { cat "$work/log"; fail "exit code $status, and not $expected, of pgo init $*"; }
}
says() { grep -qxF -- "pgo: $1" "$work/log" || { cat "$work/log"; fail "does not say: $1"; }; }
# repository NAME [REMOTE]: a new one, and the current directory.
repository() {
  git init --quiet "$work/$1"
  cd "$work/$1"
  [ $# = 1 ] || git remote add origin "$2"
}
files() { find . -path ./.git -prune -o -type f -print | sort | xargs; }
expect() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

# The host of the remote is GitHub. Its password is not printed.
repository by_remote https://me:hunter2@github.com/team/server.git
init 0 queryd
expect "files" "./.github/workflows/prodpgo-refresh.yml ./pgo.toml" "$(files)"
cmp .github/workflows/prodpgo-refresh.yml "$templates/github/prodpgo-refresh.yml"
says "pgo.toml: fill in where profiles, releases and versions are; then run 'pgo refresh --dry-run'"
says ".github/workflows/prodpgo-refresh.yml: for GitHub, by the remote's host, github.com"
grep -q '^pgo: set the container image with pgo in .github/workflows/prodpgo-refresh.yml, and create the secrets and the schedule that /.*/docs/guide/ci.md lists$' \
  "$work/log" || { cat "$work/log"; fail "does not say what to do next"; }
! grep -q hunter2 "$work/log" || fail "shows a password"
# Again: all is there.
echo changed > .github/workflows/prodpgo-refresh.yml
cp pgo.toml ../before.toml
init 2 queryd
says "error: pgo.toml: already exists; 'pgo init NAME -o - >> pgo.toml' adds a service to it"
# One of two is there.
rm pgo.toml
init 0 queryd
cmp pgo.toml ../before.toml
expect "file that was there" changed "$(cat .github/workflows/prodpgo-refresh.yml)"
says ".github/workflows/prodpgo-refresh.yml: already exists and is not changed"
echo mine > pgo.toml
rm .github/workflows/prodpgo-refresh.yml
init 0 queryd
expect "pgo.toml" mine "$(cat pgo.toml)"
says "pgo.toml: already exists and is not changed"

# GitLab, by its file, which has other jobs.
repository by_file
echo 'build: { script: make }' > .gitlab-ci.yml
init 0 queryd
expect "files" "./.gitlab-ci.yml ./.gitlab/prodpgo-refresh.yml ./pgo.toml" "$(files)"
cmp .gitlab/prodpgo-refresh.yml "$templates/gitlab/prodpgo-refresh.yml"
expect ".gitlab-ci.yml" 'build: { script: make }' "$(cat .gitlab-ci.yml)"
says ".gitlab-ci.yml: already exists and is not changed; add this to its 'include:': - local: .gitlab/prodpgo-refresh.yml"
says ".gitlab/prodpgo-refresh.yml: for GitLab, by .gitlab-ci.yml"

# As the user says: GitLab without a pipeline so far.
repository by_option https://github.com/team/server.git
init 0 queryd --ci gitlab
expect ".gitlab-ci.yml" "include:
  - local: .gitlab/prodpgo-refresh.yml" "$(cat .gitlab-ci.yml)"
cmp .gitlab/prodpgo-refresh.yml "$templates/gitlab/prodpgo-refresh.yml"
repository by_none https://github.com/team/server.git
init 0 queryd --ci none
expect "files" "./pgo.toml" "$(files)"
expect "lines of messages" 1 "$(wc -l < "$work/log")"
init 0 queryd -o -
expect "the message" 0 "$(wc -l < "$work/log")"
expect "what is printed" "$(cat pgo.toml)" "$(cat "$work/text")"

# Not found, or not for this pgo.toml.
repository unknown
init 0 queryd
expect "files" "./pgo.toml" "$(files)"
says "no CI job is written: the files and remotes of this repository do not show its forge; name it with --ci github or --ci gitlab"
mkdir service
cd service
init 0 queryd
says "no CI job is written: its job would run at the root of the repository, $work/unknown, and pgo.toml is not the pgo.toml there"
init 2 queryd -o other.toml --ci github
says "error: --ci: the job runs 'pgo refresh' at the root of the repository, and other.toml is not the pgo.toml there; run pgo init there, or choose --ci none and copy a template of ci-templates"
