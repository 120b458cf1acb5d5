# Pseudo probes under branch stacks that no processor records, of a static program, most of whose functions
# have neither debug information nor probes.
. "$(dirname "$0")/../random_stacks.sh"
. "$here/probes_prelude.sh"

make_subject() {
  build -static -ffunction-sections -Wl,--icf=all
  write_recording "$(seed 42)"
  ask_profgen
}

with_subject
by_probe
same_as_profgen
