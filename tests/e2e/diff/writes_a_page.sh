# The page of a comparison opens in a browser: it shows which functions changed by more than the hosts differ, and
# axe finds no fault. pgo merge draws one profile the same way.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"

mkdir before after
sed -i 's/[a-z0-9.]*`//g' before.folded after.folded
for host in 1 2 3 4 5; do
  sed "s/parse 30/parse $((3000 + host * 7 % 5 * 20))/; s/ \([0-9]\{1,2\}\)$/ \100/" before.folded > before/web-$host.folded
  sed "s/render 47/render $((4700 + host * 3 % 5 * 20))/; s/ \([0-9]\{1,2\}\)$/ \100/" after.folded > after/web-$host.folded
done
"$pgo" diff before after --path-template '{host}.folded' -o diff.html -o diff.svg -o diff.md -o diff.json 2> notes.log
"$pgo" merge before -o flame.html -o flame.svg 2> merge.log
for picture in diff flame; do python3 -c "import sys, xml.dom.minidom as x; x.parse('$picture.svg')"; done
in_browser << 'END'
await inPage("diff.html", {}, async ({ page, frame, rows }) => {
  assert.match(await frame("render").getAttribute("class"), /\bgrew/);
  const [first] = await rows();
  assert.equal(first[0], "parse");
  assert.match(first[4], /^changed, q < 0.001/);
  assert.deepEqual(await accessibilityFaults(page), []);
});
await inPage("flame.html", {}, async ({ page, frame }) => {
  assert.equal(await frame("render").count(), 1);
  assert.deepEqual(await accessibilityFaults(page), []);
});
END
grep -q '^| 30.* | less | `parse` |$' diff.md
grep -q "compared in pairs" notes.log
