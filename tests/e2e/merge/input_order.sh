# Neither the order of inputs, nor how they are named, nor the number of threads changes a byte.
. "$(dirname "$0")/../prelude.sh"

python3 "$here/../bench/make_pprofs.py" fleet 30
merge() { "$pgo" merge "$@" 2> /dev/null; }
merge fleet -o once.pb.gz
# same INPUT...: they give the same bytes.
same() {
  merge "$@" -o out.pb.gz
  cmp once.pb.gz out.pb.gz
}
same -j 1 fleet
same -j 7 $(ls -r fleet/*)
same 'fleet/*.pb.gz'
{ echo "# hosts"; shuf -e fleet/*; } > list
same @list
merge - $(ls fleet/* | grep -v host00003) -o pprof:- < fleet/host00003.pb.gz > out.pb.gz
cmp once.pb.gz out.pb.gz

# Parts of it, merged before; compressed by zstd, or not.
merge fleet/host0000*.pb.gz -o part0.pb
merge fleet/host0001*.pb.gz -o part1.pb
zstd -q part1.pb --rm
same fleet/host0002*.pb.gz part0.pb part1.pb.zst

# Folded stacks say the same, and are read again.
merge once.pb.gz -o once.folded
merge fleet -o out.folded
cmp once.folded out.folded
merge once.folded -o again.folded
cmp once.folded again.folded
