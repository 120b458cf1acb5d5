# Names with markup, quotes, control characters, invalid UTF-8 and the marks of the page's own template are shown, not
# obeyed, and can be searched; the SVG is well-formed.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"
need python3

flame_graph_from_text flame.html --names=hostile before.folded
flame_graph_from_text flame.svg --names=hostile before.folded
python3 -c 'import xml.dom.minidom as dom; dom.parse("flame.svg"); open("flame.html", encoding="utf-8").read()'
in_browser << 'END'
const tail = `</script><script>window.broken=1</script><!--"'&\\?\\x1b[31m\\x0a\\u{2028}\\u{202e}\\u{ffff}\${1}{{data}}`;
await inPage("flame.html", {}, async ({ page, frames }) => {
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal((await frames())[1], `main${tail}, 100.0\u202f%, 100\u202fns`);
  assert.equal(await page.title(), "server, cpu" + tail);
  await page.fill("#search", "</script>");
  assert.match(await page.locator("#found").textContent(), /^7 frames/);
});
END
