# pgo refresh finds releases in a registry as in a directory, with the same profile; several builds and a shared library
# of one service are added up, and a build that is missing is said.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
cat > lib.c << 'SOURCE'
int step(int x) { return x % 5 == 0 ? x * 3 : x - 1; }
SOURCE
cat > program.c << 'SOURCE'
int step(int x);
static int __attribute__((noinline)) own(int x) { return x % 7 == 0 ? x * 5 : x + 3; }
int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 100000; i++) sum += (unsigned)step(i) + (unsigned)own(i);
  return sum == 0;
}
SOURCE
flags="-O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1"
clang-22 $flags -shared -fPIC lib.c -o libstep.so
clang-22 $flags program.c -L. -lstep -Wl,-rpath,'$ORIGIN' -o program
. "$here/refresh_prelude.sh"

for binary in program libstep.so; do
  "$pgo" archive $binary --to builds > archive.text 2> archive.log
  "$pgo" archive $binary --to oci-dir:releases > archive.text 2> archive.log
done
"$pgo" archive server --debug-file server.debug --to oci-dir:releases > archive.text 2> archive.log
record_host 2026-11-26T13 web-3 31 program
refresh 0
grep -Eq '^  builds +[0-9a-f]{40}, [0-9.]+ % of the samples$' text || { cat text; fail "no builds"; }
says ', a library' text
library_id=$(id_of libstep.so)
expect "libraries" "['$library_id']" "$(locked llvm of_libraries)"
"$pgo" convert store --binary unstripped --binary program --binary libstep.so -o llvm:expected.prof 2> convert.log
cmp expected.prof "$(blob "$(locked llvm digest)")"
of_directory=$(locked llvm digest) inputs=$(locked - inputs)

# The same from a registry, with nothing in the cache.
rm -r cache pgo.lock registry
sed -i 's|dir:builds|oci-dir:releases|' pgo.toml
refresh 0
expect "profile" "$of_directory" "$(locked llvm digest)"
expect "inputs" "$inputs" "$(locked - inputs)"

# The first of several archives that has a build counts; what none has is said.
rm -r pgo.lock registry builds
"$pgo" archive program --to builds > archive.text 2> archive.log
mkdir empty
sed -i 's|"oci-dir:releases"|["dir:empty", "dir:builds"]|' pgo.toml
refresh 1
says "max-missing-builds failed: samples in programs and libraries of the service are not used if no archive has these files" text
printf '%s\n' '[service.queryd.gates]' 'max-missing-builds = 99' 'min-hosts = 2' >> pgo.toml
refresh 1
says 'min-hosts 1 at least 2 FAILED' text # two hosts run the build that is missing
sed -i /min-hosts/d pgo.toml
refresh 0
says "queryd: no archive has the build $build_id ($work/server), which has " log
says "$build_id, " text
says ' of the samples, not archived' text
[ "$(locked llvm digest)" != "$of_directory" ] || fail "the same profile"

# Most of what this service ran is in a library of its own that no archive has: it is named, with what to do.
rm -rf cache pgo.lock registry store summary.md
cat > lib.c << 'SOURCE'
int step(int x) {
  for (int i = 0; i < 20; i++)
    if (x % 5 == 0)
      x = x * 3 + i;
    else
      x = x - i;
  return x;
}
SOURCE
cat > program.c << 'SOURCE'
int step(int x);
static int __attribute__((noinline)) own(int x) { return x % 7 == 0 ? x * 5 : x + 3; }
int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 20000; i++) sum += (unsigned)step(i);
  for (int i = 0; i < 5000; i++) sum += (unsigned)own(i);
  return sum == 0;
}
SOURCE
clang-22 $flags -shared -fPIC lib.c -o libstep.so
clang-22 $flags program.c -L. -lstep -Wl,-rpath,'$ORIGIN' -o program
library_id=$(id_of libstep.so)
"$pgo" archive program --to builds > archive.text 2> archive.log
sed -i '/dir:empty/s/=.*/= "dir:builds"/' pgo.toml
record_host 2026-11-26T15 web-1 31 program
sed -i '/max-missing-builds/d' pgo.toml
refresh 1
grep -Eq "^pgo: warning: queryd: no archive has the build $library_id \\(/.*/libstep\\.so\\), which has [5-9][0-9]\\.[0-9] % of the samples; these are not used; archive it: 'pgo archive /.*/libstep\\.so --to dir:builds'$" log ||
  { cat log; fail "the library is not named"; }
! grep -qF 'name all your binaries' log || { cat log; fail "advises an option that pgo refresh does not have"; }
grep -Eq "^ +$library_id, [5-9][0-9]\\.[0-9] % of the samples, not archived \\(libstep\\.so\\)$" text || { cat text; fail "not listed"; }
grep -Eq '^  max-missing-builds +[5-9][0-9]\.[0-9] % +at most 50.0 % +FAILED$' text || { cat text; fail "no gate"; }
"$pgo" archive libstep.so --to builds > archive.text 2> archive.log
refresh 0
grep -Eq "^ +$library_id, [5-9][0-9]\\.[0-9] % of the samples, a library \\(libstep\\.so\\)$" text || { cat text; fail "not used"; }
expect "warnings" "" "$(cat log)"

# Each of several current builds is judged by its own part of the profile.
current_build() { # VALUE
  sed -i -e '/^current-build/d' -e "/^\\[service.queryd\\]$/a current-build = $1" pgo.toml
}
status() { # EXPECTED_EXIT_CODE [ARGUMENT]...
  local status=0
  "$pgo" status --max-age 5000w "${@:2}" > text 2> log || status=$?
  expect "exit code of pgo status" "$1" $status
}
sed 's/(int x) {/(int x) {\n\n\n\n/' lib.c > changed.c
clang-22 $flags -shared -fPIC changed.c -o changed.so
sed 's/int step/int other/' lib.c > other.c
clang-22 $flags -shared -fPIC other.c -o other.so
current_build '["program", "libstep.so"]'
status 0
says '100.0 % ok' text
current_build '["program", "changed.so"]'
status 1
grep -Eq '^queryd is due: only [0-4]?[0-9]\.[0-9] % of what it has of changed.so match \(at least 50.0 % should\)$' text ||
  { cat text; fail "the library is not named"; }
rm pgo.lock
refresh 1
grep -Eq '^  min-match failed: the profile does not fit the current build: only [0-4]?[0-9]\.[0-9] % of what it has of changed.so match; was an old release recorded\?$' text ||
  { cat text; fail "the library is not named"; }
# The function of the library is in none of them.
current_build '["program", "other.so"]'
refresh 1
grep -Eq 'the current build: only [0-9]+\.[0-9] % of it match the builds of current-build together \(are all libraries listed there\?\);' text ||
  { cat text; fail "does not miss the function"; }
current_build '"program"' # which has all that is not of the library
refresh 0
status 0 --min-match 99
