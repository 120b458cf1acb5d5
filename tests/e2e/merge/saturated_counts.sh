# Sums of counts stop at the largest number that a profile holds, and a merge says so.
. "$(dirname "$0")/../prelude.sh"

most=9223372036854775807
printf 'main;a %s\nmain;b 1\n' $most > 1.folded
printf 'main;a 1\nmain;b 2\n' > 2.folded
said="1 value of the merged samples does not fit 64 bits: the limits are $most and -9223372036854775808"
"$pgo" merge 1.folded 2.folded -o both.folded 2> merge.log
diff both.folded <(printf 'main;a %s\nmain;b 3\n' $most) || fail "the wrong counts"
grep -Fx "pgo: warning: $said" merge.log > /dev/null || { cat merge.log; fail "no warning of a sum that is too large"; }
"$pgo" merge 1.folded -o one.folded 2> merge.log
if grep -q warning merge.log; then cat merge.log; fail "warns of a sum that fits"; fi

# So does a sum of what differs in labels alone, which folded stacks leave out.
python3 "$here/built_pprof.py" labels.pb samples/count << END
map /bin/a aa00
main $most
map /bin/b bb00
main 1
END
"$pgo" merge labels.pb -o labels.folded 2> merge.log
diff labels.folded <(printf 'main %s\n' $most) || fail "the wrong counts"
grep -Fx "pgo: warning: folded: 1 stack has a count that is larger than $most, and stops there" merge.log > /dev/null ||
  { cat merge.log; fail "no warning of a count that is too large"; }
