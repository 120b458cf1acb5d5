# Versions in a registry are inputs of commands as files are, with the same options for the network as pull has.
. "$(dirname "$0")/../perturbed_recording.sh"
. "$here/versions_prelude.sh"
. "$here/servers_prelude.sh"
. "$here/registry_prelude.sh"
start_registry
with() { "$pgo" "$@" > text 2> log || { cat log; fail "cannot pgo $*"; }; }

recording_from_text plain.data < plain.txt
with convert plain.data --binary "$subject_prog" -o server.addr -o server.prof --report report.json
printf 'main;scan 10\nmain;parse 30\n' > server.folded
with merge server.folded -o server.pb.gz
printf '1 main 0 1 main 2 0 5\n' > server.fdata
with push server.addr server.prof server.pb.gz server.fdata report.json "oci://$registry/team/server:week-48"
digest=$(cat text)
"$pgo" merge server.addr -o merged.addr 2> log
"$pgo" cost server.pb.gz > cost.text 2> log
"$pgo" show server.prof > show.text 2> log
"$pgo" match "$subject_prog" --profile server.prof > match.text 2> log

# In the first round by http as this machine's, in the second as that of another machine.
check_commands() { # PLACE [OPTION]
  local version=$1:week-48
  shift
  rm -rf "$PRODPGO_CACHE"
  with merge "$version" -o got.addr "$@"
  cmp merged.addr got.addr
  with convert "$version#kind=address" --binary "$subject_prog" -o got.prof --report got.json "$@"
  cmp server.prof got.prof
  grep -qF "$version@$digest" got.json || fail "the report does not name the version"
  with show "$version#kind=llvm" "$@"
  diff <(sed 1d show.text) <(sed 1d text) || fail "show"
  with match "$subject_prog" --profile "$version" "$@"
  diff <(grep -v server.prof match.text) <(grep -v "$version" text) || fail "match"
  with cost "$version#kind=pprof" "$@"
  grep -q scan text || fail "cost: $(cat text)"
  with diff "$version#kind=pprof" server.pb.gz "$@"
  "$pgo" verify "$version#kind=pprof" server.pb.gz "$@" > text 2> log || [ $? = 3 ] || { cat log; fail "verify"; }
  # Not linked with --emit-relocs; the profile is read.
  "$pgo" bolt "$subject_prog" -o bolted --profile "$version" "$@" > text 2> log || { cat log; fail "bolt"; }
}
check_commands "oci://$registry/team/server"
far=oci://$(far_name "$registry")/team/server
for command in "merge $far:week-48 -o x.addr" "convert $far:week-48#kind=address --binary $subject_prog -o x.prof" \
  "show $far:week-48#kind=llvm" "match $subject_prog --profile $far:week-48" "cost $far:week-48#kind=pprof" \
  "diff $far:week-48#kind=pprof server.pb.gz" "verify $far:week-48#kind=pprof server.pb.gz" \
  "bolt $subject_prog -o x --profile $far:week-48"; do
  status=0
  # shellcheck disable=SC2086  # the words of a command
  "$pgo" $command > text 2> log || status=$?
  expect "exit code of $command" 2 $status
  grep -q "^pgo: error: $far: the manifest week-48: no TLS connection to 0.0.0.0" log || fail "$command: $(cat log)"
done
check_commands "$far" --plain-http
stop_servers
