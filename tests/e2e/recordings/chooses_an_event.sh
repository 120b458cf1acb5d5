# Of two events with branch stacks one must be chosen; their names are in the recording.
. "$(dirname "$0")/../perturbed_recording.sh"

{
  echo "event name=branches type=identifier,ip,tid,time,branch branch=user,any flags=sample_id_all ids=1"
  echo "event name=misses type=identifier,ip,tid,time,branch branch=user,any flags=sample_id_all ids=2"
  echo "event_desc"
  grep -v '^event' plain.txt
  # The other event sees only the last samples.
  tail -n 200 plain.txt | sed 's/^sample/sample event=1/'
} > rare.txt
recording_from_text rare.perf < rare.txt

unchanged rare.perf --event branches
profile rare.perf misses.text --event misses
{ grep '^event\|^mmap2' plain.txt; tail -n 200 plain.txt; } | recording_from_text few.perf
profile few.perf few.text
same few.text misses.text

# llvm-profgen adds up whatever there is.
ask_peer plain.perf peer_plain.text
ask_peer rare.perf peer.text
[ "$(total_of peer.text)" -gt "$(total_of peer_plain.text)" ]

if "$pgo" convert rare.perf --binary "$subject_prog" -o llvm-text:out.text 2> error.log; then fail "chose by itself"; fi
diff - error.log << 'END'
pgo: error: rare.perf: has several events to choose from; name one with --event:
  branches  (branch stacks)
  misses  (branch stacks)
END
[ ! -e out.text ] || fail "an error left an output"
