# pgo lock diff: what a commit changes of pgo.lock, by git revisions and by files; with the overlap of the profiles, as
# llvm-profdata has it, once both are in the cache.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need git python3
export GIT_CONFIG_GLOBAL=$work/gitconfig
git config --global user.name test
git config --global user.email test@localhost
git config --global init.defaultBranch main

# Profiles made up from a seed; their totals are made equal below, for llvm-profdata.
cat > random_profile.py << 'END'
import random, sys
draw = random.Random(int(sys.argv[1]))
lines = []
def body(depth, indent):
    total, text = 0, []
    for line in range(1, 6):
        if draw.random() < 0.7:
            count = draw.randrange(1, 500)
            total += count
            text.append(f"{indent}{line}: {count}")
    for line in range(6, 8):
        if depth < 3 and draw.random() < 0.5:
            inner, inner_text = body(depth + 1, indent + " ")
            if inner:
                total += inner
                text += [f"{indent}{line}: g{draw.randrange(4)}:{inner}"] + inner_text
    return total, text
for function in range(12):
    if draw.random() < 0.8:
        total, text = body(0, " ")
        if total:
            lines += [f"f{function}:{total}:1"] + text
print("\n".join(lines))
END
total() { "$pgo" show "$1" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["total"])'; }

git init -q repository
cd repository
git commit -q --allow-empty -m empty
for round in 1 2 3; do
  python3 ../random_profile.py $((round * 2)) > ../old.proftext
  python3 ../random_profile.py $((round * 2 + 1)) > ../new.proftext
  for side in old new; do
    cp ../$side.proftext ../server.proftext
    "$pgo" push ../server.proftext "oci-dir:../profiles:$side" > ../text 2> ../log
    "$pgo" pin server "oci-dir:../profiles:$side" > ../text
    git add pgo.lock
    git commit -qm "$side"
  done
  "$pgo" lock diff HEAD~1 HEAD --pull --json > ../diff.json 2> ../log
  old=$(total ../old.proftext) new=$(total ../new.proftext)
  "$llvm/llvm-profdata" merge --sample --text -o ../old.scaled "--weighted-input=$new,../old.proftext"
  "$llvm/llvm-profdata" merge --sample --text -o ../new.scaled "--weighted-input=$old,../new.proftext"
  "$llvm/llvm-profdata" overlap --sample ../old.scaled ../new.scaled > ../overlap.txt
  # Of equal totals, the lesser counts over the greater ones are J, and the sum of the lesser shares is 2 J / (1 + J).
  python3 - ../diff.json ../overlap.txt << 'END'
import json, re, sys
ours = json.load(open(sys.argv[1]))["profiles"][0]["files"][0]["comparison"]["overlap"]
theirs = float(re.search(r"Whole program sample overlap: ([\d.]+)%", open(sys.argv[2]).read())[1]) / 100
assert abs(ours - 2 * theirs / (1 + theirs)) < 3e-5, (ours, theirs)
assert 0.05 < ours < 0.95, ours
END
done

# Revisions, the working tree, and files say the same.
git show HEAD~1:pgo.lock > ../old.lock
"$pgo" lock diff HEAD~1 HEAD 2> ../log | tail -n +2 > ../by_revision
"$pgo" lock diff ../old.lock pgo.lock --lock ../none 2> ../log | tail -n +2 > ../by_file
cmp ../by_revision ../by_file
"$pgo" lock diff HEAD~1 2> ../log | tail -n +2 > ../by_tree
cmp ../by_revision ../by_tree
mkdir -p deep
(cd deep && "$pgo" lock diff HEAD~1 --lock ../pgo.lock 2> ../../log | tail -n +2 > ../../by_path)
cmp ../by_revision ../by_path
# The nearest lock file above.
(cd deep && "$pgo" lock diff HEAD~1 2> ../../log | tail -n +2 > ../../by_search)
cmp ../by_revision ../by_search
expect "same" "HEAD:pgo.lock -> pgo.lock: 1 unchanged" "$("$pgo" lock diff 2> ../log)"
expect "first" "1 added" "$("$pgo" lock diff "$(git rev-list --max-parents=0 HEAD)" 2> ../log | sed -n '1s/.*: //p')"
grep -q "pgo.lock: there is no lock file, so it has no profiles" ../log

# Markdown for a pull request; the same again has the same bytes.
"$pgo" lock diff HEAD~1 -o ../a.md -o ../a.json 2> ../log
"$pgo" lock diff HEAD~1 -o ../b.md -o ../b.json 2> ../log
cmp ../a.md ../b.md
cmp ../a.json ../b.json
grep -q '^### `server`: pinned to another version$' ../a.md

# Without the profiles: no overlap, and what to do.
PRODPGO_CACHE=$work/empty "$pgo" lock diff HEAD~1 > ../text 2> ../log
grep -q "effect not known: the profiles are not in the cache" ../text
grep -q -- "--pull fetches both sides" ../log
# What cannot be pulled is a warning.
mv ../profiles ../moved
PRODPGO_CACHE=$work/empty "$pgo" lock diff HEAD~1 --pull > ../text 2> ../log
grep -q "pgo: warning: cannot pull: ../profiles" ../log
grep -q "pgo: not all profiles could be pulled, so they are not compared" ../log
! grep -q -- "--pull" ../log || fail "advises what was done"
mv ../moved ../profiles

refuses "'nothing' is neither a file nor a git revision" lock diff nothing
refuses "HEAD:none and none: there is no lock file; --lock names another" lock diff --lock none
refuses "ACTION: must be diff, not show (see 'pgo lock --help')" lock show
