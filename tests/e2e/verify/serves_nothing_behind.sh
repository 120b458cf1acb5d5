# A request to end pgo ends the server too, with its daemons, and what the load had started; and nothing is left of
# its files.
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
  # In its own session, and with default actions: shells make background jobs ignore SIGINT, and nohup SIGHUP.
  TMPDIR=$PWD/temporary setsid env --default-signal=INT,TERM,HUP sh -c 'echo $$ > pgo.pid; exec "$@"' - \
    "$pgo" verify --serve-before ./server --serve-after ./server --ready 'test -s daemon.pid' \
    --load 'echo $$ > load.pid; exec sleep 1000' > printed 2> said &
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
