# Differences of profiles (go tool pprof -base ... -proto) have negative values. Wherever such a value
# does not count, it is said how many there are and what they sum up to.
. "$(dirname "$0")/../prelude.sh"

make() { python3 "$here/built_pprof.py" "$@"; }
cat > stacks << 'END'
map /bin/a aa00
main;work 5
main;rest -7
main;rest;inner -1
main;gone 2
main;gone -2
END
make difference.pb samples/count < stacks

# Shown as it is, by how much it differs; shares are of all differences.
"$pgo" show difference.pb | sed -n '/counts/,$p' > shown
cat > expected << 'END'
  counts        samples/count: -3
  shown type    samples/count
  samples       4 different, 5 locations in 5 functions
  builds        -23.1 % in build aa00 (/bin/a)

  FLAT    SHARE  FUNCTION
    -7  -53.8 %  rest
     5   38.5 %  work
    -1   -7.7 %  inner
     0    0.0 %  gone
END
diff expected shown || fail "pgo show leaves out negative values"

# Flame graphs have no place for them.
"$pgo" merge difference.pb -o out.folded 2> merge.log
diff out.folded <(printf 'main;work 5\n') || fail "the wrong folded stacks"
said='folded: left out 2 stacks with a negative count (-8 in all), which flame graphs cannot show; -o FILE.pb.gz keeps all counts'
grep -Fx "pgo: warning: $said" merge.log > /dev/null || { cat merge.log; fail "negative counts vanish from folded stacks"; }
grep -v work stacks | make negative.pb samples/count
"$pgo" merge negative.pb -o none.folded 2> refused.log && fail "wrote folded stacks of negative counts"
grep -Fx "pgo: error: ${said/left out/no stack has a count above 0:}" refused.log > /dev/null || { cat refused.log; fail "no reason"; }

# Go's compiler takes sums of weights for shares.
"$pgo" merge difference.pb -o default.pgo 2> merge.log
grep -Fx "pgo: warning: go: left out 2 samples with negative values (-8 in all, of samples/count); is the input a difference of profiles?" \
  merge.log > /dev/null || { cat merge.log; fail "negative values vanish from default.pgo"; }

# Neither are they samples that pgo convert could count.
cat > a.c << 'END'
__attribute__((noinline)) int work(int n) { return n * 3; }
int main(int argc, char **argv) { (void)argv; return work(argc); }
END
cc -O1 -g a.c -o a
"$pgo" convert difference.pb --binary a -o x.prof > convert.log 2>&1 || { cat convert.log; fail "cannot convert"; }
said='left out 3 samples with negative values (-10 in all, of samples/count); is it a difference of profiles? Convert the profiles themselves'
grep -Fx "pgo: warning: difference.pb: $said" convert.log > /dev/null ||
  { cat convert.log; fail "negative values vanish from a conversion"; }

printf 'main;rest -7\n' | make only.pb samples/count
"$pgo" convert only.pb --binary a -o x.prof 2> refused.log && fail "converted negative values"
grep -Fx "  only.pb: left out 1 sample with negative values (-7 in all, of samples/count); is it a difference of profiles? Convert the profiles themselves" \
  refused.log > /dev/null || { cat refused.log; fail "negative values are no reason why nothing is left"; }

# What is to be made equal must count something.
"$pgo" merge difference.pb difference.pb --normalize samples -o x.pb 2> refused.log && fail "normalized a difference"
grep -F "difference.pb: has negative values, which --normalize does not support" \
  refused.log > /dev/null || { cat refused.log; fail "no reason to refuse"; }
