# The binary was recorded under another name: the build id tells that it is the same. In MMAP2 records
# or, as `perf record` does without --buildid-mmap, in a table at the end.
. "$(dirname "$0")/rarity.sh"

sed "s|path=.*/prog\$|build_id=$build_id path=/srv/release-17/server|" plain.txt > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf
peer_loses rare.perf

{
  sed 's|path=.*/prog$|path=/srv/release-17/server|' plain.txt
  echo "build_id id=$build_id path=/srv/release-17/server"
} > rare.txt
recording_from_text rare.perf < rare.txt
unchanged rare.perf
