# As random_stacks, many times over, position independent and not.
. "$(dirname "$0")/../random_stacks.sh"

for seed in $(seq 1 10); do
  for kind in -pie -no-pie; do
    build -O$((seed % 3 + 1)) "$kind"
    write_recording "$seed"
    ask_profgen
    ask_perf2bolt
    echo "seed $seed, $kind"
    same_as_profgen
    same_as_perf2bolt
  done
done
