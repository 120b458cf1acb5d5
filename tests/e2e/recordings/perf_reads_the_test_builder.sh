# The builder that other tests take their recordings from is checked by perf itself: file and pipe,
# compressed and not, print the same records.
. "$(dirname "$0")/../prelude.sh"
need perf

cat > recording.txt <<'END'
event name=branches type=identifier,ip,tid,time,cpu,branch branch=user,any,hw_index flags=sample_id_all ids=7,8
event name=cycles type=identifier,ip,tid,time,cpu,period,branch branch=user,any flags=sample_id_all ids=9
comm pid=10 time=1000 exec=1 name=server
mmap2 pid=10 time=2000 addr=0x400000 len=0x1000 prot=r-xp build_id=0011aabb path=/bin/a b
mmap pid=10 time=2500 addr=0x500000 len=0x1000 pgoff=0x2000 path=/bin/lib.so
start_compressed
fork pid=11 parent=10 time=3000
sample pid=11 time=4000 ip=0x400100 branches=0x400120/0x400100 0x400110/0x40011c/M
shift by=0x10000
sample pid=10 tid=12 time=6000 ip=0x400100 branches=
end_compressed plain=50
sample event=1 pid=10 time=5000 ip=0x400100 branches=0x400120/0x400100 0/0
exit pid=11 parent=10 time=9000
finished_round
build_id id=0123456789abcdef0123456789abcdef01234567 path=/bin/lib.so
END

cat > expected.txt <<'END'
10/10 0.000001000: PERF_RECORD_COMM exec: server:10/10
10/10 0.000002000: PERF_RECORD_MMAP2 10/10: [0x400000(0x1000) @ 0 <0011aabb>]: r-xp /bin/a b
10/10 0.000002500: PERF_RECORD_MMAP 10/10: [0x500000(0x1000) @ 0x2000]: x /bin/lib.so
11/11 0.000003000: PERF_RECORD_FORK(11:11):(10:10)
11/11 0.000004000: 0x400120/0x400100/P/-/-/0/ 0x400110/0x40011c/M/-/-/0/
10/10 0.000005000: 0x410120/0x410100/P/-/-/0/ 0x0/0x0/P/-/-/0/
10/12 0.000006000:
11/11 0.000009000: PERF_RECORD_EXIT(11:11):(10:10)
END

print() {
  perf script --ns --show-mmap-events --show-task-events -F pid,tid,time,brstack "$@" 2> perf.log |
    sed -E 's/[0-9a-f]+ \[unknown\]//; s/ +/ /g; s/^ //; s/ $//'  # pipe mode adds the symbol of the ip
}

recording_from_text file.perf < recording.txt
print -i file.perf | diff expected.txt -
perf buildid-list -i file.perf | grep -q '^0123456789abcdef0123456789abcdef01234567 /bin/lib.so$'

recording_from_text --pipe pipe.perf < recording.txt
print -i - < pipe.perf | diff expected.txt -

grep -v compressed recording.txt | recording_from_text plain.perf
print -i plain.perf | diff expected.txt -
