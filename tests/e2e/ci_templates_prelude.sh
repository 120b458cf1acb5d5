# Sourced by tests of ci-templates, after prelude.sh and servers_prelude.sh: a repository team/server on a stand-in for a
# forge (ci_templates/forge.py), and jobs of templates (ci_templates/play.py).
#
#   play STATUS github|gitlab FILE JOB   runs a job; it must exit with STATUS. `job/checkout` is where it worked
#   commit FILE...                       commits to the main branch, and pushes
#   requests FILTER                      the forge's requests, through jq
#   git_origin ARGUMENT...               git in the forge's repository
#
# `$templates` is ci-templates, or a copy of it. `$bin` has the programs of the job's image; `pgo` there is the one under
# test, but for `pgo refresh`: the profile `next.proftext` is pushed to the directory `registry` and pinned, with the
# exit code in `refresh_status`; with 2 in it, an error comes first. The lock file is $lock when new_repository is called,
# or pgo.lock. (What the real one does has tests of its own, and real_refresh.sh.)
need git jq curl python3
# A python3 that is not the distribution's does not see its packages.
for python in python3 /usr/bin/python3 none; do
  "$python" -c 'import yaml' 2> /dev/null && break
done
[ $python != none ] || { [ "${PRODPGO_TOOLS-}" != required ] || fail "python3-yaml is not installed"; skip "python3-yaml is not installed"; }

templates=$(cd "$here/../../ci-templates" && pwd)
bin=$work/bin
export FORGE=$work/forge BIN=$bin REF=main ORIGIN
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_SYSTEM=/dev/null
git config --global user.name Tester
git config --global user.email tester@example.com
git config --global init.defaultBranch main
git config --global advice.detachedHead false

expect() { # WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

mkdir -p "$bin" "$FORGE"
cat > "$bin/pgo" << END
#!/bin/bash
set -eu
[ "\$1" = refresh ] || exec "$pgo" "\$@"
[ "\$(cat "$work/refresh_status")" != 2 ] || exit 2
lock=\$(sed -n 's/^# lock: //p' pgo.toml) outcome=nothing-new
version=\$("$pgo" push "$work/next.proftext" "oci-dir:$work/registry:\$(sha256sum < "$work/next.proftext" | cut -c 1-8)")
grep -qsF "\$version" "\$lock" || {
  "$pgo" pin server --lock "\$lock" "oci-dir:$work/registry@\$version"
  "$pgo" lock diff --lock "\$lock" --pull -o summary.md
  outcome=pinned
}
[ "\${2-}" != --report ] || jq -n --arg lock "\$lock" --arg outcome \$outcome '{services: [{\$lock, \$outcome}]}' > "\$3"
exit "\$(cat "$work/refresh_status")"
END
printf '#!/bin/sh\nunset GIT_TEST_ASSUME_DIFFERENT_OWNER\nexec python3 "%s" gh "$@"\n' "$here/ci_templates/forge.py" > "$bin/gh"
for program in git curl; do
  printf '#!/bin/sh\ncase "$*" in *forge-token-5*) echo "the token is an argument of %s" >&2; exit 1 ;; esac\nexec %s "$@"\n' \
    $program "$(command -v $program)" > "$bin/$program"
done
chmod +x "$bin"/*
echo 0 > refresh_status

# profile COUNT: the next refresh pins it.
profile() { printf 'main:%d:10\n 1: %d\n 2: 100\n' $(($1 + 100)) "$1" > next.proftext; }

start_forge() {
  local port
  port=$(free_port)
  ORIGIN=http://127.0.0.1:$port/forge/team/server.git
  start_server forge 143 "$ORIGIN" python3 "$here/ci_templates/forge.py" serve "$port" "$FORGE"
}

# new_repository: what is on the forge begins anew, with a pgo.toml.
new_repository() {
  rm -rf "$FORGE/team" "$FORGE/requests.json" source registry
  git init --quiet --bare "$FORGE/team/server.git"
  git -C "$FORGE/team/server.git" config http.receivepack true
  git -C "$FORGE/team/server.git" config receive.advertisePushOptions true
  printf '#!/bin/sh\nwhile read -r _ _ ref; do FORGE="%s" python3 "%s" pushed "${ref#refs/heads/}"; done\n' \
    "$FORGE" "$here/ci_templates/forge.py" > "$FORGE/team/server.git/hooks/post-receive"
  chmod +x "$FORGE/team/server.git/hooks/post-receive"
  git clone --quiet "$FORGE/team/server.git" source 2> clone.log
  cat > source/pgo.toml << END
# lock: ${lock-pgo.lock}
[service.server]
source = "store"
binaries = "builds"
registry = "oci-dir:$work/registry"
lock = "${lock-pgo.lock}"
END
  commit pgo.toml
}
commit() {
  git -C source add "$@"
  git -C source commit --quiet --message "Change $*"
  git -C source push --quiet origin main
}

play() {
  local status=0
  "$python" "$here/ci_templates/play.py" "${@:2:1}" "$templates/$2/$3" "${@:4}" > job.log 2>&1 || status=$?
  [ "$status" = "$1" ] || { cat job.log; fail "$3, job $4: expected exit code $1, got $status"; }
}
git_origin() { git -C "$FORGE/team/server.git" "$@"; }
requests() { if [ -e "$FORGE/requests.json" ]; then jq -r "$1" "$FORGE/requests.json"; fi; }
