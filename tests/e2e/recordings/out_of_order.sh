# Records of several processors are interleaved in pieces, so a file is not in the order of time. Here it is
# backwards, maps last.
. "$(dirname "$0")/../perturbed_recording.sh"

{ grep '^event' plain.txt; grep -v '^event' plain.txt | tac; } > rare.txt
recording_from_text rare.perf < rare.txt

unchanged rare.perf
compat_as_profgen rare.perf
