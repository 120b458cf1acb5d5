# What `pgo match` goes by: the note of the binary, its debug information wherever it is, clang's
# own statistics; and what it says when one of them is missing.
. "$(dirname "$0")/../prelude.sh"
need clang-22 llvm-objcopy-22 llvm-strip-22 python3

cat > a.c <<'END'
int seed;
__attribute__((noinline)) static int inner(int x) {
  return x * seed + 1;
}
int outer(int x) {
  int sum = 0;
  for (int i = 0; i < x; i++)
    sum += inner(i);
  return sum;
}
int main(int argc, char **argv) {
  (void)argv;
  return outer(argc + 1000) == 0;
}
END
cat > a.proftext <<'END'
outer:7000:1
 1: 1
 2: 1000
 2.1: 1000
 3.1: 1000 inner:1000
 4: 1
inner:2000:1000
 1: 1000
END
lines="-gline-tables-only -fdebug-info-for-profiling"
link() { clang-22 -O1 $lines -fuse-ld=lld -Wl,--build-id=0x0011223344556677 "$@"; }
# fails EXIT TEXT OPTION...: the answer is this error.
fails() {
  local code=0
  "$pgo" match "${@:3}" > shown 2> error || code=$?
  [ $code = "$1" ] || { cat shown error; fail "exit code $code"; }
  echo "pgo: error: $2" | diff - error
}
shows() {
  "$pgo" match "$@" > shown || { cat shown; fail "exit code $?: $*"; }
}
says() { grep -Ex -- "$1" shown > /dev/null || { cat shown; fail "does not say: $1"; }; }

# Without a note the profile must be named, and the result does not say whether it is the one that was applied.
link a.c -o plain
fails 2 'plain: has no note of a profile that it was built with; name one with --profile' plain
shows plain --profile a.proftext
says ' +\(the binary has no note of the profile it was built with\)'
says '  weight        4 002 counts in 2 functions, including inlined ones'

# The note names it by digest. It is found where the CMake package puts it: above the binary.
digest=$(sha256sum a.proftext | cut -d' ' -f1)
python3 - "$digest" <<'END'
import struct, sys
text = b'{"evidence":"branch-records","name":"server","profile":"sha256:%s","tool":"ProdPGO 0.1.0"}' % sys.argv[1].encode()
with open("note", "wb") as note:
    note.write(struct.pack("<III", 8, len(text), 1) + b"ProdPGO\0" + text + bytes(-len(text) % 4))
END
mkdir -p build/bin
llvm-objcopy-22 --add-section .note.prodpgo=note plain build/bin/server
fails 2 "build/bin/server: was built with the profile server, sha256:$digest, which is not found; name it with --profile" \
  build/bin/server
mkdir -p cache/blobs/sha256
cp a.proftext "cache/blobs/sha256/$digest"
export PRODPGO_CACHE=$PWD/cache
shows build/bin/server
says "  profile       .*/cache/blobs/sha256/$digest"
rm -r cache
mkdir -p "build/prodpgo/${digest:0:16}"
echo "not these bytes" > "build/prodpgo/${digest:0:16}/a.prof"
fails 2 "build/bin/server: was built with the profile server, sha256:$digest, which is not found; name it with --profile" \
  build/bin/server
cp a.proftext "build/prodpgo/${digest:0:16}/server.prof"
shows build/bin/server
says "  profile       .*/build/prodpgo/${digest:0:16}/server.prof"
says ' +the one that the binary was built with'
shows build/bin/server --profile a.proftext --json
grep -F '"is_noted_profile": true' shown > /dev/null
sed 's/1000/1001/' a.proftext > b.proftext
shows build/bin/server --profile b.proftext
says ' +not the one that the binary was built with: server, branch records, applied by ProdPGO 0.1.0'
says " +sha256:$digest"

# Debug information elsewhere, or nowhere.
llvm-objcopy-22 --only-keep-debug plain plain.debug
llvm-strip-22 -o stripped plain
fails 2 'stripped: has no debug information, so its lines cannot be compared with those of the profile; it is stripped: give the file as it was linked, or name its debug file with --debug-file' \
  stripped --profile a.proftext
fails 2 'stripped: has no pseudo probes, and the profile counts by probe; it is stripped: give the file as it was linked, or name its debug file with --debug-file' \
  stripped --profile <(printf 'outer:5:1\n 1: 5\n !CFGChecksum: 281479271677951\n')
shows plain --profile a.proftext
tail -n +4 shown > expected
shows stripped --profile a.proftext --debug-file plain.debug
tail -n +4 shown | diff expected -
lines="" link a.c -Wl,--build-id=0x99 -o bare
fails 2 '--debug-file plain.debug is not of bare (99)' bare --profile a.proftext --debug-file plain.debug

# A function that was compiled without lines is told from one that is not there.
sed '/^int outer/,/^}/d; s/static int inner/int inner/; s/^int main/int outer(int);\n&/' a.c > rest.c
{ echo 'int inner(int);'; sed -n '/^int outer/,/^}/p' a.c; } > outer.c
clang-22 -O1 -c outer.c
link rest.c outer.o -o partly
"$pgo" match partly --profile a.proftext > shown && fail "3 002 of 4 002 are unmatched"
says '  unmatched     75.0 %  the function is there, but without debug information:'

# Clang's line tables by themselves do not say by what name and from what line it counts.
lines=-gline-tables-only link a.c -o lines_only
"$pgo" match lines_only --profile a.proftext > shown && fail "takes bare line tables for enough"
says '  match rate    0.0 % of the profile'
says '                  build all of the program, with its static libraries \(in CMake: LINKED of prodpgo_profilable and prodpgo_optimize\), with -gline-tables-only -fdebug-info-for-profiling, or -g'

# For builds: nothing on standard output, and one warning or error when the match rate is low or unknown.
prints_only() {  # prints_only EXIT SEVERITY TEXT OPTION...
  local code=0
  "$pgo" match "${@:4}" > shown 2> error || code=$?
  [ $code = "$1" ] || { cat shown error; fail "exit code $code"; }
  [ ! -s shown ] || fail "prints a result"
  echo "pgo: $2: $3" | diff - error
}
"$pgo" match plain --profile a.proftext --error > shown 2>&1
[ ! -s shown ] || fail "prints something though the match rate is enough"
only="partly: only 25.0 % of the profile a.proftext matches it. Most of the rest: the function is there, \
but without debug information (build all of the program, with its static libraries (in CMake: LINKED of prodpgo_profilable and \
prodpgo_optimize), with -gline-tables-only -fdebug-info-for-profiling, or -g). Functions with the most unmatched counts: outer. \
Details: pgo match partly --profile a.proftext"
prints_only 0 warning "$only" partly --profile a.proftext --warn
prints_only 1 error "$only" partly --profile a.proftext --error
prints_only 0 warning "nowhere: cannot open: No such file or directory" nowhere --profile a.proftext --warn
prints_only 2 error "nowhere: cannot open: No such file or directory" nowhere --profile a.proftext --error

# For programs: failures are JSON, too, and --report writes the result whatever is printed.
"$pgo" match bare --json > shown 2> error && fail "matches without a profile"
cat > expected <<'END'
{
  "error": {
    "advice": "name one with --profile",
    "kind": "usage",
    "message": "bare: has no note of a profile that it was built with"
  }
}
END
diff expected shown
echo 'pgo: error: bare: has no note of a profile that it was built with; name one with --profile' | diff - error
"$pgo" match partly --profile a.proftext --error --json > shown 2> error && fail "25 % are enough"
python3 - <<'END'
import json
error = json.load(open("shown"))["error"]
assert error["kind"] == "mismatch" and error["message"].startswith("partly: only 25.0 % of"), error
END
"$pgo" match partly --profile a.proftext --warn --report report.json 2> error
"$pgo" match partly --profile a.proftext --json > shown && fail "25 % are enough"
diff report.json shown

# A profile of several binaries has functions that are not this one's.
printf 'elsewhere:10000:1\n 1: 10000\n' | cat a.proftext - > several.proftext
"$pgo" match plain --profile several.proftext > shown && fail "10 000 of 14 002 are unmatched"
grep -F -- "if the profile is of several binaries, --several leaves these out" shown > /dev/null || { cat shown; fail "does not ask for --several"; }
shows plain --profile a.proftext
tail -n +4 shown > expected
shows plain --profile several.proftext --several
tail -n +4 shown | sed '/^  left out /d' | diff expected -
grep -x '  left out *71.4 % of the profile is for functions that this one does not have (--several)' shown > /dev/null || {
  cat shown
  fail "does not say how much is left out"
}
printf 'elsewhere:10000:1\n 1: 10000\n' > elsewhere.proftext
# One of these binaries may have no counts at all: a warning, and no match rate.
none="elsewhere.proftext: has no counts for functions of plain; perhaps it did not run during the recording, or pgo \
convert did not get it by --binary, or its functions had other names (pgo show elsewhere.proftext lists those of the profile). \
If this is expected, turn the comparison off: MIN_MATCH 0 of prodpgo_optimize (CMake), min_match = 0 (Bazel)"
for severity in --warn --error; do
  prints_only 0 warning "$none" plain --profile elsewhere.proftext --several $severity --report report.json
done
"$pgo" match plain --profile elsewhere.proftext --several --json > shown 2> error || fail "none is too few"
diff report.json shown
echo "pgo: warning: $none" | diff - error
grep -x '  "match_rate": null,' shown || { cat shown; fail "has a match rate"; }
"$pgo" match plain --profile elsewhere.proftext --error 2> error && fail "another program's profile matches"
grep -F "no part of the profile elsewhere.proftext matches it: was another program recorded?" error > /dev/null || { cat error; false; }

# Other kinds of profile, and of use.
printf '1 main 10 1 main 20 0 5\n' > a.fdata
fails 2 'a.fdata: is not an LLVM sample profile, the only kind that can be compared with a build; pgo convert makes one from recordings' \
  plain --profile a.fdata
fails 2 "plain: has no pseudo probes, and the profile counts by probe; build with -fpseudo-probe-for-profiling, or name its debug file with --debug-file" \
  plain --profile <(printf 'outer:5:1\n 1: 5\n !CFGChecksum: 281479271677951\n')
fails 2 "--warn excludes --error (see 'pgo match --help')" plain --warn --error

# clang's own statistics: what it did not find, and what stale matching found again.
sed -i 's/^int outer(int x) {/&\n  if (x < 0)\n    return x;/' a.c
link a.c -o stale -fprofile-sample-use=a.proftext -mllvm -persist-profile-staleness 2> warnings
"$pgo" match stale --profile a.proftext > shown || true
says '  compiler      call sites not found: 1 of 1, 1 000 counts'
link a.c -o salvaged -fprofile-sample-use=a.proftext -mllvm -persist-profile-staleness \
  -mllvm -salvage-stale-profile 2> warnings
"$pgo" match salvaged --profile a.proftext > shown || true
says '  compiler      call sites not found: 0 of 1, 0 counts'
says ' +call sites found elsewhere \(-salvage-stale-profile\): 1, 1 000 counts'
