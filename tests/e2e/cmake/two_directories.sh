# A profile of a build in one directory applies to a build in another: static functions keep their names,
# those of generated sources too. And two builds in two directories are the same, byte for byte.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need qemu-x86_64 make python3

project deep/in/a/tree <<'EOF'
prodpgo_profile(small FILE ${PROFILE})
prodpgo_profilable(small LINKED)
if(PROFILE)
  prodpgo_optimize(small PROFILE small LINKED)
endif()
EOF
echo 'target_sources(small PRIVATE many.cc)' >> deep/in/a/tree/CMakeLists.txt
for i in {1..30}; do echo "int many$i(int x) { return x > $i ? x * $i : x + $i; }"; done > deep/in/a/tree/many.cc
sed -i 's/^prodpgo_profile(.*/if(PROFILE)\n&\nendif()/' deep/in/a/tree/CMakeLists.txt
cp -r deep/in/a/tree checkout

# Production: a build inside the source directory.
source=deep/in/a/tree
must_configure deep/in/a/tree/build
build deep/in/a/tree/build
"$pgo" record --engine emulate -o small.data -- deep/in/a/tree/build/small 20000 > record.log 2>&1
"$pgo" convert small.data --binary deep/in/a/tree/build/small -o small.proftext > convert.log 2>&1
# One in each source, the generated one too.
[ "$(grep -cE '^_ZL5inneri\.__uniq\.[0-9]+:' small.proftext)" = 3 ] || { cat small.proftext; fail "no samples"; }

# Here: a build beside the source directory, by another generator. Every function of the profile is in it.
names() { "$llvm/llvm-nm" --defined-only --format=just-symbols "$1" | grep -F __uniq | sort; }
source=checkout generator="Unix Makefiles"
must_configure outside "-DPROFILE=$PWD/small.proftext"
build outside
names deep/in/a/tree/build/small > theirs
names outside/small > ours
[ -s theirs ]
cmp theirs ours
# And the compiler has counts for each of them.
cat > entry_counts.py <<'EOF'
"""The static functions of an LLVM module (.ll) that were entered, by what the compiler knows."""
import re, sys
text = open(sys.argv[1]).read()
counts = dict(re.findall(r'^(!\d+) = !{!"function_entry_count", i64 (-?\d+)}', text, re.M))
for name, count in re.findall(r"^define internal [^@]*@([\w.]+)\(.* !prof (!\d+)", text, re.M):
    if int(counts.get(count, 0)) > 0:
        print(name)
EOF
for unit in main.cc generated/table.cc lib/scale.c; do
  grep -F -- "/$unit" outside.made | grep -oE '/[^ ]*clang.* -c .*' |
    sed -E 's/ -o [^ ]+/ -S -emit-llvm -o unit.ll/; s/ -M(D|[TF] [^ ]+)//g; s/ -c / /' > command
  (cd outside && . ../command)
  python3 entry_counts.py outside/unit.ll
done | sort > counted
cmp counted theirs

# Turned off, the names are of one checkout only: what the map is for.
generator=Ninja
must_configure unmapped -DPRODPGO_PREFIX_MAP=OFF
build unmapped
never prefix-map unmapped.made
names unmapped/small > unmapped.names
[ -z "$(comm -12 unmapped.names theirs)" ]

# Reproducible. Debug paths are left alone, so the two differ in them, and only there ...
source=deep/in/a/tree
must_configure deep/in/a/tree/again "-DPROFILE=$PWD/small.proftext"
build deep/in/a/tree/again
stripped() { "$llvm/llvm-objcopy" --strip-debug --remove-section=.note.gnu.build-id "$1" "$2"; }
stripped outside/small one
stripped deep/in/a/tree/again/small two
cmp one two
# ... unless they are mapped as well.
must_configure deep/in/a/tree/again -DPRODPGO_PREFIX_MAP=FILE
source=checkout
must_configure outside_too "-DPROFILE=$PWD/small.proftext" -DPRODPGO_PREFIX_MAP=FILE
build deep/in/a/tree/again
build outside_too
cmp outside_too/small deep/in/a/tree/again/small
! strings outside_too/small | grep -F "$PWD" || fail "a path of this machine is in the program"
