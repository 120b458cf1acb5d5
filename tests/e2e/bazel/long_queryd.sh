# samples/queryd by Bazel and by CMake: the same steps give the same gain, counted under emulation on requests that were
# not recorded: with a profile, BOLTed, and in week two, from changed sources with the recording of the BOLTed program of
# week one. It prints the table of docs/guide/bazel.md.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
. "$(dirname "$0")/../bazel_prelude.sh"
need qemu-x86_64 "$llvm/llvm-bolt" python3

cp -r "$here/../../samples/queryd" source
workspace rc
cp rc/.bazelrc source
sed -i "s|\"../../bazel\"|\"$here/../../bazel\"|" source/WORKSPACE
programs=$work/programs
mkdir -p "$programs"
lock=source/pgo.lock
by_bazel() { # NAME TARGET
  must_bazel build "//:$2"
  [ "$1" = base ] || never "warning"
  cp -L "source/bazel-bin/$2" "$programs/bazel.$1"
}
by_cmake() { # NAME [OPTION]...
  configure cmake -DCMAKE_CXX_COMPILER=clang++-22 "${@:2}" || { cat cmake.log; fail "cannot configure"; }
  command cmake --build cmake > cmake.made 2>&1 || { cat cmake.made; fail "cannot build"; }
  cp cmake/queryd "$programs/cmake.$1"
}
# record NAME: a recording of three hosts, in NAME.recorded.
record() {
  local kind host=0
  mkdir -p "$1.recorded"
  for kind in shop warehouse reports; do
    host=$((host + 1))
    "$pgo" record --engine emulate --period "$(period 1009)" -o "$1.recorded/$kind.data" -- "$programs/$1" $kind 20000 $host \
      > record.log 2>&1 || { cat record.log; fail "cannot record $1"; }
  done
}
# convert OUTPUT RECORDED BINARY...
convert() {
  local binaries=() binary
  for binary in "${@:3}"; do binaries+=(--binary "$binary"); done
  "$pgo" convert "$2.recorded" "${binaries[@]}" -o "$1" --report "$1.json" > convert.log 2>&1 || { cat convert.log; fail "cannot convert $2"; }
}
version=0
pin_queryd() {
  version=$((version + 1))
  "$pgo" push "$@" "oci-dir:$work/profiles:$version" > pushed 2> push.log || { cat push.log; fail "cannot push"; }
  "$pgo" pin queryd "oci-dir:$work/profiles:$version" --lock $lock > pushed 2> push.log || { cat push.log; fail "cannot pin"; }
}

# Week one. Each build system has its own recordings: names of static functions have the paths of the sources in them.
by_bazel base queryd
by_cmake base
for by in bazel cmake; do
  record $by.base
  convert $by.prof $by.base "$programs/$by.base"
done
pin_queryd bazel.prof bazel.prof.json
by_bazel pgo queryd
by_cmake pgo "-DPROFILE=$PWD/cmake.prof"
for by in bazel cmake; do
  record $by.pgo
  convert $by.fdata $by.pgo "$programs/$by.pgo"
done
pin_queryd bazel.prof bazel.prof.json bazel.fdata bazel.fdata.json
by_bazel bolt queryd.bolted
by_cmake bolt "-DBOLT_PROFILE=$PWD/cmake.fdata"
"$pgo" show "$programs/bazel.bolt" > shown
says "profile queryd, software branch records" shown
says "sha256:$(digest_of bazel.prof)" shown
says "BOLT's: sha256:$(digest_of bazel.fdata)" shown

# Week two: the BOLTed program is recorded; the sources change; the compile profile stays.
for by in bazel cmake; do
  record $by.bolt
  cp "$programs/$by.pgo" $by.prebolt
  convert $by.week2.fdata $by.bolt "$programs/$by.bolt" $by.prebolt
done
cp bazel.prebolt queryd.prebolt
cp bazel.week2.fdata queryd.fdata
cp bazel.week2.fdata.json queryd.fdata.json
cp bazel.prof queryd.prof
cp bazel.prof.json queryd.prof.json
patch -s -p1 -d source -i "$here/../bench/changes/queryd_real.patch"
pin_queryd queryd.prof queryd.prof.json queryd.fdata queryd.fdata.json queryd.prebolt
by_bazel week2 queryd
by_bazel week2.bolt queryd.bolted
sed -i "s|prodpgo_optimize(queryd PROFILE queryd LINKED BOLT)|prodpgo_optimize(queryd PROFILE queryd LINKED BOLT BOLT_STALE $PWD/cmake.prebolt)|" \
  source/CMakeLists.txt
by_cmake week2 -DBOLT_PROFILE=
by_cmake week2.bolt "-DBOLT_PROFILE=$PWD/cmake.week2.fdata"

# counted BEFORE AFTER: what it executes and takes, in percent of the build before.
counted() {
  "$pgo" verify --count --run-before "$programs/$1 shop 30000 11" --run-after "$programs/$2 shop 30000 11" --limit 100 --json \
    > "$1.$2.json" 2> count.log || { cat count.log; fail "cannot count $1 and $2"; }
}
pairs="base.pgo pgo.bolt base.bolt week2.week2.bolt"
for by in bazel cmake; do
  for pair in $pairs; do counted $by.${pair%%.*} $by.${pair#*.}; done
done
# Both gain: Bazel's build nine tenths of what CMake's does by the profile, and at least half of the little that BOLT adds, as the
# code of the two differs a little (the flags of Bazel's own toolchain, the order of objects).
python3 - $pairs << 'END'
import json, sys

names = {"base.pgo": "with the profile", "pgo.bolt": "BOLTed, against that", "base.bolt": "both, against the first build",
         "week2.week2.bolt": "week two: BOLTed, against the same sources without"}
print("| queryd | by Bazel: branches taken | by CMake | by Bazel: instructions | by CMake |", "|---|---|---|---|---|", sep="\n")
faults = []
for pair in sys.argv[1:]:
    before, after = pair.split(".", 1)
    ratios = {}
    for by in ("bazel", "cmake"):
        counts = json.load(open(f"{by}.{before}.{by}.{after}.json"))["counts"]
        ratios[by] = {count["name"]: count["ratio"] for count in counts}
    cells = [f"{100 * (ratios[by][name] - 1):+.1f} %" for name in ("taken branches", "instructions") for by in ("bazel", "cmake")]
    print("|", names[pair], "|", " | ".join(cells), "|")
    for name in ("taken branches", "instructions") if before == "base" else ("taken branches",):
        by_bazel, by_cmake = (1 - ratios[by][name] for by in ("bazel", "cmake"))
        if by_cmake < 0.01 or by_bazel < by_cmake * (0.9 if before == "base" else 0.5):
            faults.append(names[pair])
sys.exit(f"Bazel and CMake differ: {', '.join(faults)}" if faults else 0)
END
