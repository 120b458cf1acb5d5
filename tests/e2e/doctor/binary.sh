# pgo doctor --binary: one program, built and linked in many ways.
. "$(dirname "$0")/../prelude.sh"
need clang-22 clang++-22 gcc strip "$llvm/llvm-bolt" llvm-objcopy-22 llvm-strip-22

cat > prog.c <<'END'
int leaf(int x);
static int __attribute__((noinline)) scale(int x) { return leaf(x) * 3; }
int main(int argc, char **argv) { (void)argv; return scale(argc) + leaf(2) == 0; }
END
printf 'int leaf(int x) { return x + 1; }\n' > leaf.c
build() { clang-22 -O1 -fno-inline -fuse-ld=lld -Wl,--build-id=0x0011223344556677 prog.c leaf.c "$@"; }

lines="-gline-tables-only -fdebug-info-for-profiling"

# doctor STATUS BINARY [OPTION]...: the findings of the binary are in `said`.
doctor() {
  local status=0
  "$pgo" doctor --compiler gcc --binary "${@:2}" > whole 2>&1 || status=$?
  # What this machine lacks is another test's matter.
  grep -E '^  missing' <(sed -n '/^This machine/,$p' whole) > /dev/null && machine=1 || machine=0
  [ $status = $(($1 | machine)) ] || { cat whole; fail "exit code $status, not $1"; }
  sed -n "/^$2:\$/,/^\$/p" whole | sed '1d;$d' > said
}
says() { grep -xF -- "  $1" said > /dev/null || { cat said; fail "does not say: $1"; }; }
advises() { grep -xF -- "                          -> $1" said > /dev/null || { cat said; fail "does not advise: $1"; }; }

build $lines -funique-internal-linkage-names -Wl,--emit-relocs -o whole_prog
doctor 0 whole_prog
PATH=$here/quick_perf:$PATH  # the first run has asked the real one
cat > expected <<END
  ok       build ID       0011223344556677
  ok       debug lines    in the file
  ok       symbols        $(llvm-readelf-22 -sW whole_prog | awk '$4 == "FUNC" && $7 != "UND"' | wc -l) functions
  ok       compiled by    clang $(clang-22 --version | sed -n '1s/.*version \([^ ]*\).*/\1/p')
  ok       names          the only static function has a unique name
  ok       calls          0.0 % of 3 calls have no line
  ok       probes         none: profiles count by line
  ok       BOLT           can be optimized: symbols and relocations were kept
  ok       steps          single steps can record it: pgo record --engine step
  ok       profile        the file has no note of one
END
diff expected said

build $lines -fpseudo-probe-for-profiling -o probes
doctor 0 probes
says "ok       probes         present: profiles count by pseudo probe"
# Probes need no lines, and are where a conversion looks for them.
build -gline-tables-only -fpseudo-probe-for-profiling -o thin
doctor 0 thin
says "ok       probes         present: profiles count by pseudo probe"
! grep functions\ \ \  said || { cat said; fail "asks for lines beside probes"; }
llvm-objcopy-22 --only-keep-debug thin thin.debug
llvm-strip-22 -o stripped thin
doctor 0 stripped --debug-file thin.debug
says "ok       probes         present: profiles count by pseudo probe"
# What was compiled without them is a part of the program that profiles are silent about.
clang-22 -O1 -c leaf.c
clang-22 -O1 -fno-inline -fuse-ld=lld $lines -fpseudo-probe-for-profiling prog.c leaf.o -o partly
doctor 0 partly
grep -xE "  warning  probes         present, but not in [1-9][0-9]?\.[0-9] % of its code, which is missing from profiles by probe\
: 1 function, leaf" said || { cat said; fail "does not say what has no probes"; }
advises "compile all of it, with its static libraries (in CMake: LINKED of prodpgo_profilable and prodpgo_optimize), with \
-fpseudo-probe-for-profiling"

build $lines -o plain
doctor 0 plain
says "warning  names          1 of 1 static functions have no unique name: functions with the same name share their counts"
advises "compile with -funique-internal-linkage-names (C: with prototypes, f(void) and not f())"
says "warning  BOLT           refused: it has no relocations, without which functions cannot be moved"
advises "link with -Wl,--emit-relocs (in CMake: BOLT of prodpgo_profilable or prodpgo_optimize; in Bazel: bolt = True), and strip nothing but debug information before BOLT"

# Functions that clang makes of itself have no unique name, whatever the options, nor have parts of others; nor what was
# hidden or became local by optimization at link time, which is not static in its source.
cat > made.cc <<'END'
#include <coroutine>
#include <stdexcept>
#include <string>
#include <vector>
std::string names[] = {"a string that is too long to be inside", "b"};
static std::string more[2][2];
thread_local std::vector<std::string> mine{"x"};
static thread_local std::string own[2];
struct Loud { Loud(int); ~Loud(); int x; };
Loud::Loud(int x) : x(x) {}
Loud::~Loud() { if (x > 100) names[0] += 'x'; }
__attribute__((init_priority(200))) Loud early(names[1] == "b");
Loud late(static_cast<int>(names[1].size()));
template <class T> struct Of { static std::string each[2]; };
template <class T> std::string Of<T>::each[2];
struct A { virtual ~A() {} virtual int a() { return 1; } };
struct B { virtual ~B() {} virtual int b() { return 2; } };
namespace { struct Both : A, B { int b() override { return 3; } }; }
B *make() { return new Both; }
struct Steps {
  struct promise_type {
    int value;
    Steps get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { value = v; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
Steps steps(int n) { for (int i = 0; i < n; i++) co_yield i; }
enum Kind { kOne };
template <Kind> struct Tagged { __attribute__((noinline)) int f(int x) { mine.push_back(own[0]); return x; } };
__attribute__((visibility("hidden"), noinline)) int hidden(int x) { mine.pop_back(); return x; }
void throws(int x) { if (x > 7) throw std::runtime_error("x"); }
void ends(int x) noexcept { Loud loud(x); throws(x); }
namespace place { static __attribute__((noinline)) int inner(int x) { own[1] += 'y'; return x + 1; } }
static __attribute__((noinline)) int outer(int x) { return place::inner(x) + hidden(x) + Tagged<kOne>().f(x); }
int main(int argc, char **) {
  Steps s = steps(argc);
  s.handle.resume();
  auto last = [](int x) { own[0] += 'z'; return x + 5; };
  int (*pointer)(int) = last;
  ends(argc);
  return outer(make()->b()) + pointer(argc) + static_cast<int>(Of<int>::each[0].size() + more[0][0].size());
}
END
made() { clang++-22 -std=c++20 -O1 $lines -fuse-ld=lld made.cc -o made "$@"; }
for options in "-O0" "" "-fvisibility=hidden" "-flto=thin" "-flto"; do
  made $options -funique-internal-linkage-names
  doctor 0 made
  grep -E '^  ok       names          each of the [1-9][0-9]* static functions has a unique name$' said ||
    { cat said; llvm-readelf-22 -sW made | grep ' LOCAL '; fail "finds names that are not unique with $options"; }
done
made -fno-inline
doctor 0 made
grep -E '^  warning  names          ([1-9][0-9]*) of \1 static functions have no unique name: ' said ||
  { cat said; fail "finds unique names"; }
sed -nE 's/^  warning  names          ([0-9]+) of .*/\1/p' said | { read -r count; [ "$count" -ge 4 ]; }

# In C no name says that a function is static: LTO makes others local too. What shares a name, for want of a
# prototype, is one.
for file in a b; do
  cat > local_$file.c << END
static __attribute__((noinline)) int own(int x) { volatile int y = x; return y + '$file'; }
static __attribute__((noinline)) int old() { volatile int y = 1; return y + '$file'; }
__attribute__((noinline)) int $file(int x) { return own(x) + old(); }
END
done
echo 'int a(int), b(int); int main(int argc, char **argv) { return a(argc) + b(argc); }' > local_main.c
local_names() { clang-22 -O1 $lines -flto -funique-internal-linkage-names -fuse-ld=lld local_{a,b,main}.c -o local; doctor 0 local; }
local_names
says "warning  names          1 of 3 static functions have no unique name: functions with the same name share their counts"
advises "compile with -funique-internal-linkage-names (C: with prototypes, f(void) and not f())"
sed -i 's/ old() {/ old(void) {/' local_[ab].c
local_names
says "ok       names          each of the 4 static functions has a unique name"
llvm-readelf-22 -sW local | grep -E ' LOCAL .* [ab]$' > /dev/null || fail "LTO makes nothing local here"

# Calls without a line: by #line 0.
sed 's/.*scale(argc).*/#line 0\n&/' prog.c > zero.c
clang-22 -O1 -fno-inline $lines zero.c leaf.c -o zero
doctor 0 zero
grep -E '^  warning  calls          [1-9][0-9.]* % of [0-9]+ calls have no line: their targets are missing from the profile$' said ||
  { cat said; fail "no calls without a line"; }
advises "compile with -mllvm -pick-merged-source-locations (clang)"

# Line tables alone leave out functions that nothing was inlined into, and names and first lines of the others.
build -gline-tables-only -o alone
doctor 1 alone
says "missing  functions      100.0 % of the code is in no function of the debug information: its counts are lost"
advises "compile with -fdebug-info-for-profiling (clang), or -g"
# Also where some functions have them.
printf 'static inline int twice(int x) { return 2 * x; }\nint main(int argc, char **argv) { (void)argv; return twice(argc); }\n' > calls.c
clang-22 -O1 -gline-tables-only calls.c leaf.c -o leaves
doctor 1 leaves
says "missing  functions      100.0 % of the code is in no function of the debug information: its counts are lost"
clang-22 -O1 -gline-tables-only -c leaf.c -o bare_leaf.o
clang-22 -O1 $lines calls.c bare_leaf.o -o leaves
doctor 0 leaves
grep -xE "  warning  functions      [1-9][0-9.]* % of the code is in no function of the debug information: its counts are lost" said ||
  { cat said; fail "does not say what leaves out leaves"; }

# No debug information; none of it here; elsewhere; stripped; no build ID.
build -Wl,--build-id=none -o bare
doctor 1 bare
says "warning  build ID       none: recordings identify it by its file name only"
advises "link with -Wl,--build-id"
says "missing  debug lines    none: counts cannot be assigned to source lines"
advises "build with -gline-tables-only -fdebug-info-for-profiling, or -g; the debug information may be split off afterwards"
llvm-objcopy-22 --only-keep-debug whole_prog prog.debug
llvm-strip-22 -o stripped whole_prog
doctor 1 stripped
says "missing  debug lines    none: counts cannot be assigned to source lines"
advises "it is stripped: give the file as it was linked, or name its debug file with --debug-file"
says "missing  symbols        none: it is stripped, so its code cannot be found"
advises "keep the unstripped file, or a debug file (objcopy --only-keep-debug)"
doctor 0 stripped --debug-file prog.debug
says "ok       debug lines    in prog.debug"
grep -E '^  ok       symbols        [0-9]+ functions, in prog.debug$' said
says "ok       names          the only static function has a unique name"
llvm-objcopy-22 --add-gnu-debuglink=prog.debug stripped
mkdir elsewhere
mv prog.debug elsewhere
doctor 1 stripped
says "missing  debug lines    not found; they should be in prog.debug (.gnu_debuglink)"
advises "name it with --debug-file, or the directory that has it with --debug-root"

# GCC's; BOLT's, with and without its table.
gcc -O1 -g1 prog.c leaf.c -o by_gcc
sed 's/GNU C17/GNU \x1b[1/' by_gcc > by_evil
chmod +x by_evil
doctor 0 by_evil
! grep $'\x1b' said || fail "the terminal would obey"
doctor 0 by_gcc
says "ok       names          unchanged: only clang can make the names of static functions unique"
"$llvm/llvm-bolt" whole_prog -o bolted > bolt.log 2>&1
doctor 1 bolted
says "missing  BOLT           made by llvm-bolt without an address translation table: recordings of it cannot be translated back to the original code"
advises "make it with pgo bolt, or with llvm-bolt -enable-bat; was it stripped? give the unstripped file, which still has the table"
"$llvm/llvm-bolt" whole_prog -enable-bat -o bolted > bolt.log 2>&1
doctor 0 bolted
says "ok       debug lines    taken from the input of llvm-bolt: also name that file with --binary, here and for pgo convert"
says "ok       BOLT           made by llvm-bolt, with an address translation table"
! grep -q "damaged after" said || fail "calls what llvm-bolt made damaged"
llvm-strip-22 -o stripped_bolted bolted
doctor 1 stripped_bolted
! grep -q "damaged after" said || fail "calls what llvm-strip made damaged"
strip -o crashing bolted 2> strip.log
doctor 1 crashing
grep -q "^  missing  loading        damaged after llvm-bolt wrote it: it has " said || { cat said; fail "finds no damage"; }
advises "GNU strip and objcopy do that; strip with llvm-strip"

# The profile that it was built with, by the CMake package's note.
python3 - <<'END'
import struct
text = b'{"evidence":"branch-records","name":"server","profile":"sha256:' + b"5" * 64 + b'","tool":"ProdPGO 0.1.0"}'
pad = lambda b: b + b"\0" * (-len(b) % 4)
open("note", "wb").write(struct.pack("<III", 8, len(text), 1) + b"ProdPGO\0" + pad(text))
END
llvm-objcopy-22 --add-section=.note.prodpgo=note --set-section-flags=.note.prodpgo=alloc whole_prog noted
doctor 0 noted
says "ok       profile        built with server, branch records, applied by ProdPGO 0.1.0"

# What `pgo record --engine step` would refuse; a library is recorded with its program.
build $lines -static -o static
doctor 0 static
says "warning  steps          ./static cannot be recorded by single steps: it is linked statically, and preloads nothing"
advises "use --engine perf, clock or emulate"
build $lines -shared -fPIC -o library.so
doctor 0 library.so
! grep -F "  steps  " said || fail "would step a library"

# However it is named.
"$pgo" doctor --binary noted --binary thin > named_by_option || true
"$pgo" doctor noted thin | diff named_by_option -
"$pgo" doctor --binary noted thin | diff named_by_option -

# What cannot be read does not keep the rest from being looked at: files that are none, parts that are damaged.
doctor 2 leaf.c thin
says "error    file           leaf.c: not an ELF file"
grep -x thin: whole
grep -x "Some checks could not be done." whole
# A wrong name is told at once, without the rest.
status=0
"$pgo" doctor --binary nowhere > whole 2>&1 || status=$?
[ "$status" = 2 ]
[ "$(cat whole)" = "pgo: error: nowhere: does not exist" ] || { cat whole; fail "looks at the machine first"; }
doctor 2 stripped --debug-file leaf.c
grep -xE "  error    debug lines    leaf.c: .*" said
says "ok       build ID       0011223344556677"
head -c 64 /dev/zero | tr '\0' '\377' > junk
llvm-objcopy-22 --update-section=.pseudo_probe_desc=junk thin junk_probes
doctor 2 junk_probes
grep -xE "  error    probes         junk_probes: .pseudo_probe_desc: .*" said
says "ok       profile        the file has no note of one"
llvm-objcopy-22 --update-section=.debug_info=junk thin junk_lines
doctor 2 junk_lines
grep -xE "  error    compiled by    .*" said
says "ok       probes         present: profiles count by pseudo probe"
status=0
"$pgo" doctor --compiler gcc --json leaf.c thin > json || status=$?
[ $status = 2 ]
python3 - <<'END'
import json
said = json.load(open("json"))
assert said["ready"] is False
leaf, thin = (binary["findings"] for binary in said["binaries"])
assert [finding["verdict"] for finding in leaf] == ["error"], leaf
assert "probes" in [finding["topic"] for finding in thin], thin
END
