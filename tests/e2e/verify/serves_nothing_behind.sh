# A request to end pgo ends the server too, with its daemons, and what the load had started; and nothing is left of
# its files. Servers are counted under emulation.
. "$(dirname "$0")/../prelude.sh"
need setsid

mkdir temporary
cat > server <<'END'
#!/bin/sh
setsid sh -c 'echo $$ > daemon.pid; exec sleep 1000' &
echo $$ > server.pid
while :; do sleep 1000; done
END
chmod +x server
for signal in TERM INT HUP; do
  rm -f ./*.pid
  # In its own session, and with default actions: shells make background jobs ignore SIGINT.
  TMPDIR=$PWD/temporary python3 - "$pgo" > printed 2> said <<'END' &
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.setsid()
open("pgo.pid", "w").write(f"{os.getpid()}\n")
os.execl(sys.argv[1], "pgo", "verify", "--serve-before", "./server", "--serve-after", "./server",
         "--ready", "test -s daemon.pid", "--load", "echo $$ > load.pid; exec sleep 1000")
END
  started=$!
  until [ -s load.pid ] && [ -s server.pid ] && [ -s daemon.pid ]; do
    kill -0 $started || { cat said; fail "ended by itself"; }
    sleep .05
  done
  kill -$signal "$(cat pgo.pid)"
  ! wait $started || fail "ended well"
  for file in load server daemon; do
    ! kill -0 "$(cat $file.pid)" 2> /dev/null || fail "SIG$signal leaves the $file"
  done
  [ -z "$(ls -A temporary)" ] || fail "SIG$signal leaves files"
done

# A server that counts up to what it reads.
need qemu-x86_64
cat > counter <<'END'
#!/bin/sh
rm -f question answer
mkfifo question answer
echo $$ > counter.pid
while read n < question; do
  i=0
  while [ $i -lt $n ]; do i=$((i + 1)); done
  echo $n > answer
done
END
chmod +x counter
status=0
"$pgo" verify --count --serve-before './counter 1' --serve-after './counter 2' --report report.json \
  --ready 'test -s counter.pid && kill -0 $(cat counter.pid)' \
  --load 'echo 20000 > question; cat answer' > printed 2> said || status=$?
[ $status -eq 0 ] || { cat printed said; fail "exit code $status"; }
python3 - <<'END'
import json
result = json.load(open("report.json"))
instructions, branches = result["counts"]
assert result["kind"] == "counts", result
assert 1e7 < instructions["before"][0] < 1e9, result  # 20 000 rounds of a shell's loop
assert branches["before"][0] * 2 < instructions["before"][0], result
END
