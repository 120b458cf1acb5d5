# A recording cut into three gives the same bytes as the whole, in whatever order the pieces come, from
# a directory or a list, with one thread or several.
. "$(dirname "$0")/rarity.sh"

mkdir pieces
for piece in 0 1 2; do
  { grep '^event\|^mmap2' plain.txt; awk -v piece=$piece '/^sample/ && NR % 3 == piece' plain.txt; } |
    recording_from_text pieces/$piece.perf
done
printf 'pieces/%s.perf\n' 2 0 1 > list

for inputs in "pieces/0.perf pieces/1.perf pieces/2.perf" "pieces/2.perf pieces/0.perf pieces/1.perf" pieces @list; do
  for threads in 1 3; do
    "$pgo" convert $inputs -j $threads --binary "$subject_prog" -o llvm-text:rare.text -o preagg:rare.preagg 2> convert.log
    same expected.text rare.text
    [ -e first.preagg ] || cp rare.preagg first.preagg
    same first.preagg rare.preagg
  done
done
