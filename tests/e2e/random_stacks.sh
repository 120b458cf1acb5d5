# Sourced by tests with branch stacks that no processor records: ranges across calls and jumps, backwards,
# over the end of functions, into the middle of instructions; entries from the kernel and from other
# binaries; repeated ones, empty stacks, unused slots between used ones.
. "$(dirname "${BASH_SOURCE[0]}")/oracle.sh"

load_address=$((0x555555550000))

# make_stacks ADDRESSES SEED: samples whose entries start near where the last range ended, mostly.
make_stacks() {
  awk -v state="$2" '
    function random(n) { state = state * 16807 % 2147483647; return state % n }
    function strange() {
      kind = random(5)
      if (kind == 1) return "0xffffffff81" sprintf("%06x", random(16777216))
      if (kind == 2) return "0x7fff" sprintf("%08x", random(65536))
      return sprintf("%.0f", address[random(n)] + random(3))
    }
    function place(i) { return random(25) == 0 ? strange() : sprintf("%.0f", address[i]) }
    { address[n++] = $1 }
    END {
      for (sample = 0; sample < 2500; ++sample) {
        entries = random(40) == 0 && sample > 0 ? 0 : 1 + random(32)
        printf "sample pid=100 time=%d ip=%.0f branches=", 1000 + sample, address[random(n)]
        at = random(n)  # where the range that is older than the next newer branch begins
        for (i = 0; i < entries; ++i) {
          source = at + random(random(20) ? 12 : 400)
          if (random(30) == 0) source = at - random(20)
          if (source >= n || source < 0) source = random(n)
          at = random(4) ? source - random(60) : random(n)
          if (at < 0) at = 0
          entry[i] = place(source)
          start[i] = place(at)
        }
        # Newest first: the branch to start[i] is older than the one from entry[i].
        for (i = 0; i < entries; ++i) {
          to = i ? start[i - 1] : place(random(n))
          if (random(50) == 0) entry[i] = to = 0  # an unused slot
          printf "%s/%s%s ", entry[i], to, random(9) ? "" : "/M"
        }
        print ""
      }
    }' "$1"
}


# write_recording SEED: prog.perf, with a map as the kernel makes it of the executable segment of prog.
write_recording() {
  local offset address size base=0
  llvm-readelf-22 -h prog | grep 'Type:.*EXEC' > /dev/null || base=$load_address
  read -r offset address size < <(llvm-readelf-22 -lW prog | awk '$1 == "LOAD" && / R E / { print $2, $3, $6; exit }')
  llvm-objdump-22 -d --no-show-raw-insn prog | sed -n 's/^ *\([0-9a-f]*\):.*/0x\1/p' |
    while read -r a; do echo $((a + base)); done > addresses
  {
    echo "event name=branches type=ip,tid,time,branch branch=user,any flags=sample_id_all"
    printf 'mmap2 pid=100 time=1 addr=0x%x len=0x%x pgoff=0x%x path=%s\n' $((base + (address & ~4095))) \
      $(((size + 8191) & ~4095)) $((offset & ~4095)) "$PWD/prog"
    make_stacks addresses "$1"
  } > stacks.txt
  recording_from_text prog.perf < stacks.txt
}
