# What a comparison says of options has their names, also where it is written to files.
. "$(dirname "$0")/../prelude.sh"

mkdir before after
for i in 1 2 3; do
  echo "main;parse $((1000 + i))" > before/$i.folded
  echo "main;parse $((1010 + i))" > after/$i.folded
done
"$pgo" diff before after -o diff.html -o diff.md 2> notes.log
for file in diff.html diff.md notes.log; do
  grep -q "not compared in pairs: .* take it from paths with --path-template" $file || fail "$file does not name the option"
done
