# Profiles by probe and by line cannot be one, nor can probes stand in LLVM's binary form; --by-line makes do
# with the lines of both.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"

make_subject() {
  build
  mv prog probes
  clang-22 -O2 -gline-tables-only -fuse-ld=lld -Wl,--build-id $c_sources -o lines
  record probes.perf ./probes
  record lines.perf ./lines 400
}

# refuses STATUS TEXT FLAG...: the conversion fails and says TEXT.
refuses() {
  local status=0 expected=$1 text=$2
  shift 2
  "$pgo" convert "$@" > "$work/log" 2>&1 || status=$?
  [ "$status" = "$expected" ] || { cat "$work/log"; fail "exit status $status"; }
  grep -F -- "$text" "$work/log" > /dev/null || { cat "$work/log"; fail "does not say: $text"; }
}

with_subject
both="probes.perf lines.perf --binary probes --binary lines"
refuses 2 'only some of the binaries have pseudo probes, and a profile is either by probe or by line; convert them one by one, or all with --by-line' \
  $both -o "$work/both.prof"
refuses 2 'binary.prof: LLVM'"'"'s binary form cannot hold pseudo probes, which probes has; use another form (-o llvm:PATH), or --by-line' \
  probes.perf --binary probes -o "llvm-binary:$work/binary.prof"
refuses 2 'x.afdo: GCC has no pseudo probes, which probes has; --by-line counts by line, in all outputs' \
  probes.perf --binary probes -o "$work/x.afdo"
"$pgo" convert probes.perf --binary probes --by-line -o "$work/x.afdo" 2> "$work/log" ||
  { cat "$work/log"; fail "--by-line is no way out"; }
[ ! -e "$work/both.prof" ]
"$pgo" convert $both --by-line -o "llvm-binary:$work/both.prof" -o "llvm-text:$work/both.text"
grep '^_Z14rounds_of_worki:' "$work/both.text" > /dev/null
grep '^main:' "$work/both.text" > /dev/null || grep '^next_token:' "$work/both.text" > /dev/null

# Beside llvm-profgen, by probe and by line.
for way in "" --by-line; do
  "$pgo" convert probes.perf --binary probes $way --compat=llvm-profgen --check-against llvm-profgen \
    -o "llvm-text:$work/checked.text" > "$work/log" 2>&1 || { cat "$work/log"; fail "differs $way"; }
  grep '^pgo: identical to .*llvm-profgen: [0-9]* functions' "$work/log" > /dev/null ||
    { cat "$work/log"; fail "is not compared"; }
  "$pgo" convert probes.perf --binary probes $way --with llvm-profgen -o "llvm-text:$work/engine.text"
  same "$work/engine.text" "$work/checked.text"
done
