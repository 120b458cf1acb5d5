# Sourced by tests that compare `pgo convert` with llvm-profgen and perf2bolt, byte by byte.
#
# A test defines `compile`, which leaves a binary `prog`, and calls `compare_with_reference_tools`. Or it defines
# `make_subject`, which leaves a binary, its recording `prog.perf` and the reference tools' answers in the current
# directory, and calls `with_subject`. They are kept in the build tree until the test, the
# programs, what records them or a tool changes, so a second run only converts.
. "$(dirname "${BASH_SOURCE[0]}")/prelude.sh"
need perf qemu-x86_64 clang++-22 "$llvm/llvm-profgen" "$llvm/perf2bolt"

binary=prog
formats="text extbinary binary"  # that the reference tool writes; it has no binary form for pseudo probes
programs=$here/programs
debug="-O2 -gline-tables-only -fdebug-info-for-profiling"
cxx_sources="$programs/shapes.cc $programs/work.cc $programs/main.cc"
c_sources="$programs/tokens.c $programs/scan.c"

# build FLAG...: the C++ program, into `prog`.
build() { clang++-22 $debug -fuse-ld=lld -Wl,--build-id $cxx_sources -o prog "$@"; }

# record OUT CMD...: OUT gets one sample in 503 taken branches, or so.
record() {
  local out=$1
  shift
  "$pgo" record --engine emulate --period "$(period 503)" -o "$out" -- "$@" > record.log 2>&1
}

# record_by_clock OUT CMD...: OUT gets one sample in 100 microseconds of CPU time, or so. CMD should work for a quarter
# of a second (`prog 8000`): a machine that is ten times as quick then still takes hundreds of samples.
record_by_clock() {
  local out=$1
  shift
  "$pgo" record --engine clock --period "$(period 100003)" -o "$out" -- "$@" > /dev/null 2> record.log ||
    { cat record.log; fail "cannot record by the clock"; }
}

# What the reference tools say about the recording.
ask_profgen() {
  local format
  for format in $formats; do
    "$llvm/llvm-profgen" --binary="$binary" --perfdata=prog.perf --format=$format --output=reference.$format "$@" \
      2>> profgen.log
  done
}
ask_perf2bolt() { "$llvm/perf2bolt" -p prog.perf -o reference.fdata "$binary" > perf2bolt.log 2>&1; }

make_subject() {
  compile
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

# What a subject is made from, on standard output: where any of it changes, the subject is made anew. Of
# tools that are installed their size and time say that; pgo changes often, its way to record seldom.
origins_of() {  # origins_of SCRIPT
  local product=$here/../..
  echo "${SHAKEN_PERIOD_PERCENT-} ${SHAKEN_SEED-}"
  cat "$1" "$here"/{oracle,probes_prelude,match_prelude,random_stacks}.sh "$programs"/*
  cat "$product"/pgo/record/*.{cc,h} "$product/pgo/cli/commands/cmd_record.cc" "$BUILD_DIR"/lib/prodpgo/*.so
  case $(declare -f make_subject) in
    *'"$pgo" convert'* | *'"$pgo" bolt'*) cat "$pgo" ;;
  esac
  stat -L -c '%n %s %Y' $(type -P perf qemu-x86_64 clang-22 clang++-22 ld.lld-22 gcc g++ ld objcopy strip) \
    "$llvm"/{llvm-profgen,perf2bolt,llvm-bolt,llvm-objcopy,llvm-strip} || :  # what is not there has no line
}

# with_subject [NAME]: the current directory becomes the subject's, which is made when it is not there.
# Tests that give a NAME share the subject, which NAME.sh beside this file describes.
with_subject() {
  local root=$BUILD_DIR/tests/e2e/subjects subject stamp shared=${1:-$name} description=$script
  [ $# = 0 ] || description=$here/$1.sh
  mkdir -p "$root"
  exec 9> "$root/$shared.lock"
  flock 9
  stamp=$(origins_of "$description" | sha256sum | cut -c1-16)
  subject=$root/$shared-$stamp
  if [ ! -e "$subject/complete" ]; then
    rm -rf "$root/$shared-"*
    mkdir -p "$subject"
    cd "$subject"
    make_subject
    touch complete
  fi
  exec 9>&-
  cd "$subject"
}

# text_of RECORDING: its maps and samples as text, all by process 100, one microsecond apart.
text_of() {
  echo "event name=branches type=ip,tid,time,branch branch=user,any flags=sample_id_all"
  perf script --show-mmap-events -F pid,ip,brstack -i "$1" 2> /dev/null | awk '
    /PERF_RECORD_MMAP/ && match($0, /\[0x[0-9a-f]+\(0x[0-9a-f]+\) @ [0-9a-fx]+/) {
      split(substr($0, RSTART + 1, RLENGTH - 1), part, /\(|\) @ /)
      printf "mmap2 pid=100 time=%d addr=%s len=%s pgoff=%s prot=%s path=%s\n",
        NR * 1000, part[1], part[2], part[3], $(NF - 1), $NF
    }
    $3 ~ /^0x/ {
      printf "sample pid=100 time=%d ip=0x%s branches=", NR * 1000, $2
      for (i = 3; i <= NF; ++i) printf "%s%s", $i, i < NF ? " " : "\n"
    }'
}

# The sum of all counts of an fdata.
fdata_total_of() { awk '{ sum += $NF } END { print sum + 0 }' "$1"; }

same() {
  cmp -s "$1" "$2" && return
  diff -a "$1" "$2" | head -20 || true
  fail "$1 and $2 differ"
}

# Ours equals the reference tool's in all its formats, and is not trivially small.
same_as_profgen() {
  local format outputs=()
  [ "$(wc -l < reference.text)" -ge 50 ] || fail "the subject is too small: $(wc -l < reference.text) lines"
  for format in $formats; do
    case $format in
      text) outputs+=(-o "llvm-text:$work/ours.text") ;;
      extbinary) outputs+=(-o "llvm:$work/ours.extbinary") ;;
      binary) outputs+=(-o "llvm-binary:$work/ours.binary") ;;
    esac
  done
  "$pgo" convert prog.perf --binary "$binary" --compat=llvm-profgen "${outputs[@]}" "$@"
  for format in $formats; do same "reference.$format" "$work/ours.$format"; done
}

same_as_perf2bolt() {
  [ "$(wc -l < reference.fdata)" -ge 50 ] || fail "the subject is too small: $(wc -l < reference.fdata) lines"
  "$pgo" convert prog.perf --binary "$binary" -o "fdata:$work/ours.fdata"
  same reference.fdata "$work/ours.fdata"
}

compare_with_reference_tools() {
  with_subject
  same_as_profgen
  same_as_perf2bolt
}
