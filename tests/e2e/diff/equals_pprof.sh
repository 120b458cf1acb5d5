# The differences of a real program's profiles are those of go tool pprof -diff_base, function by
# function: flat and cumulative, of time, memory and waiting for locks.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../go_prelude.sh"

./busy profile=1 heap mutex block
mkdir before after
mv [0-3].pb.gz before
./busy profile=1 heap mutex block
mv [0-3].pb.gz after

same() { # FILE TYPE UNIT LEAST_ROWS
  "$pgo" diff before/$1 after/$1 --per total --sample-type $2 --json > ours.json 2> ours.log ||
    fail "$1 $2: $(cat ours.log)"
  "$pprof" -top -symbolize=none -sample_index=$2 -unit=$3 -nodecount=1000000 -nodefraction=0 \
    -edgefraction=0 -diff_base=before/$1 after/$1 > theirs.txt 2> theirs.log || fail "$1 $2: $(cat theirs.log)"
  python3 "$here/pprof_difference.py" ours.json theirs.txt $4 || fail "$1 $2 differs"
  # What is written for pprof, it reads as its own.
  "$pgo" diff before/$1 after/$1 --sample-type $2 -o ours.pb.gz 2> /dev/null
  "$pprof" -top -symbolize=none -sample_index=$2 -unit=$3 -nodecount=1000000 -nodefraction=0 \
    -edgefraction=0 ours.pb.gz > read.txt 2> read.log || fail "$1 $2: $(cat read.log)"
  rows() { sed -n '/ flat /,$p' $1 | awk '{ $2 = $3 = $5 = ""; print }' | sort; }
  diff <(rows read.txt) <(rows theirs.txt) || fail "$1 $2: pprof reads another difference in the output"
}
same 0.pb.gz cpu ns 1
same 0.pb.gz samples count 1
same 1.pb.gz alloc_space B 1
same 1.pb.gz alloc_objects count 1
same 1.pb.gz inuse_space B 0 # what is held, and how often locks wait, may be the same
same 2.pb.gz delay ns 0
same 2.pb.gz contentions count 0
same 3.pb.gz delay ns 0
