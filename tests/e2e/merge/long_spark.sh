# samples/large-merges/spark_merge.py gives the bytes of one merge: whatever the partitions, the order of the names, and
# with a worker that is killed. PRODPGO_SPARK_PYTHON names a python with pyspark (python -m pip install pyspark).
. "$(dirname "$0")/../prelude.sh"
python=${PRODPGO_SPARK_PYTHON:-python3}
"$python" -c 'import pyspark' 2> /dev/null || skip "no pyspark: PRODPGO_SPARK_PYTHON names a python that has it"
command -v java > /dev/null || skip "java is not installed"

python3 "$here/../bench/make_pprofs.py" fleet 60
"$pgo" merge fleet -o once.pb.gz 2> /dev/null
export PYSPARK_PYTHON=$python SPARK_LOCAL_IP=127.0.0.1
export PYSPARK_SUBMIT_ARGS="--master local[2,4] --conf spark.driver.host=127.0.0.1 \
--conf spark.driver.bindAddress=127.0.0.1 --conf spark.ui.enabled=false --conf spark.local.dir=$work/spark pyspark-shell"
spark() { # OUTPUT ARGUMENT...
  find fleet -type f | sed "s|^|$work/|" | shuf > names
  timeout 300 "$python" "$here/../../samples/large-merges/spark_merge.py" "${@:2}" names shared "$1" > spark.log 2>&1 ||
    { tail -n 40 spark.log; fail "spark_merge.py failed: $*"; }
}
for partitions in 2 7 16; do
  spark out.pb.gz --pgo "$pgo" --partitions $partitions
  cmp once.pb.gz out.pb.gz
done
# In two levels, with partitions that have no names.
spark out.pb.gz --pgo "$pgo" --partitions 64 --fan-in 5
cmp once.pb.gz out.pb.gz

# The first task loses the worker that runs it.
cat > killing << 'END'
#!/bin/sh
! mkdir "$KILLED" 2> /dev/null || kill -9 "$(ps -o ppid= -p "$PPID")"
exec "$PGO_ITSELF" "$@"
END
sed -i "2i KILLED=$work/killed PGO_ITSELF=$pgo" killing
chmod +x killing
spark out.pb.gz --pgo "$work/killing" --partitions 7
[ -d killed ] || fail "no worker was killed"
grep -q "Lost task" spark.log || { cat spark.log; fail "Spark did not lose a task"; }
cmp once.pb.gz out.pb.gz
