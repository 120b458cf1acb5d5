# Pseudo probes where the linker dropped sections and folded identical code, and flow-sensitive discriminators.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"

make_subject() {
  build -ffunction-sections -Wl,--gc-sections -Wl,--icf=all -mllvm -enable-fs-discriminator=true
  record prog.perf ./prog
  ask_profgen
}

with_subject
by_probe
same_as_profgen
