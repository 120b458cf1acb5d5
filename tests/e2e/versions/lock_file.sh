# pgo.lock in git: nothing changes without need, branches that pin other profiles merge by themselves, those that pin
# the same one conflict, and what a merge by hand leaves is refused in plain words.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need git
export GIT_CONFIG_GLOBAL=$work/gitconfig
git config --global user.name test
git config --global user.email test@localhost
git config --global init.defaultBranch main

one=$(push week-47 1) two=$(push week-48 2) three=$(push week-49 3)
git init -q repository
cd repository
pin() { "$pgo" pin "$1" "oci-dir:../profiles:$2"; }
expect "pin" "pgo.lock: client: pinned to $one" "$(pin client week-47)"
pin server week-47 > ../text
pin zebra week-47 > ../text
git add pgo.lock
git commit -qm base
expect "again" "pgo.lock: server: is already pinned to $one" "$(pin server week-47)"
git diff --exit-code
expect "reference" '      "reference": "oci-dir:../profiles:week-47"' "$(grep -m1 reference pgo.lock)"

(cd .. && refuses "repository/pgo.lock: is a lock file of profiles; 'pgo list repository/pgo.lock' lists them, \
'pgo show repository/pgo.lock#NAME' shows one of them, 'pgo lock diff' what changed" show repository/pgo.lock)

# What it pins, and what it could.
listed=$("$pgo" list pgo.lock)
expect "names" "NAME client server zebra" "$(awk '{ print $1 }' <<< "$listed" | xargs)"
expect "digests" "DIGEST $one $one $one" "$(awk '{ print $NF }' <<< "$listed" | xargs)"
"$pgo" list pgo.lock#server > ../text
cmp ../text <("$pgo" list oci-dir:../profiles)
(cd .. && "$pgo" list repository/pgo.lock#server | cmp text -)
expect "in JSON" '["client","oci-dir:../profiles:week-47"]' \
  "$("$pgo" list pgo.lock --json | python3 -c 'import json, sys
first = json.load(sys.stdin)["profiles"][0]
print(json.dumps([first["name"], first["reference"]], separators=(",", ":")))')"
refuses "..: is a directory; 'pgo show ..' shows which profiles it has, 'pgo list oci-dir:..' the versions of a registry in it" list ..
refuses "pgo.lock: has no profile serve; did you mean server? 'pgo pin serve REFERENCE' adds one" list pgo.lock#serve

# From another directory, and by the path of the lock file.
mkdir -p deep/er
(cd deep/er && "$pgo" pin server oci-dir:../../../profiles:week-47 --lock ../../pgo.lock > "$work/text")
git diff --exit-code
(cd deep/er && "$pgo" pull --locked --lock ../../pgo.lock server > "$work/text" 2> "$work/log")

# Other profiles on two branches: git merges them.
git checkout -qb other
pin client week-48 > ../text
git commit -qam client
git checkout -q main
pin zebra week-48 > ../text
git commit -qam zebra
git merge -q other -m merged
expect "merged" "3" "$("$pgo" pull --locked --json 2> ../log | grep -c '"profile"')"

# The same profile on both: a conflict, which pgo names, and takes part in no more once one side is kept.
git checkout -qb newer
pin server week-49 > ../text
git commit -qam newer
git checkout -q main
pin server week-48 > ../text
git commit -qam main
git merge -q newer > ../text 2>&1 && fail "there is no conflict"
line=$(grep -n -m1 '^<<<<<<<' pgo.lock | cut -d: -f1)
for command in "pull --locked" "pin server oci-dir:../profiles:week-47" "gc oci-dir:../profiles --lock pgo.lock"; do
  status=0
  # shellcheck disable=SC2086  # the words of a command
  "$pgo" $command > ../text 2> ../log || status=$?
  expect "exit code of $command" 2 $status
  expect "$command" "pgo: error: pgo.lock: line $line is a conflict marker of a merge; keep one side of each profile, or pin it again with 'pgo pin'" "$(cat ../log)"
done
git checkout -q --theirs pgo.lock
git commit -qam 'keep theirs'
expect "kept" "pgo.lock: server: is already pinned to $three" "$(pin server week-49)"

# Back and forth.
expect "back" "pgo.lock: server: pinned to $one (was $three)" "$("$pgo" pin server --previous)"
expect "forth" "pgo.lock: server: pinned to $three (was $one)" "$("$pgo" pin server --previous)"
expect "two" "pgo.lock: server: pinned to $two (was $three)" "$(pin server week-48)"
mkdir -p deep/er
expect "from below" "../../pgo.lock: server: pinned to $three (was $two)" "$(cd deep/er && "$pgo" pin server --previous)"
(cd deep/er && "$pgo" pull --locked > ../../../text 2> ../../../log) || { cat ../log; fail "cannot pull from below"; }
# Beside a nearer pgo.toml there would be one of its own.
touch deep/pgo.toml
status=0
(cd deep/er && "$pgo" pull --locked > ../../../text 2> ../../../log) || status=$?
expect "exit code" 2 $status
expect "missing" "pgo: error: ../pgo.lock: there is no lock file; 'pgo refresh' or 'pgo pin NAME REFERENCE' makes one; --lock names another" "$(cat ../log)"
cd "$work"
refuses "name the version to pin: a REFERENCE such as oci-dir:profiles:week-48, or --previous for the one that was pinned before" pin server
refuses "--previous pins the version that was pinned before: leave out oci-dir:profiles:week-47, or --previous" pin server oci-dir:profiles:week-47 --previous
refuses "--lock requires --locked (see 'pgo pull --help')" pull oci-dir:profiles:week-47 --lock pgo.lock
refuses "pgo.lock: there is no lock file; 'pgo refresh' or 'pgo pin NAME REFERENCE' makes one; --lock names another" pull --locked
