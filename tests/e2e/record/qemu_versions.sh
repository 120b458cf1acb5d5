# A QEMU that cannot load the branch recorder is refused before the command starts. A stand-in plays
# the versions that are not here.
. "$(dirname "$0")/../prelude.sh"

cat > qemu <<'END'
#!/bin/bash
[ "$*" != --version ] || { printf '%b' "$STAND_IN_VERSION"; exit; }
exit 9
END
chmod +x qemu
# answer_to VERSION: what pgo says.
answer_to() {
  local status=0
  STAND_IN_VERSION=$1 "$pgo" record --engine emulate --qemu ./qemu -o perf.data -- true 2> log || status=$?
  [ "$status" -eq 2 ] || fail "exit status $status for $1"
  tail -n 1 log
}

for version in 5.2.0 6.1.1 9.0.1 8.3 10.1.0; do
  short=$(cut -d. -f1,2 <<< "$version")
  [ "$(answer_to "qemu-x86_64 version $version (Debian 1:$version+ds-1)\nCopyright\n")" = \
    "pgo: error: ./qemu is QEMU $short, and the plugins work in 6.2 to 8.2; name one of these with --qemu, or use --engine perf" ]
done
for version in 6.2.0 7.2.22 8.0.0 8.2.10; do
  answer_to "qemu-x86_64 version $version\n" | grep -q '^pgo: error: ./qemu ended with status 9 before .* could record: is it QEMU 6.2 to 8.2, built with plugins?$'
done
answer_to 'a wrapper' | grep -q '^pgo: error: ./qemu ended with status 9 before '
[ "$(ls -A)" = "$(printf '%s\n' log qemu)" ]

# Variables with QEMU's names are the command's, and those of what it executes.
need qemu-x86_64
seen=$(QEMU_STRACE=1 "$pgo" record --engine emulate -o perf.data -- sh -c 'echo $QEMU_STRACE; exec env' 2> log)
[ "$(head -n 1 <<< "$seen")" = 1 ]
grep -qx QEMU_STRACE=1 <<< "$seen"
! grep -v '^pgo: ' log || fail "QEMU itself has seen QEMU_STRACE"
