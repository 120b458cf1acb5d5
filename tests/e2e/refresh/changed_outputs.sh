# pgo refresh pins what other outputs, or another configuration, ask for, although the counts are those of the pinned
# profiles.
. "$(dirname "$0")/../prelude.sh"
need clang-22 "$llvm/perf2bolt"
. "$here/archive_prelude.sh"
clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 -Wl,--emit-relocs server.c -o server
cp server server.debug # not stripped, so it needs none
. "$here/refresh_prelude.sh"

pins() { # LINE...
  configure "$@"
  refresh 0
  says 'queryd: pinned to sha256:' text
}
pins
pins 'outputs = "llvm-text"'
expect "profile" queryd.proftext "$(locked llvm path)"
pins 'outputs = "gcc"'
# GCC 13 counts by other positions.
pins 'outputs = "gcc-13"' '[service.queryd.gates]' 'min-overlap = 90'
says 'min-overlap was not checked: the pinned profile counts by line, the new one by line and discriminator, so they cannot be compared' text
# Nothing tells whether a profile of GCC fits a build.
pins 'outputs = ["gcc-13", "bolt"]' 'current-build = "server"'
says '  compile profile  kept: it is not known whether it still fits: only LLVM profiles can be compared with a build' text
pins 'outputs = ["llvm", "bolt"]' 'current-build = "server"'
pins 'outputs = ["llvm", "bolt"]' 'current-build = "server"' 'configuration = "clang"'
expect "configuration" clang "$(locked bolt configuration)"
says '  compile profile  kept: it still fits' text
pins 'outputs = ["llvm-text", "bolt"]' 'current-build = "server"' 'configuration = "clang"'
says '  compile profile  new: the pinned one has another form' text
pins 'outputs = "llvm-text"'
expect "BOLT profile" none "$(locked bolt digest)"
# The pinned version has what these ask for.
configure 'outputs = "llvm-text"' 'configuration = "clang"'
refresh 0
says 'queryd: no change needed' text
