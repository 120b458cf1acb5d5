# What a recording holds, to the last character: once without any ELF file, once as JSON.
. "$(dirname "$0")/../prelude.sh"

cat > recording.txt << 'END'
event name=cycles:u type=identifier,ip,tid,time,branch period=4000 branch=user,any flags=sample_id_all ids=1
event name=instructions:u type=identifier,ip,tid,time period=99 flags=sample_id_all,frequency ids=2
comm pid=10 time=1 exec=1 name=server
mmap2 pid=10 time=2 addr=0x400000 len=0x1000 prot=r-xp build_id=00112233445566778899aabbccddeeff00112233 path=/srv/server
mmap2 pid=10 time=3 addr=0x700000 len=0x1000 prot=r-xp path=/lib/libc.so.6
mmap2 pid=10 time=4 addr=0x900000 len=0x1000 prot=r-xp path=//anon
fork pid=11 parent=10 time=5
sample pid=10 time=1000000000 ip=0x400100 branches=0x400120/0x400100 0x400110/0x40011c
sample pid=10 time=1500000000 ip=0x400200 branches=0x400120/0x400100
sample pid=11 time=2000000000 ip=0x400300 branches=0x400120/0x400100
sample pid=11 time=2000000001 ip=0x700300 branches=0x700120/0x400100
sample pid=11 time=2000000002 ip=0x700300
sample pid=11 time=2000000003 ip=0x900300 branches=0x900120/0x400100
sample pid=11 time=2000000004 ip=0xffffffff81000000 branches=0xffffffff81000000/0x400100
sample pid=11 time=3250000000 ip=0x10 event=1
lost lost=17 time=3250000001
event_desc
END
recording_from_text a.perf < recording.txt

cat > expected << 'END'
a.perf: perf.data recording, 1.9 kB
  events        cycles:u: 7 samples, one in 4 000, 7 branch records in 6 stacks
                instructions:u: 1 sample, 99 a second, no branch records
  time          2.250 s, from 1.000000
  processes     11 server  75.0 %
                10 server  25.0 %
  lost          17 samples, reported by the kernel

  SAMPLES   SHARE  FILE            BUILD ID
        3  37.5 %  /srv/server     00112233445566778899aabbccddeeff00112233
        2  25.0 %  /lib/libc.so.6  none

  records                                                          14  100.0 %
  samples in them                                                   8   57.1 %
  - in the kernel                                                   1   12.5 %
  - in memory without a file (JIT code)                             1   12.5 %
  - in no known mapping                                             1   12.5 %
  = in recorded files                                               5   62.5 %
  samples with branch records                                       6   75.0 %
  branch records in them                                            7  100.0 %
END
"$pgo" show a.perf > shown
diff expected shown || fail "the answer differs"

# --top cuts every table and says so; -j does not matter; standard input has no other answer.
"$pgo" show a.perf --top 1 -j 3 > shown
grep '^  and 1 more file$' shown > /dev/null || { cat shown; fail "a file is missing without a word"; }
grep '^                and 1 more$' shown > /dev/null || { cat shown; fail "a process is missing without a word"; }
"$pgo" show - < a.perf | sed 's/^-: /a.perf: /' > shown
diff expected shown || fail "standard input is told apart"

"$pgo" show a.perf --json > shown.json
python3 - << 'END'
import json
shown = json.load(open("shown.json"))
assert shown["format"] == "perf.data" and shown["mode"] == "file", shown
assert not shown["compressed"] and not shown["truncated"] and shown["lost"] == 17, shown
assert shown["time"] == {"first": 1000000000, "last": 3250000000}, shown
assert shown["samples"] == {"seen": 8, "used": 5,
                            "dropped": {"kernel": 1, "anonymous": 1, "unmapped": 1}}, shown
assert shown["events"][1] == {"name": "instructions:u", "frequency": 99, "branch_stacks": False,
                              "call_stacks": False, "lbr_call_stacks": False, "samples": 1, "samples_with_branches": 0,
                              "branch_records": 0}, shown
assert shown["files"][0] == {"path": "/srv/server", "samples": 3,
                             "build_id": "00112233445566778899aabbccddeeff00112233"}, shown
assert shown["processes"][0] == {"pid": 11, "name": "server", "samples": 6}, shown
END

# How it was written is part of the answer.
sed '/^event name=instr/d; /event=1/d; s/identifier,//; s/ ids=1//' recording.txt > one.txt
recording_from_text --pipe piped.perf < one.txt
"$pgo" show piped.perf | head -1 | grep ', written to a pipe$' > /dev/null || fail "a pipe is not told apart"
sed '0,/^sample/s//start_compressed\nsample/' one.txt | sed '$aend_compressed plain=0 compressed=0' \
  | sed '/^event_desc/d' > packed.txt
echo event_desc >> packed.txt
recording_from_text packed.perf < packed.txt
"$pgo" show packed.perf | head -1 | grep ', compressed$' > /dev/null || fail "compression is not told"
recording_from_text one.perf < one.txt
for file in one piped packed; do "$pgo" show $file.perf | sed -n '/SAMPLES/,/^$/p' > $file.files; done
diff one.files piped.files && diff one.files packed.files || fail "the way of storing changes the samples"

head -c 1000 one.perf > cut.perf
"$pgo" show cut.perf > shown
head -1 shown | grep ', truncated$' > /dev/null || { cat shown; fail "truncation is not told"; }
grep '^  warning ' shown > /dev/null || { cat shown; fail "truncation is not explained"; }
