# A real program with much of the standard library in it, and full debug information: the one that writes
# recordings for these tests, at work on a recording.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  local data=$here/../data
  clang++-22 -std=c++20 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -I"$here/../.." \
    "$data"/{perf_data_builder,sample_fields,recording_from_text}.cc -lzstd -o prog
  {
    echo "event type=ip,tid,time,branch branch=user,any flags=sample_id_all"
    for i in 1 2 3 4 5 6 7 8 9; do
      echo "comm pid=$i time=$i name=guest"
      echo "mmap2 pid=$i time=$i addr=0x400000 len=0x1000 prot=r-xp build_id=0011aabb path=/bin/a b"
      echo "sample pid=$i time=5$i ip=0x400100 branches=0x400120/0x400100 0x400110/0x40011c/M 0x400130/0x400110"
    done
  } > text
  record prog.perf ./prog out.perf < text
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt
