# Of two events that count different things the user names one, or both; their names are in the recording.
# Those of the kinds of cores of a hybrid processor add up.
. "$(dirname "$0")/../perturbed_recording.sh"

# two_events NAME CONFIG NAME CONFIG: the recording, and an event that sees only the last samples.
two_events() {
  echo "event name=$1 config=$2 type=identifier,ip,tid,time,branch branch=user,any flags=sample_id_all ids=1"
  echo "event name=$3 config=$4 type=identifier,ip,tid,time,branch branch=user,any flags=sample_id_all ids=2"
  echo "event_desc"
  grep -v '^event' plain.txt
  tail -n 200 plain.txt | sed 's/^sample/sample event=1/'
}
two_events branches 0 misses 3 | recording_from_text rare.perf
two_events cpu_core/cycles/u 0x400000000 cpu_atom/cycles/u 0xa00000000 | recording_from_text hybrid.perf

unchanged rare.perf --event branches
profile rare.perf misses.text --event misses
{ grep '^event\|^mmap2' plain.txt; tail -n 200 plain.txt; } | recording_from_text few.perf
profile few.perf few.text
same few.text misses.text

# llvm-profgen adds up whatever there is.
ask_profgen_of plain.perf reference_plain.text
ask_profgen_of rare.perf reference.text
[ "$(total_of reference.text)" -gt "$(total_of reference_plain.text)" ]
profile rare.perf both.text --event branches --event misses
[ "$(total_of both.text)" -gt "$(total_of expected.text)" ] || fail "does not add up the events that are named"
profile hybrid.perf hybrid.text
same both.text hybrid.text
"$pgo" convert hybrid.perf --binary "$subject_prog" --compat=llvm-profgen -o llvm-text:compat.text 2> convert.log
same reference.text compat.text
unchanged hybrid.perf --event cpu_core/cycles/u

if "$pgo" convert rare.perf --binary "$subject_prog" -o llvm-text:out.text 2> error.log; then fail "chose by itself"; fi
diff - error.log << 'END'
pgo: error: rare.perf: has events that count different things; name one or more with --event:
  branches  (branch records)
  misses  (branch records)
END
[ ! -e out.text ] || fail "an error left an output"
