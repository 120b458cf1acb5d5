# `pgo show` of a pprof profile names the sample type whose values it lists: the profile's default, or else
# the last. Merging keeps the default.
. "$(dirname "$0")/../prelude.sh"

make() { python3 "$here/built_pprof.py" "$@" alloc_space/bytes inuse_space/bytes; }
printf '%s\n' 'map /bin/a aa00' 'main;keep 10 90' 'map /bin/b bb00' 'main;churn 30 10' > stacks

make --default alloc_space with.pb < stacks
make without.pb < stacks
"$pgo" show with.pb | tail -n +2 > shown
cat > expected << 'END'
  counts        alloc_space/bytes: 40
                inuse_space/bytes: 100
  shown type    alloc_space/bytes, the default
  samples       2 different, 4 locations in 3 functions
  builds        75.0 % in build bb00 (/bin/b)
                25.0 % in build aa00 (/bin/a)

  FLAT   SHARE  FUNCTION
    30  75.0 %  churn
    10  25.0 %  keep
END
diff expected shown || fail "the default sample type is not the one that is shown"

"$pgo" show without.pb | tail -n +2 > shown
cat > expected << 'END'
  counts        alloc_space/bytes: 40
                inuse_space/bytes: 100
  shown type    inuse_space/bytes, the last
  samples       2 different, 4 locations in 3 functions
  builds        90.0 % in build aa00 (/bin/a)
                10.0 % in build bb00 (/bin/b)

  FLAT   SHARE  FUNCTION
    90  90.0 %  keep
    10  10.0 %  churn
END
diff expected shown || fail "the last sample type is not the one that is shown"

# As JSON, and of what is merged.
shown() { "$pgo" show "$1" --json | python3 -c 'import json, sys
shown = json.load(sys.stdin)
print(shown["shown_type"], shown["builds"][0]["path"], shown["hottest"][0]["function"], shown["hottest"][0]["value"])'; }
[ "$(shown with.pb)" = "alloc_space/bytes /bin/b churn 30" ] || fail "$(shown with.pb)"
[ "$(shown without.pb)" = "inuse_space/bytes /bin/a keep 90" ] || fail "$(shown without.pb)"
"$pgo" merge with.pb without.pb -o both.pb 2> merge.log
[ "$(shown both.pb)" = "alloc_space/bytes /bin/b churn 60" ] || fail "$(shown both.pb)"
grep -q '75.0 % in build bb00 (/bin/b)$' merge.log || { cat merge.log; fail "merging counts another sample type"; }
"$pgo" merge with.pb -o with.folded 2> merge.log
diff with.folded <(printf 'main;churn 30\nmain;keep 10\n') || fail "folded stacks hold another sample type"
