# Programs of many kinds under as many single steps as there can be give what they give without, again and again.
. "$(dirname "$0")/../prelude.sh"
need gcc g++ clang-22 python3 perl awk sort

source=$(cd "$here/../.." && pwd)
step() { "$pgo" record --engine step --overhead 50 --period 1000000 -o perf.data -- "$@"; }
# same NAME COMMAND...: its output and exit code are the same.
same() {
  local name=$1 alone=0 stepped=0
  shift
  "$@" > alone.txt 2> alone.err || alone=$?
  step "$@" > stepped.txt 2> stepped.err || stepped=$?
  [ "$alone" = "$stepped" ] || { tail -n 5 stepped.err; fail "$name: exit code $stepped, alone $alone"; }
  cmp alone.txt stepped.txt || fail "$name: another output"
  tail -n 1 stepped.err
}

clang-22 -O2 "$source"/samples/reckon/src/*.c -I"$source/samples/reckon/src" -lm -o reckon
clang++-22 -std=c++20 -O1 "$source"/samples/queryd/*/*.cc -I"$source/samples/queryd" -pthread -o queryd
for round in 1 2 3; do
  echo "round $round"
  same reckon ./reckon "$source/samples/reckon/programs/queens.reckon" size=9
  same queryd ./queryd shop 20000 "$round"
  same shell bash -c 'for i in $(seq 200); do echo $i | sed s/1/x/; done | sort | uniq -c'
  same make bash -c 'gcc -O2 -g -S -o - "$0" | md5sum' "$source/pgo/record/plugin/part_file.c"
  same clang clang++-22 -std=c++20 -O2 -S -o - "$source/samples/queryd/engine/parser.cc" -I"$source/samples/queryd"
  same perl perl -e 'my %h; $h{$_ % 1000} .= chr($_ % 26 + 65) for 1..2000000; print join(",", map {"$_:" . length $h{$_}} sort keys %h)'
  same python python3 -c 'import json,re,hashlib
text = json.dumps([{"a": i, "b": str(i) * 3} for i in range(60000)])
print(hashlib.sha256(re.sub(r"(\d)\1", "x", text).encode()).hexdigest(), len(json.loads(text)))'
  same pool python3 -c 'import concurrent.futures as f
with f.ProcessPoolExecutor(3) as p: print(sum(p.map(hash, range(20000), chunksize=50)))
with f.ThreadPoolExecutor(8) as p: print(sum(p.map(lambda i: sum(range(i)), range(2000))))'
done
