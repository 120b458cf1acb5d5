# The binary was replaced on disk while it ran, as every deployment does: the kernel then adds
# " (deleted)" to its path. llvm-profgen and perf2bolt do not know the file
# any more.
. "$(dirname "$0")/../perturbed_recording.sh"

sed "s|path=\(.*/prog\)\$|build_id=$build_id path=\1 (deleted)|" plain.txt > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf
profgen_gives_up rare.perf "No relevant mmap event is found in perf data."
compat_gives_up rare.perf
perf2bolt_gives_up rare.perf "could not find a profile matching binary"

# Without a build ID the name decides, without the suffix.
sed 's|path=\(.*/prog\)$|path=\1 (deleted)|' plain.txt > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf
perf2bolt_gives_up rare.perf "could not find a profile matching binary"
