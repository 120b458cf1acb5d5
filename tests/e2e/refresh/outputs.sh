# pgo refresh: a mistake in any service, or an output that cannot be written, is an error before anything is pinned;
# summary.md is of what was pinned, whatever happens to the services that follow.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"
second() { # LINE...: another service, which follows
  printf '%s\n' '[service.zz]' 'source = "dir:store"' 'path-template = "{hour}/{host}.data"' \
    'registry = "oci-dir:registry"' "$@" >> pgo.toml
}
nothing_happened() { [ ! -e pgo.lock ] && [ ! -e registry ] && [ ! -e summary.md ] || fail "something was done"; }

refresh 2 --report nowhere/refresh.json
says 'pgo: error: nowhere/refresh.json: the directory nowhere does not exist' log
nothing_happened
refresh 2 --summary nowhere/summary.md
says 'pgo: error: nowhere/summary.md: the directory nowhere does not exist' log
nothing_happened
refresh 0 --summary nowhere/summary.md --dry-run
second
refresh 2
says "zz: has no binaries, which all outputs but 'go' need" log
nothing_happened

configure
refresh 0 --summary ''
[ -e pgo.lock ] && [ ! -e summary.md ] || fail "wrote a summary"
rm -r pgo.lock registry

# What goes wrong in one service leaves the others; each pin is in the summary.
echo old > summary.md
configure
second 'binaries = "dir:gone"'
refresh 2
says "queryd: pinned to $(locked - manifest)" text
says 'pgo.toml:10:12: service.zz.binaries: dir:gone: there is no such directory' log
says '## queryd' summary.md
says '1 added' summary.md

# Also when the run is killed after the first pin: here by what it runs for the second service.
rm -r pgo.lock registry
echo old > summary.md
configure
"$pgo" archive unstripped --to whole > archive.text 2> archive.log
second 'binaries = "dir:whole"' 'outputs = "bolt"'
printf '#!/bin/sh\nkill -9 $PPID\n' > killer
chmod +x killer
refresh 137 --perf2bolt ./killer
[ "$(locked - manifest)" != "" ] || fail "nothing is pinned"
says '## queryd' summary.md

# A pipe gets the summary once.
rm -r pgo.lock registry
configure
mkfifo pipe
cat pipe > piped &
refresh 0 --summary pipe
wait $!
expect "titles" 1 "$(grep -c '^# New profiles' piped)"
says '1 added' piped

# There is no BOLT profile of a stripped program: beside it, the compile profile is pinned; alone, there is nothing to pin.
rm -r pgo.lock registry
configure 'outputs = ["llvm", "bolt"]'
refresh 0
reason="the build $build_id is stripped of its symbols; archive it before it is stripped"
says "pgo: warning: queryd: no BOLT profile of the program is pinned: $reason" log
expect "BOLT profile" none "$(locked bolt path)"
expect "compile profile" queryd.prof "$(locked llvm path)"
configure 'outputs = "bolt"'
refresh 2
says "pgo: error: queryd: there is no BOLT profile, the only output: $reason" log
