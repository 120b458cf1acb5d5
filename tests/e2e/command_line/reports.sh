# Each command that makes something writes its result to the file of --report as --json prints it, and says before it
# does anything that the file cannot be written.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../versions_prelude.sh"
. "$(dirname "$0")/../archive_prelude.sh"

profile server.proftext 7
printf 'main;work 5\n' > cpu.folded
# made ARGUMENT...: the command succeeds, and its report is what it printed.
made() {
  rm -f report.json
  "$pgo" "$@" --json --report report.json > printed.json 2> log || { cat log; fail "pgo $* failed"; }
  diff printed.json report.json || fail "another report of pgo $*"
  python3 -m json.tool report.json > /dev/null
  "$pgo" "$@" --report report.json > text 2> log || { cat log; fail "pgo $* failed without --json"; }
  grep -q '^{' text && { cat text; fail "pgo $* prints JSON without --json"; }
  python3 -m json.tool report.json > /dev/null
}
made push server.proftext oci-dir:profiles:week-48
made pin server oci-dir:profiles:week-48
made pull --locked
made copy oci-dir:profiles:week-48 oci-dir:copied:week-48
made gc oci-dir:profiles
made archive server --to builds
made upload cpu.folded uploaded --label service=server

# refused ARGUMENT...: says so at once, and makes nothing: `fresh` is not there.
refused() {
  refuses "nowhere/report.json: the directory nowhere does not exist" "$@" --report nowhere/report.json
  refuses "--report - would write to standard output, where the result is printed; use --json" "$@" --report -
  [ ! -e fresh ] || fail "pgo $* made something before it refused its report"
}
refused push server.proftext oci-dir:fresh:week-49
refused pin other oci-dir:profiles:week-48 --lock fresh
refused pull oci-dir:profiles:week-48 -o fresh
refused copy oci-dir:profiles:week-48 oci-dir:fresh:week-48
refused gc oci-dir:profiles
refused archive server --to fresh
refused upload cpu.folded fresh --label service=server
refused record --service server --for 1s --every 10s -o fresh --spool fresh/spool
for output in fresh s3://fresh/server.addr; do
  refuses "nowhere/report.json: the directory nowhere does not exist" record -o $output --report nowhere/report.json -- true
  refuses "--report - would write to standard output, where the result is printed; use --json" record -o $output --report - -- true
done

# A report does not replace what the command reads.
refuses "--report server.proftext would replace server.proftext, which is read" \
  push server.proftext oci-dir:fresh:week-49 --report server.proftext
refuses "--report ./server would replace server, which is read" archive server --to fresh --report ./server
refuses "--report cpu.folded would replace cpu.folded, which is read" upload cpu.folded fresh --report cpu.folded
mkdir -p inputs
cp cpu.folded inputs
refuses "--report inputs/cpu.folded would replace a file of inputs, which is read" \
  upload inputs fresh --report inputs/cpu.folded
echo key > release.key
refuses "--report release.key would replace release.key, which is read" \
  push server.proftext oci-dir:fresh:week-49 --sign release.key --report release.key
for command in "pin server oci-dir:profiles:week-48" "pull --locked" "gc oci-dir:profiles"; do
  refuses "--report ./pgo.lock would replace pgo.lock, which is read" $command --report ./pgo.lock
done
for command in "pin other oci-dir:profiles:week-48" "pull oci-dir:profiles:week-48" "gc oci-dir:profiles" \
  "copy oci-dir:profiles:week-48 oci-dir:fresh" "push server.proftext oci-dir:profiles:week-49"; do
  refuses "--report profiles/index.json would replace profiles/index.json, which is read" \
    $command --report profiles/index.json
done
[ ! -e fresh ] || fail "something was made"

# Nor what it makes.
refuses "--report new.lock would replace what this command made: the report was not written; name another file" \
  pin server oci-dir:profiles:week-48 --lock new.lock --report new.lock
python3 -c 'import json; json.load(open("new.lock"))["profiles"]["server"]'
mkdir pulled
refuses "--report pulled/server.proftext would replace what this command made: the report was not written; name another \
file" pull oci-dir:profiles:week-48 -o pulled --report pulled/server.proftext
cmp pulled/server.proftext server.proftext

# Only commands that show something, or write what is no result, have none.
"$pgo" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' > commands
while read -r command; do "$pgo" "$command" --help | grep -q -e '--report' || echo "$command"; done < commands > without
diff without <(printf '%s\n' completion doctor flags init list manual show status) || fail "other commands are without --report"
