# pgo refresh does not pin a BOLT profile whose counts were inferred from PC samples for builds with a compile profile,
# and says why: no build would use it. inferred-bolt-profile = "push" pins it.
. "$(dirname "$0")/../prelude.sh"
need clang-22 "$llvm/perf2bolt"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"
rm -r store

# program NAME FACTOR [FIELD_OF_NOTE]...: a release that works for a while, with a note that has these fields.
program() {
  sed "s/x \* 7/x * $2/; s/100000/200000000/" server.c > "$1.c"
  clang-22 -O2 -g -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id=sha1 -Wl,--emit-relocs "$1.c" -o "$1"
  if [ $# -gt 2 ]; then
    python3 - "${@:3}" << 'END'
import json, struct, sys
text = json.dumps(dict(field.split("=") for field in sys.argv[1:])).encode()
open("note", "wb").write(struct.pack("<3I", 8, len(text), 1) + b"ProdPGO\0" + text + b"\0" * (-len(text) % 4))
END
    llvm-objcopy-22 --add-section .note.prodpgo=note "$1"
  fi
  "$pgo" archive "$1" --to builds > archive.text 2> archive.log
}
# sample HOUR PROGRAM: PC samples in the store, and nothing else.
sample() {
  rm -rf store
  mkdir -p "store/$1"
  "$pgo" record --engine clock --period "$(period 100003)" -o "store/$1/web-1.data" -- "./$2" > record.log 2>&1 || [ $? = 1 ]
}
gates=('[service.queryd.gates]' 'min-quality = "weak"' 'max-overlap = 100')
# refused WHAT [PINNED]: the BOLT profile is missing, and the reports have no trace of it.
refused() {
  says "pgo: warning: queryd: no BOLT profile of the program is pinned${2:-}: its counts were inferred from PC samples, and $1 made with a compile \
profile: with inferred counts, BOLT increased the taken branches of two of three such programs, with any number of samples; record \
branches (perf record -b, or pgo record --engine step), or write inferred-bolt-profile = \"push\" into pgo.toml" log
  expect "BOLT profile" none "$(locked bolt path)"
  grep -q '^  BOLT profile *of' text && fail "shows a BOLT profile"
  local outputs
  outputs=$(python3 -c 'import json, sys; print([output["path"] for output in json.load(open(sys.argv[1]))["outputs"]])' \
    "$(blob "$(locked report digest)")")
  expect "outputs in the report" "['queryd.prof']" "$outputs"
}

# Nothing tells that the build has a compile profile.
program unknown 7
sample 2026-11-26T12 unknown
configure 'outputs = ["llvm", "bolt"]' "${gates[@]}"
refresh 0
expect "build of the BOLT profile" "$(id_of unknown)" "$(locked bolt bolt_of)"

# The note says so.
program profiled 9 name=queryd profile=sha256:01 "tool=ProdPGO 0.1.0"
sample 2026-11-27T12 profiled
refresh 0
refused "the recorded build $(id_of profiled) was" " any more"
says "  BOLT profile no longer pinned for the program: its counts were inferred from PC samples" text
# The BOLT profile would have a conversion of its own.
program second 11 name=queryd profile=sha256:01 "tool=ProdPGO 0.1.0"
mv store kept
sample 2026-11-27T13 second
mv kept/* store/
refresh 0
says "  builds" text
refused "the recorded build $(awk '/^  builds/ { sub(",", "", $2); print $2 }' text) was"

# A build without a profile, of a build system that will apply the one that is pinned.
program prepared 13 "tool=ProdPGO 0.1.0"
sample 2026-11-27T14 prepared
refresh 0
refused "builds with this version are"
configure 'outputs = "bolt"' "${gates[@]:0:2}"
refresh 0
expect "build of the BOLT profile" "$(id_of prepared)" "$(locked bolt bolt_of)"

# Without another output there is nothing to pin.
before=$(sha256sum pgo.lock)
sample 2026-11-27T15 profiled
refresh 1
says "  bolt-evidence PC samples branch records FAILED" text
says "bolt-evidence failed: its counts were inferred from PC samples, and the recorded build $(id_of profiled) was made" text
expect "lock file" "$before" "$(sha256sum pgo.lock)"
configure 'outputs = ["llvm", "bolt"]' 'inferred-bolt-profile = "push"' "${gates[@]}"
refresh 0
expect "build of the BOLT profile" "$(id_of profiled)" "$(locked bolt bolt_of)"
