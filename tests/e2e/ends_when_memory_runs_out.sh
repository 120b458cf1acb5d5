# Memory that runs out ends a command with a line that says so, not with a crash.
. "$(dirname "$0")/prelude.sh"

{ yes 'T 10 20 30 1' || true; } | head -n 8000000 > many.preagg
limited() { (ulimit -v 500000 && "$pgo" "$@"); }
limited --version > version 2>&1 || skip "this build of pgo needs more than 500 MB to start"

status=0
limited show many.preagg > out 2> error || status=$?
rm many.preagg
[ $status -eq 2 ]
[ ! -s out ]
[ "$(cat error)" = "pgo: error: stopped: std::bad_alloc" ]
