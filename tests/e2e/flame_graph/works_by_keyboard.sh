# Everything can be done without a pointer: reach the graph by Tab, move, zoom, search, and leave it again.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"

flame_graph_from_text flame.html --unit=count before.folded
in_browser << 'END'
await inPage("flame.html", {}, async ({ page, frames, focused }) => {
  const name = async () => (await focused() ?? "").split(",")[0];
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  for (let i = 0; i < 12 && await name() !== "all"; i++) await press("Tab");
  assert.equal(await name(), "all");
  await press("ArrowDown", "ArrowDown");
  assert.equal(await name(), "serve");  // the widest
  await press("ArrowLeft");
  assert.equal(await name(), "idle");
  await press("ArrowRight", "ArrowDown");
  assert.equal(await name(), "render");
  await press("ArrowLeft", "Enter");
  assert.equal(await page.locator("#path [aria-current]").textContent(), "parse");
  assert.equal(await name(), "parse");
  assert.equal((await frames()).length, 5);
  await press("Backspace");
  assert.equal(await page.locator("#path [aria-current]").textContent(), "serve");
  await press("Home");
  assert.equal(await page.locator("#path [aria-current]").textContent(), "all");

  await press("/");
  await page.keyboard.type("malloc");
  await press("Enter");
  assert.match(await focused(), /^malloc, 10/);
  await press("n");
  assert.match(await focused(), /^malloc, 15/);
  await press("n");
  assert.match(await focused(), /^malloc, 10/);
  await press("Escape", "i");
  assert.equal(await page.locator("#callers").getAttribute("aria-pressed"), "true");

  // No trap: Tab goes on to the table, and only one frame is a stop.
  assert.equal(await page.locator("#graph [tabindex='0']").count(), 1);
  await press("Tab", "Tab");
  assert.ok(await page.evaluate(() => document.querySelector("#table-pane").contains(document.activeElement)));
  // The focus can be seen.
  await press("Shift+Tab", "Shift+Tab");
  assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "solid");
});
END
