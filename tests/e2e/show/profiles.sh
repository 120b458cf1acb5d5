# What profiles hold, to the last character. The figures are added up by hand; the density is that of f
# (7 in one line), because main has less than 99 % of the 317 in lines.
. "$(dirname "$0")/../prelude.sh"

expect() {
  "$pgo" show "${@:2}" > shown 2>&1 || { cat shown; fail "cannot show $2"; }
  diff "$1" shown || fail "the answer for $2 differs"
}

cat > a.proftext << 'END'
_Z4mainv:1000:2
 1: 10
 4: _Z6inlinev:300
  1: 300
f:70:5
 0: 7
END
cat > expected << 'END'
a.proftext: LLVM sample profile, text, 64 bytes
  kind          by line
  functions     2
                and 1 only as inlined into them
  total         1 070, 7 calls of functions
  density       7.0
  cutoffs       50 % of the counts are in 1 line of 300 or more
                90 % of the counts are in 1 line of 300 or more
                99 % of the counts are in 3 lines of 7 or more
                99.9999 % of the counts are in 3 lines of 7 or more

  TOTAL   SHARE  CALLS  FUNCTION
  1 000  93.5 %      2  main()
     70   6.5 %      5  f
END
expect expected a.proftext

# The name of the file says nothing.
cp a.proftext server.perf
sed 's/^a.proftext/server.perf/' expected > expected.renamed
expect expected.renamed server.perf

cat > a.fdata << 'END'
boltedcollection
1 main 10 1 main 20 3 12
1 _ZL4stepl/1 4 1 _ZL4stepl/1 0 0 30
0 [unknown] 0 1 main 0 0 1
END
cat > expected << 'END'
a.fdata: BOLT profile (fdata), 106 bytes
  kind          branches, of a binary optimized by BOLT
  records       3
  total         43, 7.0 % mispredicted
  functions     2

  COUNT   SHARE  MISPREDICTED  FUNCTION
     30  69.8 %         0.0 %  step(long)/1
     12  27.9 %        25.0 %  main
END
expect expected a.fdata

printf 'no_lbr cycles:u\n1 main 10 5\n' > ip.fdata
"$pgo" show ip.fdata | grep '^  kind  *PC samples, event cycles:u$' > /dev/null || fail "PC samples are not told"

cat > a.yaml << 'END'
---
header:
  profile-version: 1
  binary-name:     server
  binary-build-id: 0b286087ce93a9612f5168ea0a9d5137c5e5ab9e
  profile-flags:   [ lbr ]
functions:
  - name:            main
    exec:            2
    blocks:
      - bid:             0
        succ:            [ { bid: 4, cnt: 12, mis: 3 } ]
  - name:            '_ZL4stepl/1'
    exec:            1
    blocks:
      - bid:             0
        succ:            [ { bid: 4, cnt: 25 }, { bid: 1, cnt: 5 } ]
...
END
cat > expected << 'END'
a.yaml: BOLT profile (YAML), 472 bytes
  binary        server
  build ID      0b286087ce93a9612f5168ea0a9d5137c5e5ab9e
  kind          branches
  total         42, 7.1 % mispredicted, 3 calls of functions
  functions     2

  COUNT   SHARE  MISPREDICTED  FUNCTION
     30  71.4 %         0.0 %  step(long)/1
     12  28.6 %        25.0 %  main
END
expect expected a.yaml

cat > a.preagg << 'END'
E cycles:u
T 4010 4020 4030 5
T X:0 4020 4024 2
B 4010 4020 1 1
END
cat > expected << 'END'
a.preagg: pre-aggregated traces for perf2bolt -pa, 64 bytes
  events        cycles:u
  records       4, 3 different traces
  total         8 branches, 12.5 % mispredicted

  COUNT   SHARE  BRANCH   TO      UP TO
      5  62.5 %  0x4010   0x4020  0x4030
      2  25.0 %  outside  0x4020  0x4024
      1  12.5 %  0x4010   0x4020
END
expect expected a.preagg

# As JSON, names stay as they are.
"$pgo" show a.proftext --json --top 1 > shown.json
python3 - << 'END'
import json
shown = json.load(open("shown.json"))
assert shown["format"] == "llvm-text" and shown["total"] == 1070 and shown["head"] == 7, shown
assert shown["hottest"] == [{"function": "_Z4mainv", "total": 1000, "head": 2}], shown
assert shown["cutoffs"][-1] == {"share": 0.999999, "counts": 3, "smallest_count": 7}, shown
END
