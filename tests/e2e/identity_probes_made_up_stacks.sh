# Pseudo probes under branch stacks that no processor records, of a static program, most of whose functions
# have neither debug information nor probes.
. "$(dirname "$0")/made_up_stacks.sh"
. "$here/probes.sh"

make_subject() {
  build -static -ffunction-sections -Wl,--icf=all
  write_recording "$(seed 42)"
  ask_profgen
}

with_subject
by_probe
same_as_profgen
