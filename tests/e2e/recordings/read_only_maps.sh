# `perf record -d` also records the maps that are not executable. llvm-profgen takes them for code.
. "$(dirname "$0")/../perturbed_recording.sh"

{
  grep '^event' plain.txt
  echo "mmap2 pid=100 time=10 addr=0x10000000 len=0x1000 pgoff=0 prot=r--p path=$subject_prog"
  grep -v '^event' plain.txt
  echo "mmap2 pid=100 time=20 addr=0x20000000 len=0x1000 pgoff=0 prot=rw-p path=$subject_prog"
} > rare.txt
recording_from_text rare.perf < rare.txt

unchanged rare.perf
profgen_gives_up rare.perf "File offset not found"
compat_gives_up rare.perf
