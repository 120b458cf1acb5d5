# Who owns an output, and what others may do with it: the umask for new ones, the owner and the mode of the one
# that is replaced, and a warning where they cannot be kept. No set-ID bit for another owner.
. "$(dirname "$0")/../oracle.sh"
[ "$(id -u)" = 0 ] || skip "only root can make files of other users"
need setpriv "$llvm/llvm-bolt" qemu-x86_64

make_subject() {
  build -Wl,--emit-relocs
  record prog.perf ./prog
  "$pgo" convert prog.perf --binary prog -o prog.fdata 2> convert.log
}
with_subject
subject=$PWD
cd "$work"
printf 'main;work 5\n' > stacks.folded
chmod 777 .

nobody=65534
as_nobody() { setpriv --reuid=$nobody --regid=$nobody --clear-groups "$@"; }
as_nobody test -r stacks.folded -a -x "$pgo" || skip "user $nobody may not come here"
is() {  # is FILE OWNER:GROUP MODE
  [ "$(stat -c '%u:%g %a' "$1")" = "$2 $3" ] || fail "$1 is $(stat -c '%u:%g %a' "$1"), not $2 $3"
}
put() {  # put FILE OWNER:GROUP MODE
  rm -f "$1"
  echo earlier > "$1"
  chown "$2" "$1"
  chmod "$3" "$1"
}

# New ones.
(umask 027 && "$pgo" merge stacks.folded -o new.folded 2> log)
is new.folded 0:0 640
cp "$subject/prog" prog
chmod 6755 prog
bolt() { "$pgo" bolt prog --profile "$subject/prog.fdata" "$@" > bolt.out 2> bolt.log; }
(umask 027 && bolt -o bolted)
is bolted 0:0 6750
chown $nobody:$nobody prog
chmod 6755 prog
bolt -o other
is other 0:0 755
bolt -o kept --llvm-bolt /nonexistent
is kept 0:0 755

# root replaces the file of another.
put owned.folded 1234:2345 4640
"$pgo" merge stacks.folded -o owned.folded 2> log
is owned.folded 1234:2345 4640
! grep -q warning log || { cat log; fail "a warning about nothing"; }
put bolted 1234:2345 750
bolt -o bolted
is bolted 1234:2345 750
put bolted 1234:2345 640
bolt -o bolted
is bolted 1234:2345 750
put owned.perf 1234:2345 640
"$pgo" record --engine emulate -o owned.perf -- /bin/true 2> log
is owned.perf 1234:2345 640

# Another user cannot: the warning says so, and nobody else may do more than before.
put theirs.folded 0:0 4664
as_nobody "$pgo" merge stacks.folded -o theirs.folded 2> log
grep -qxF "pgo: warning: theirs.folded: cannot keep owner and group 0:0 (Operation not permitted): it gets $nobody:$nobody, and permissions 0644 instead of 4664" log || { cat log; fail "no warning"; }
is theirs.folded $nobody:$nobody 644
put theirs.folded 0:0 640
as_nobody "$pgo" merge stacks.folded -o theirs.folded 2> log
grep -qxF "pgo: warning: theirs.folded: cannot keep owner and group 0:0 (Operation not permitted): it gets $nobody:$nobody, and permissions 0600 instead of 0640" log || { cat log; fail "no warning"; }
is theirs.folded $nobody:$nobody 600
put theirs.out 0:0 755
as_nobody "$pgo" bolt prog --profile "$subject/prog.fdata" -o theirs.out > out 2> log
grep -qxF "pgo: warning: theirs.out: cannot keep owner and group 0:0 (Operation not permitted): it gets $nobody:$nobody" log || { cat log; fail "no warning"; }
is theirs.out $nobody:$nobody 755
put theirs.perf 0:0 644
as_nobody "$pgo" record --engine emulate -o theirs.perf -- /bin/true 2> log
grep -qxF "pgo: warning: $work/theirs.perf: cannot keep owner and group 0:0 (Operation not permitted): it gets $nobody:$nobody" log || { cat log; fail "no warning"; }
is theirs.perf $nobody:$nobody 644
