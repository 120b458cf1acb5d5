# pgo bolt gives each layout of one input a build ID of its own: recordings of two layouts are converted together, each by
# its own table, and one is never read by the table of another.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt" "$llvm/llvm-readelf"

make_subject() {
  build -Wl,--emit-relocs
  record first.perf ./prog
  "$pgo" convert first.perf --binary prog -o fdata:first.fdata 2> convert.log
  head -30 first.fdata > part.fdata
  for week in first part; do
    "$pgo" bolt prog -o $week.bolt --profile $week.fdata --on-failure error 2> $week.log
    record $week.perf ./$week.bolt
  done
}

with_subject
[ "$(id_of first.bolt)" != "$(id_of part.bolt)" ] || fail "two layouts have the build ID $(id_of part.bolt)"
for week in first part; do
  layout=$(id_of $week.bolt) input=$(id_of prog)
  [ "${layout:0:30}" = "${input:0:30}" ] || fail "another program: $layout is not of $input"
  [ "$layout" != "$input" ] || fail "$week.bolt has the build ID of its input"
done
"$pgo" bolt prog -o "$work/again.bolt" --profile first.fdata --on-failure error 2> "$work/again.log"
same first.bolt "$work/again.bolt"

# Together they are the sum of both.
traces() { "$pgo" convert "${@:2}" --binary prog -o "preagg:$work/$1" 2> "$work/$1.log"; }
traces first first.perf --binary first.bolt
traces part part.perf --binary part.bolt
traces both first.perf part.perf --binary first.bolt --binary part.bolt
[ "$(grep -c '100.0 % of the traces were translated to prog' "$work/both.log")" = 2 ] || { cat "$work/both.log"; fail "not two layouts"; }
counts() { awk '$1 == "T" { count[$2 " " $3 " " $4] += $5 } END { for (trace in count) print trace, count[trace] }' "$@" | sort; }
diff <(counts "$work/first" "$work/part") <(counts "$work/both") || fail "not the sum of both"

# A recording of the other layout is refused.
status=0
"$pgo" bolt prog -o "$work/wrong.bolt" --profile part.perf --binary first.bolt --on-failure error 2> "$work/wrong.log" ||
  status=$?
[ $status = 1 ] || { cat "$work/wrong.log"; fail "exit code $status"; }
grep -q "what ran is .*/part.bolt, which is first.bolt before or after BOLT, or with another BOLT profile \
(build IDs that differ in the last quarter); name both files with --binary" "$work/wrong.log" ||
  { cat "$work/wrong.log"; fail "another error"; }
