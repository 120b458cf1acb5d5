# The binary was recorded under another name: the build ID tells that it is the same. In MMAP2 records
# or, as `perf record` does without --buildid-mmap, in a table at the end.
. "$(dirname "$0")/../perturbed_recording.sh"

sed "s|path=.*/prog\$|build_id=$build_id path=/srv/release-17/server|" plain.txt > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf
profgen_gives_up rare.perf "No relevant mmap event is found in perf data."
compat_gives_up rare.perf

{
  sed 's|path=.*/prog$|path=/srv/release-17/server|' plain.txt
  echo "build_id id=$build_id path=/srv/release-17/server"
} > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf

# The other way round: the same name, but another build; it ran beside ours, at an address of its own.
other=$(echo "$build_id" | tr 0-9 1-90)
{
  sed "s|path=\(.*/prog\)\$|build_id=$build_id path=\1|" plain.txt
  echo "shift by=0x7000000"
  sed "s|path=.*/prog\$|build_id=$other path=/srv/old/prog|; s/pid=100/pid=200/" plain.txt | grep -v '^event'
} > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf
perf2bolt_adds rare.perf
