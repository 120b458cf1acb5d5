# Processes that map, fork, execute and exit at random: with --compat we give what llvm-profgen gives, and
# nothing where it gives nothing.
. "$(dirname "$0")/../perturbed_recording.sh"
need python3

filled=0
for seed in $(seq 1 200); do
  rm -f reference.text compat.text
  python3 "$here/random_maps.py" plain.txt "$seed" > rare.txt
  recording_from_text rare.perf < rare.txt
  ask_profgen_of rare.perf reference.text || true
  "$pgo" convert rare.perf --binary "$subject_prog" --compat=llvm-profgen -o llvm-text:compat.text 2> convert.log || true
  if [ -s reference.text ]; then
    [ -e compat.text ] || { cat convert.log; fail "seed $seed: we give up"; }
    same reference.text compat.text
    filled=$((filled + 1))
  else
    [ ! -s compat.text ] || fail "seed $seed: llvm-profgen finds nothing, we do"
  fi
done
echo "$filled recordings gave a profile"
[ "$filled" -ge 40 ]
