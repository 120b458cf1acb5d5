# Services are counted under emulation, from the begin of a load to their end; how they started does not matter.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64

# A server that counts up to what it reads, and does so for itself first.
cat > counter <<'END'
#!/bin/sh
count() { i=0; while [ $i -lt $1 ]; do i=$((i + 1)); done; }
count $1
rm -f question answer
mkfifo question answer
echo $$ > counter.pid
while read n < question; do
  count $n
  echo $n > answer
done
END
chmod +x counter
verify() { # STATUS WORK_BEFORE WORK_AFTER
  status=0
  "$pgo" verify --count --serve-before "./counter $2" --serve-after "./counter $3" --report report.json \
    --ready 'test -s counter.pid && kill -0 $(cat counter.pid)' \
    --load 'echo 5000 > question; cat answer' > printed 2> said || status=$?
  [ $status -eq $1 ] || { cat printed said; fail "exit code $status instead of $1"; }
}
# Ten times as much work as a load, before the load.
verify 0 1 50000
python3 - <<'END'
import json
result = json.load(open("report.json"))
instructions, branches = result["counts"]
assert result["kind"] == "counts", result
assert 1e6 < instructions["before"][0] < 3e8, result  # 5000 rounds of a shell's loop
assert branches["before"][0] * 2 < instructions["before"][0], result
END

# A server that works more for each question.
sed 's/^  count $n$/  count $n; count $n/' counter > counter.new
chmod +x counter.new
status=0
"$pgo" verify --count --serve-before './counter 1' --serve-after './counter.new 1' \
  --ready 'test -s counter.pid && kill -0 $(cat counter.pid)' \
  --load 'echo 5000 > question; cat answer' > printed 2> said || status=$?
[ $status -eq 1 ] || { cat printed said; fail "exit code $status"; }
grep -q '^  verdict  *fail: the new program executes [0-9.]* % .*more instructions' printed

# Loads that report different numbers of requests are not the same work.
status=0
"$pgo" verify --count --serve-before './counter 1' --serve-after './counter.new 1' \
  --ready 'test -s counter.pid && kill -0 $(cat counter.pid)' \
  --load 'echo 5000 > question; cat answer; echo >> loads; echo "Complete requests: $(wc -l < loads)"' \
  > printed 2> said || status=$?
[ $status -eq 3 ] || { cat printed said; fail "exit code $status"; }
grep -q '^  verdict  *inconclusive: .*; the loads did 2 to 8 requests, so they are not the same work: ' printed ||
  { cat printed; fail "no reason"; }
