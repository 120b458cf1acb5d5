# The sample queryd: its answers to requests that a reader can check, and SQLite's answers to thousands
# that it makes up.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need python3

source=$here/../../samples/queryd
must_configure built
build built
never warning: built.made

# Expected answers are written below the requests, after --> (which queryd takes for a comment).
cat > requests <<'EOF'
create table t (id int key, kind text index, size int, note text)
--> {"created":"t"}
insert into t values (1, 'pen', 12, 'O''Neill'), (2, 'ink', 30, null), (3, 'pen', 9, 'a "b"\c')
--> {"changed":3}
select * from t where id = 3
--> {"rows":[[3,"pen",9,"a \"b\"\\c"]]}
SELECT size * 2 + 1 AS s, note FROM t WHERE kind = 'pen' ORDER BY s DESC
--> {"rows":[[25,"O'Neill"],[19,"a \"b\"\\c"]]}
select kind, count(*), sum(size), min(size), max(size), avg(size) from t group by kind order by kind
--> {"rows":[["ink",1,30,30,30,30],["pen",2,21,9,12,10]]}
select kind from t group by kind having count(*) > 1
--> {"rows":[["pen"]]}
select count(*), count(note), sum(size) from t where id > 7
--> {"rows":[[0,0,null]]}
select distinct kind from t order by kind limit 1
--> {"rows":[["ink"]]}
select id from t where note is null or not (size > 9) and note like '%"_"%' order by id
--> {"rows":[[2],[3]]}
select id from t where note = null or id in (null, 2) and size not between 1 and 29
--> {"rows":[[2]]}
select upper(kind) || ':' || substr(note, 3, 4), length(note), abs(5 - size), -size % 5 from t where id = 1
--> {"rows":[["PEN:Neil",7,7,-2]]}
select coalesce(note, 'none'), case when size > 20 then 'big' when size > 10 then 'middle' end from t where id <> 3 order by id
--> {"rows":[["O'Neill","middle"],["none","big"]]}
select a.id, b.id from t a join t b on a.kind = b.kind and a.id < b.id
--> {"rows":[[1,3]]}
explain select a.id from t a join t b on b.size = a.size and b.note is null where a.id = 1 + 1 order by a.id
--> {"plan":["look up t.id","hash, look up t.size","filter","sort"]}
explain select kind, count(*) from t where size > 1 group by kind limit 3
--> {"plan":["scan t","filter","group","limit"]}
update t set size = size + 1, kind = 'pencil' where kind = 'pen' and size < 10
--> {"changed":1}
select kind, size from t where kind in ('pen', 'pencil') order by id
--> {"rows":[["pen",12],["pencil",10]]}
delete from t where kind = 'pen'
--> {"changed":1}
insert into t values (7, 'cap', -1, ''), (3, 'cap', 1, '')
--> {"error":"a key that is there already, or null","at":12}
select id, kind from t order by id
--> {"rows":[[2,"ink"],[3,"pencil"]]}
update t set size = 9223372036854775807 - 1 + size where size > 2
--> {"error":"a number that grows too large","at":44}
select size / (size - 30) from t
--> {"error":"a division by 0","at":12}
select sum(size) as total, note from t
--> {"error":"column 'note' is not the same within a group","at":27}
select id from t where count(*) > 1
--> {"error":"an aggregate where there are no groups","at":23}
select id from t where size = 'big'
--> {"error":"a number expected, not a text","at":28}
select id, from t
--> {"error":"a value, a column or '(' expected, 'from' found","at":11}
select x.id from t
--> {"error":"no column 'id'","at":7}
select id from t a join t b on a.id = b.id
--> {"error":"column 'id' of more than one table","at":7}
select nothing(id) from t
--> {"error":"no function 'nothing'","at":7}
select id from nowhere
--> {"error":"no table 'nowhere'","at":15}
update t set id = 5
--> {"error":"keys cannot be changed","at":13}
insert into t values (1, 'two')
--> {"error":"2 values for 4 columns","at":12}
select 99999999999999999999 from t
--> {"error":"a number that is too large","at":7}
select id from t where note = 'open
--> {"error":"a text without its closing quote","at":30}
drop table t
--> {"error":"select, insert, update, delete, create or explain expected, 'drop' found","at":0}
EOF
sed -n 's/^--> //p' requests > expected
built/queryd --answers requests > answers
diff expected <(sed '$d' answers)
last=$(sed -n '$p' answers)
[[ $last =~ ^35\ requests,\ 16\ refused,\ [0-9]+\ bytes,\ digest\ [0-9a-f]{16}$ ]] || fail "$last"

# However long a request is, it cannot make the service run out of stack.
deep() { # REQUEST
  echo "$1" > request
  [[ $(built/queryd --answers request | head -n 1) = '{"error":"an expression that is too deep",'* ]] || fail "${1:0:40}"
}
repeated() { head -c "$1" /dev/zero | sed "s/\x00/$2/g"; }
deep "select id from t where id = 1$(repeated 1000000 ' or id = 2')"
deep "select id from t where id $(repeated 1000000 ' is null')"
deep "select $(repeated 1000000 '(')"
{
  echo 'create table t (id int key)'
  echo 'insert into t values (1)'
  echo "select id from t where id = 1$(repeated 900 ' or id = 2')"
} > many
[ "$(built/queryd --answers many | sed -n 3p)" = '{"rows":[[1]]}' ]

cat > sqlite.py <<'EOF'
"""Puts requests to SQLite as well, and says how many were answered alike. What queryd refuses is left out."""
import json, re, sqlite3, sys
database = sqlite3.connect(":memory:", isolation_level=None)
database.execute("pragma case_sensitive_like = on")
refused = same = 0
for request, answer in zip(open(sys.argv[1]), map(json.loads, open(sys.argv[2]))):
    if "error" in answer:
        refused += 1
        continue
    request = re.sub(" int key", " int unique", request.strip())
    cursor = database.execute(re.sub(" (text|int) index", r" \1", request))
    if "rows" in answer:  # in any order; queryd's averages are whole
        theirs = [[int(v) if isinstance(v, float) else v for v in row] for row in cursor]
        ours = answer["rows"]
        if sorted(map(repr, theirs)) != sorted(map(repr, ours)):
            sys.exit(f"{request}\nSQLite: {theirs}\nqueryd: {ours}")
    elif "changed" in answer and cursor.rowcount != answer["changed"]:
        sys.exit(f"{request}\nSQLite: {cursor.rowcount}\nqueryd: {answer}")
    same += 1
print(same, refused)
EOF
for kind in shop warehouse reports; do
  built/queryd --requests $kind 3000 4 > $kind.requests
  built/queryd --answers $kind 3000 4 > $kind.answers
  read -r same refused < <(python3 sqlite.py $kind.requests $kind.answers)
  # 1204 requests fill the tables; one of 400 is refused.
  [ $((same + refused)) = 4204 ]
  [ "$refused" -gt 0 ]
  [ "$refused" -lt 30 ]
  # A log that is read is answered as one that is made up.
  [ "$(built/queryd $kind.requests)" = "$(built/queryd $kind 3000 4)" ]
  [ "$(built/queryd - < $kind.requests)" = "$(built/queryd $kind 3000 4)" ]
  [ "$(built/queryd $kind 3000 4)" != "$(built/queryd $kind 3000 5)" ]
done

for arguments in "" "--answers" "shop many" "shop 1 2 3" "--loud shop" "--requests requests"; do
  status=0
  built/queryd $arguments > out 2> err || status=$?
  [ $status = 2 ] || fail "queryd $arguments: $status"
  says "usage: queryd" err
done
status=0
built/queryd nowhere 2> err || status=$?
[ $status = 2 ]
says "queryd: nowhere: No such file or directory" err
# refused COMPLAINT ARGUMENT...: nothing is said to have been answered.
refused() {
  status=0
  built/queryd "${@:2}" > out 2> err || status=$?
  [ $status = 2 ] || fail "queryd ${*:2}: $status"
  says "queryd: $1" err
  [ ! -s out ]
}
mkdir directory
refused "directory: Is a directory" directory
refused "-: Is a directory" - < directory
for arguments in "shop 100" "--answers shop 10000" "--requests shop 10000" "--answers many"; do
  status=0
  built/queryd $arguments > /dev/full 2> err || status=$?
  [ $status = 2 ] || fail "queryd $arguments, disk full: $status"
  says "queryd: the output: No space left on device" err
done
