# Pseudo probes of a C program at a fixed address, -O3, without unused sections and with plain static names.
. "$(dirname "$0")/../oracle.sh"
need clang-22
. "$here/probes_prelude.sh"

make_subject() {
  clang-22 $debug -O3 -no-pie -fno-pie -ffunction-sections -Wl,--gc-sections -fno-unique-internal-linkage-names \
    -fuse-ld=lld -Wl,--build-id $c_sources -o prog
  record prog.perf ./prog 400
  ask_profgen
}

with_subject
by_probe
same_as_profgen
