# Sourced after oracle.sh by tests of binaries with pseudo probes.
debug="$debug -fpseudo-probe-for-profiling"
formats="text extbinary"

# by_probe [PROFILE]: the reference tool's profile is by probe, or the test would show nothing.
by_probe() { grep -q '!CFGChecksum:' "${1:-reference.text}" || fail "${1:-reference.text} is not by pseudo probe"; }
