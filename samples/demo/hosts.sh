# Three hosts that run queryd, each in its own way: shop, warehouse and reports. Sourced by the demo.
hosts='shop warehouse reports'

# choose_engine PROGRAM: `engine` is how hosts record branches, and how many `requests` it takes for a good profile.
choose_engine() {
  engine='perf --no-clock' requests=2000000  # CPU time is recorded by itself, below
  pgo record --engine $engine -o probe.data -- "./$1" shop 1000 > output.log 2>&1 || {
    engine=emulate requests=50000
    sed -En 's/^pgo: error: (.*); (or )?record (on any machine|under emulation).*/\1./p' output.log
    echo "So branches are recorded under emulation."
  }
  rm -f probe.data
}

# record PROGRAM: each host records its branches, and copies the recording into the store.
record() {
  local number=0 host hour
  hour=$(date -u +%Y-%m-%dT%H)
  mkdir -p "store/$hour"
  for host in $hosts; do
    number=$((number + 1))
    show '^pgo: .* samples' pgo record --engine $engine -o $host.data -- "./$1" $host $requests $number
  done
  show . mv ${hosts// /.data }.data "store/$hour/"
}

# a_week_passes: makes the recordings in the store older, the oldest first.
a_week_passes() {
  local hour
  echo "Eight days pass: the demo renames the hours in the store to eight days earlier."
  for hour in store/*; do
    mv "$hour" "store/$(date -u -d "$(basename "$hour"):00 8 days ago" +%Y-%m-%dT%H)"
  done
}

# record_cpu_time PROGRAM: each host records where CPU time goes, with the callers of functions.
record_cpu_time() {
  local number=0 host
  mkdir -p "cpu/$1"
  for host in $hosts; do
    number=$((number + 1))
    show '^$' perf record -q -e cpu-clock:u -F 4000 -g -o "cpu/$1/$host.data" -- "./$1" $host 400000 $number
  done
}
