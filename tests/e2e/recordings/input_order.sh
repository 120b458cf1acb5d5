# A recording cut into three gives the same bytes as the whole, in whatever order the pieces come, from
# a directory or a list, with one thread or several, and however unequal they are: a piece much larger than
# the others is read by all threads, small ones side by side.
. "$(dirname "$0")/../perturbed_recording.sh"

mkdir pieces
for piece in 0 1 2; do
  { grep '^event\|^mmap2' plain.txt; awk -v piece=$piece '/^sample/ && NR % 3 == piece' plain.txt; } |
    recording_from_text pieces/$piece.perf
done

mkdir unequal
for piece in 0 1 2 3 4; do
  { grep '^event\|^mmap2' plain.txt
    awk -v piece=$piece '/^sample/ && (NR % 40 < 4 ? NR % 40 + 1 : 0) == piece' plain.txt
  } | recording_from_text unequal/$piece.perf
done
[ $(stat -c %s unequal/0.perf) -gt $((3 * $(stat -c %s unequal/1.perf))) ]
printf 'pieces/%s.perf\n' 2 0 1 > list

for inputs in "pieces/0.perf pieces/1.perf pieces/2.perf" "pieces/2.perf pieces/0.perf pieces/1.perf" pieces unequal @list; do
  for threads in 1 3; do
    "$pgo" convert $inputs -j $threads --binary "$subject_prog" -o llvm-text:rare.text -o preagg:rare.preagg 2> convert.log
    same expected.text rare.text
    [ -e first.preagg ] || cp rare.preagg first.preagg
    same first.preagg rare.preagg
  done
done
