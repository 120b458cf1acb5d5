# pgo doctor on machines that have this and lack that: PATH is made of links. LLVM's own directory is always
# looked into, so its tools are there.
. "$(dirname "$0")/../prelude.sh"
need clang-22 gcc qemu-x86_64 "$llvm/llvm-bolt" "$llvm/perf2bolt" "$llvm/llvm-profgen" "$llvm/llvm-strip" "$llvm/ld.lld"
tools=$PATH

# doctor STATUS [OPTION]...: with the programs of bin/ alone; its answer is in `said`.
doctor() {
  local status=0
  PATH=$work/bin "$pgo" doctor "${@:2}" > said 2> error || status=$?
  [ $status = "$1" ] || { cat said error; fail "exit code $status, not $1"; }
}
says() { grep -xF -- "  $1" said > /dev/null || { cat said; fail "does not say: $1"; }; }
advises() { grep -xE -- " {26}-> $1" said > /dev/null || { cat said; fail "does not advise: $1"; }; }
never() { ! grep -F -- "$1" said || fail "says: $1"; }
fresh() { rm -rf bin; mkdir bin; }
link() { local tool; for tool; do ln -s "$(PATH=$tools command -v "$tool")" bin/; done; }

# Nothing at all.
fresh
doctor 1
cat > expected <<END
This machine:
  missing  compiler       neither clang nor gcc is in PATH
                          -> install clang-22, or name a compiler with --compiler
  ok       llvm-profgen   $llvm/llvm-profgen
  ok       llvm-strip     $llvm/llvm-strip
  ok       ld.lld         $llvm/ld.lld
  ok       llvm-bolt      $("$llvm/llvm-bolt" --version | sed -n 's/.*LLVM version \([0-9.]*\).*/\1/p') ($llvm/llvm-bolt)
  ok       perf2bolt      22 ($llvm/perf2bolt)
  warning  perf           perf was not found
                          -> install it (Debian: apt-get install linux-perf; Ubuntu: linux-tools-generic; Fedora: perf)
  ok       steps          single steps record branches of programs that pgo starts: pgo record --engine step
  warning  emulation      qemu-x86_64 was not found
                          -> install QEMU's user-mode emulation (Debian, Ubuntu: apt-get install qemu-user)

Something required is missing.
END
diff expected said

# Both compilers, by what they do and not what they are called; emulation.
fresh
link clang-22 gcc as qemu-x86_64
doctor 0
says "ok       clang          $(clang-22 --version | sed -n '1s/.*version \([^ ]*\).*/\1/p') ($work/bin/clang-22) can use sample profiles"
says "ok       clang options  -gline-tables-only"
tr -s ' \n' ' ' < said | grep -F -- "-gline-tables-only -fdebug-info-for-profiling \
-funique-internal-linkage-names -fpseudo-probe-for-profiling -ffunction-sections -mllvm -pick-merged-source-locations \
-mllvm -trap-unreachable -flto=thin -mllvm -sample-profile-use-profi -mllvm -enable-ext-tsp-block-placement \
-mllvm -salvage-stale-profile -mllvm -inline-enable-cost-benefit-analysis -mllvm -icp-lto \
-mllvm -persist-profile-staleness ok gcc" > /dev/null || { cat said; fail "options"; }
says "ok       gcc            $(gcc -dumpfullversion) ($work/bin/gcc) can use sample profiles"
says "ok       emulation      $work/bin/qemu-x86_64 with $BUILD_DIR/lib/prodpgo/prodpgo_branch_recorder.so records"
[ "$(tail -n 1 said)" = "Everything required is present; see the warnings." ]
[ ! -s error ]

# A clang without two of the options.
fresh
link qemu-x86_64
cat > bin/clang <<'END'
#!/bin/bash
for argument; do
  case $argument in -icp-lto | -fpseudo-probe-for-profiling) exit 1 ;; esac
done
exec /usr/bin/clang-22 "$@"
END
chmod +x bin/clang
doctor 0
says "warning  clang option   -mllvm -icp-lto is not supported by $work/bin/clang"
advises "outside LTO, calls of static functions through pointers are not promoted"
says "warning  clang option   -fpseudo-probe-for-profiling is not supported by $work/bin/clang"
advises "profiles by pseudo probe cannot be made or used"
[ "$(grep -c '^  warning  clang option ' said)" = 2 ]

# One that takes a profile and does not use it; what is no compiler; what is not there.
cat > bin/clang <<'END'
#!/bin/bash
arguments=()
for argument; do
  case $argument in -fprofile-sample-use=*) ;; *) arguments+=("$argument") ;; esac
done
exec /usr/bin/clang-22 "${arguments[@]}"
END
doctor 1
says "warning  clang          $(clang-22 --version | sed -n '1s/.*version \([^ ]*\).*/\1/p') ($work/bin/clang) cannot use a sample profile: it compiles, but does not use the profile's counts"
says "missing  compiler       no compiler here can use sample profiles"
doctor 1 --compiler "$(PATH=$tools type -P true)"
says "warning  compiler       $(PATH=$tools type -P true) is neither clang nor GCC"
never clang-22\ \(
doctor 2 --compiler nowhere
[ "$(cat error)" = "pgo: error: --compiler nowhere: there is no such program" ]

# A perf that has no branch records but a clock, which is enough; and one that has neither.
fresh
link clang-22 gcc as
cat > bin/perf <<'END'
#!/bin/bash
case "$* $CLOCK" in *" cpu-clock "*works) exit ;; esac
echo "cycles: PMU Hardware is missing." >&2
exit 255
END
chmod +x bin/perf
CLOCK=works doctor 0
grep -F "  warning  perf           perf cannot record branches here: " said > /dev/null || { cat said; fail "no warning of perf"; }
grep -F "record PC samples here: pgo record --engine clock" said > /dev/null || { cat said; fail "does not advise the clock"; }
says "ok       clock          $work/bin/perf records PC samples by CPU time: pgo record --engine clock; branch counts are inferred"
CLOCK=fails doctor 0
never " clock  "
never " recording  "
# With no other way either: the library that steps is missing.
(mkdir -p alone/bin && cp "$pgo" alone/bin/)
pgo=$work/alone/bin/pgo
CLOCK=fails doctor 1
grep -F "  warning  steps          " said > /dev/null || { cat said; fail "steps without the library"; }
says "missing  recording      neither perf nor single steps nor emulation work here"
advises "set up one of these; recordings of other machines can still be converted"

# An emulator of another version, and as JSON.
fresh
link clang-22
printf '#!/bin/sh\necho "qemu-x86_64 version 9.2.0"\n' > bin/qemu-x86_64
chmod +x bin/qemu-x86_64
doctor 1 --json
grep -F '"ready": false' said
grep -F "\"text\": \"$work/bin/qemu-x86_64 is QEMU 9.2, and the plugins work in 6.2 to 8.2\"" said
grep -F "\"advice\": \"name one of these with --qemu, or use --engine perf\"" said
python3 -c 'import json; d = json.load(open("said")); assert d["binaries"] == [], d
assert [f["verdict"] for f in d["machine"] if f["topic"] == "recording"] == ["missing"], d'
