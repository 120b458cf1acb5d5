# Sources as inputs of other commands: limits of pgo.toml hold, and windows, lists and weights are clear.
. "$(dirname "$0")/../prelude.sh"
export PRODPGO_CACHE=$work/cache

mkdir store other
for host in 1 2 3; do printf 'main;scan %d\nmain;parse 300\n' $((600 + host)) > store/web-$host.folded; done
printf 'main;scan 10\n' > other/db-1.folded
refuses() { # EXPECTED ARGUMENTS...
  local expected=$1 status=0
  shift
  "$pgo" "$@" > text 2> log || status=$?
  [ $status = 2 ] || fail "exit code of $*: $status"
  [ "$(grep error: log)" = "pgo: error: $expected" ] || fail "$*: $(cat log)"
}

printf '[fetch]\nmin-hosts = 4\n' > pgo.toml
unkept="dir:store: is not used, because it does not keep the limits of [fetch] in pgo.toml"
refuses "$unkept" merge dir:store -o x.folded
grep -qF "limit not kept: 0 hosts, and at least 4 are required" log
refuses "$unkept" show dir:store
refuses "$unkept" convert dir:store --binary /bin/true -o x.prof
for command in diff verify; do refuses "$unkept" $command dir:store dir:store; done
refuses "$unkept" cost dir:store
"$pgo" cost dir:store --config '' > text 2> log
rm pgo.toml
"$pgo" merge dir:store -o of_source.folded 2> log

# A weight of a source, and one that is no input.
"$pgo" merge store other --weight other=3 -o wanted.folded 2> log
"$pgo" merge dir:store dir:other --weight dir:other=3 -o got.folded 2> log
cmp wanted.folded got.folded
refuses "dir:other: is a source, and a file is expected here; fetch it first ('pgo fetch'), and name the bundle" \
  merge dir:store --weight dir:other=3 -o x.folded
echo s3://bucket/p > list
refuses "s3://bucket/p: is a source, and lists name files; fetch it first ('pgo fetch'), and name the bundle" \
  merge @list -o x.folded

# Windows.
for condition in '#from=2026-11-26' '#host=web-1,last=7d'; do
  refuses "dir:store: conditions after '#' are about labels, and not a window; choose it with 'pgo fetch --last 7d', say, and name the bundle" \
    diff "dir:store$condition" store
done
refuses "dir:store: takes no conditions after '#' here; choose profiles with 'pgo fetch', and name the bundle" \
  merge 'dir:store#host=web-1' -o x.folded
[ ! -e x.folded ] || fail "left x.folded"

# Help names bundles and sources wherever they are inputs.
for command in merge convert show diff verify cost bolt; do
  "$pgo" $command --help | tr -s ' \n' ' ' | grep -qE 'bundles? (and|or) (a )?sources? of pgo fetch' ||
    fail "pgo $command --help does not name bundles and sources"
done
