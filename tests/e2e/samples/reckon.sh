# The sample reckon: its programs print what is known of primes, queens and the like, built with and
# without a profile; and it says what is wrong with a program.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need qemu-x86_64

source=$here/../../samples/reckon
must_configure baseline
build baseline
never warning: baseline.made

# runs BUILD PROGRAM NAME=NUMBER: what it prints.
runs() { "$1/reckon" "$source/programs/$2.reckon" "$3"; }
# is BUILD PROGRAM NAME=NUMBER ANSWER
is() { [ "$(runs "$1" "$2" "$3")" = "$4" ] || fail "$1, $2 $3: $(runs "$1" "$2" "$3"), not $4"; }
known() {
  is "$1" collatz limit=1000 "871 178"
  is "$1" collatz limit=10000 "6171 261"
  is "$1" primes limit=1000 "168 35"
  is "$1" primes limit=100000 "9592 1224"
  is "$1" queens size=6 4
  is "$1" queens size=8 92
  is "$1" sort count=20000 "0 0"
}
known baseline

mkdir recordings
record() { "$pgo" record --engine emulate -o "recordings/$1.data" -- baseline/reckon "$source/programs/$1.reckon" "$2"; }
record collatz limit=2000 > collatz.log 2>&1
record queens size=6 > queens.log 2>&1
"$pgo" convert recordings --binary baseline/reckon -o reckon.prof > convert.log 2>&1
must_configure optimized "-DPROFILE=$PWD/reckon.prof"
build optimized
says "-fprofile-sample-use=" optimized.made
known optimized

# wrong MESSAGE: of the program on standard input, whatever it was built with.
wrong() {
  cat > wrong.reckon
  for build in baseline optimized; do
    status=0
    "$build/reckon" wrong.reckon > out 2> err || status=$?
    [ $status = 1 ] || fail "exit status $status, not 1, for: $1"
    diff err - <<< "reckon: $1"
  done
}
wrong "line 2: a name expected, '*' found" <<< $'a = 1\nprint a + * 2'
wrong "line 2: } expected, the end found" <<< 'while 1 {'
wrong "line 1: a statement expected, '}' found" <<< 'print 1 }'
wrong "line 1: no variable 'b'" <<< 'print b'
wrong "line 1: no function 'f'" <<< 'print f(1)'
wrong "line 1: f takes 1 values, not 2" <<< 'function f(x) { return x } print f(1, 2)'
wrong "line 2: no element 3: there are 3" <<< $'array a[3]\na[3] = 1'
wrong "line 1: a division by 0" <<< 'print 1 % (2 - 2)'
wrong "line 1: a number that grows too large" <<< 'print 9223372036854775807 + 1'
wrong "line 1: a number that is too large" <<< 'print 9223372036854775808'
wrong "line 1: calls that are too deep" <<< 'function f(x) { return f(x + 1) } print f(1)'
# Neither long texts nor what they do may run out of stack.
repeated() { head -c "$1" /dev/zero | sed "s/\x00/$2/g"; }
deep="an expression or block that is too deep"
wrong "line 1: $deep" < <(printf 'print 1'; repeated 2000000 +1)
wrong "line 1: $deep" < <(printf 'print '; repeated 2000000 '-'; echo 1)
wrong "line 1: $deep" < <(printf 'print '; repeated 2000000 'not '; echo 1)
wrong "line 1: $deep" < <(repeated 2000000 'if 1 { ')
wrong "line 1: calls that are too deep" <<< "function f(x) { return 1$(repeated 400 '+(1')+f(x)$(repeated 400 ')') } print f(1)"
echo "print 1$(repeated 900 +1) print $(repeated 450 '(')2$(repeated 450 ')')" > long.reckon
for build in baseline optimized; do [ "$("$build/reckon" long.reckon)" = "901
2" ] || fail "$build: an expression of 900 terms"; done
# What stands before the mistake was done.
wrong "line 2: a division by 0" <<< $'print 7, -7 / 2, not 3 = 4 and 1\nprint 1 / 0'
[ "$(cat out)" = "7 -3 1" ]

for arguments in "" "wrong.reckon limit" "wrong.reckon limit=many"; do
  status=0
  baseline/reckon $arguments 2> err || status=$?
  [ $status = 2 ] || fail "reckon $arguments: $status"
  says "usage: reckon FILE [NAME=NUMBER]..." err
done
status=0
baseline/reckon nowhere 2> err || status=$?
[ $status = 2 ]
says "reckon: nowhere: No such file or directory" err
status=0
baseline/reckon long.reckon > /dev/full 2> err || status=$?
[ $status = 2 ]
says "reckon: the output cannot be written" err
