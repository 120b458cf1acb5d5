# Where nearly nothing of a recording is used, that is said, with the largest reason and what to do; where a
# tenth is, or the user asked for less, nothing is.
. "$(dirname "$0")/../perturbed_recording.sh"

branches=$(for i in $(seq 32); do printf '0x700000000010/0x700000000020 '; done)
flood() {  # flood SAMPLES OUT: as many more, of another binary
  {
    cat plain.txt
    echo "mmap2 pid=100 time=8000 addr=0x700000000000 len=0x1000 pgoff=0 prot=r-xp path=/lib/other.so"
    awk -v n="$1" -v sample="sample pid=100 time=9000 ip=0x700000000010 branches=$branches" \
      'BEGIN { while (n-- > 0) print sample }'
  } | recording_from_text "$2"
}
samples=$(grep -c '^sample' plain.txt)
flood $((samples * 5)) flood.perf
profile flood.perf flood.text
same expected.text flood.text
grep -qE "^pgo: warning: only [0-9]\.[0-9] % of the recorded data is used: [0-9.]+ % of the branch records are in other binaries; \
'pgo show RECORDING' lists what ran: name all your binaries with --binary\$" convert.log || { cat convert.log; fail "not said"; }

flood 1 drop.perf
profile drop.perf drop.text
! grep -q "of what was recorded" convert.log || fail "said for nothing"
profile flood.perf filtered.text --time 0.00001,
! grep -q "of what was recorded" convert.log || fail "said of what was asked for"
