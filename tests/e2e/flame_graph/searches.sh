# A search marks the frames, says how many and which share they have together, and filters the table.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"

flame_graph_from_text flame.html --unit=count before.folded
flame_graph_from_text diff.html before.folded after.folded
in_browser << 'END'
await inPage("flame.html", {}, async ({ page, rows }) => {
  const found = () => page.locator("#found").textContent();
  const marked = () => page.locator("#graph .match").count();
  await page.fill("#search", "MALLOC");
  assert.equal(await found(), "2 frames, 25.0\u202f% of the whole");
  assert.equal(await marked(), 2);
  assert.deepEqual((await rows()).map((row) => row[0]), ["malloc"]);

  // What is within a match counts once.
  await page.fill("#search", "/^(render|malloc)$/");
  assert.equal(await found(), "3 frames, 65.0\u202f% of the whole");
  await page.fill("#search", "libc");
  assert.equal(await found(), "2 frames, 25.0\u202f% of the whole");
  await page.fill("#search", "/(/");
  assert.equal(await found(), "Not a regular expression");
  await page.fill("#search", "nothing");
  assert.equal(await found(), "No match");
  await page.press("#search", "Escape");
  assert.equal(await found(), "");
  assert.equal(await marked(), 0);
  assert.equal((await rows()).length, 6);
});
await inPage("diff.html", {}, async ({ page }) => {
  await page.fill("#search", "render");
  assert.equal(await page.locator("#found").textContent(), "1 frame, 55.0\u202f% → 62.0\u202f% of the whole");
});
END
