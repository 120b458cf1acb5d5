# Builds that differ in what else compilers and linkers put into debug information.
. "$(dirname "$0")/../oracle.sh"
need g++ clang-22

# check NAME: what was built as `prog` under that name.
check() {
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
  echo "$1"
  same_as_profgen
  same_as_perf2bolt
}

while read -r flags; do
  build $flags
  check "clang $flags"
done << 'END'
-O0 -g
-Og -g
-O1 -g1
-O3 -g -gdwarf-4 -fdebug-types-section
-O2 -g -gdwarf-4 -gdwarf-aranges
-O2 -g -gdwarf64
-O2 -g -fno-debug-info-for-profiling
-O2 -gline-tables-only -fno-debug-info-for-profiling
-O2 -gmlt -flto
-O2 -g -flto=thin -funique-internal-linkage-names -Wl,--icf=safe
-O3 -march=x86-64-v3 -fslp-vectorize -funroll-loops
-Os -ffunction-sections -Wl,--gc-sections -Wl,--icf=all -Wl,-O2
-Oz -mllvm -enable-machine-outliner=always
-O2 -fcf-protection=full
-O2 -fpatchable-function-entry=4,2
-O2 -mllvm -pick-merged-source-locations
-O2 -static
-O2 -Wl,-z,separate-loadable-segments -Wl,-z,keep-text-section-prefix -ffunction-sections
-O2 -mllvm -enable-fs-discriminator=true -mllvm -improved-fs-discriminator=true
END

# perf2bolt itself crashes on this one.
build -fbasic-block-sections=all
record prog.perf ./prog
ask_profgen
echo "a section for each block"
same_as_profgen

while read -r flags; do
  g++ $flags $cxx_sources -o prog
  check "g++ $flags"
done << 'END'
-O0 -g
-O3 -g -gdwarf-4 -funroll-loops
-O2 -g1
-O2 -g -flto
-O2 -g -gsplit-dwarf
-Os -g -fdebug-types-section
-O2 -g -ffunction-sections -fuse-ld=gold -Wl,--gc-sections -Wl,--icf=all
-O2 -g -gz -fipa-icf -fno-inline
END

# One unit with debug information and two without.
clang++-22 -O2 -c "$programs/shapes.cc" "$programs/main.cc"
clang++-22 $debug -c "$programs/work.cc"
clang++-22 -fuse-ld=lld shapes.o main.o work.o -o prog
check "one unit with debug information"

# A package of the .dwo files, which are gone.
for source in $cxx_sources; do clang++-22 $debug -g2 -gsplit-dwarf -c "$source"; done
clang++-22 -fuse-ld=lld shapes.o work.o main.o -o prog
llvm-dwp-22 -e prog -o prog.dwp
rm ./*.dwo
check "a package of split debug information"

# Pseudo probes.
rm -f prog.dwp
. "$here/probes_prelude.sh"
while read -r flags; do
  build $flags
  record prog.perf ./prog
  ask_profgen
  echo "probes, clang $flags"
  by_probe
  same_as_profgen
done << 'END'
-O1
-O3
-O2 -flto
-O2 -g -gdwarf-4 -gsplit-dwarf
-O2 -fno-unique-internal-linkage-names
-O2 -static-pie
-O2 -fuse-ld=bfd -ffunction-sections -Wl,--gc-sections
-O2 -g0
END
