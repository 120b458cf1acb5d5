# Hidden options of LLVM that a compiler does not have are left out for its language, and the others stay.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

project source <<'EOF'
prodpgo_profile(small FILE small.proftext)
prodpgo_optimize(small PROFILE small LINKED)
EOF
cat > clang++ <<'EOF'
#!/bin/bash
case " $* " in *" -icp-lto "* | *" -trap-unreachable "*) echo "clang: Unknown command line argument" >&2; exit 1 ;; esac
exec clang++-22 "$@"
EOF
chmod +x clang++
must_configure build -DCMAKE_CXX_COMPILER="$PWD/clang++"
build build
grep -F ' -c ' build.made > compiled
for option in pick-merged-source-locations sample-profile-use-profi enable-ext-tsp-block-placement salvage-stale-profile \
  inline-enable-cost-benefit-analysis; do
  [ "$(grep -cF -- "-mllvm -$option " compiled)" = 3 ] || { cat compiled; fail "not in all commands: -$option"; }
done
for option in icp-lto trap-unreachable; do
  grep -F -- "-mllvm -$option " compiled > with_option
  [ "$(wc -l < with_option)" = 1 ] || { cat compiled; fail "-$option is not in one command"; }
  grep -F /lib/scale.c with_option > /dev/null || { cat with_option; fail "-$option is in a command of C++"; }
done
