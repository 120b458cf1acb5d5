# A click makes a frame as wide as the graph; its callers stay above it and lead back. The panel has its figures.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"

flame_graph_from_text flame.html --unit=count before.folded
in_browser << 'END'
await inPage("flame.html", {}, async ({ page, frame, frames, part }) => {
  assert.deepEqual(await frames(), ["all, 100.0\u202f%, 100", "main, 100.0\u202f%, 100", "idle, 5.00\u202f%, 5",
    "serve, 95.0\u202f%, 95", "parse, 40.0\u202f%, 40", "malloc, 10.0\u202f%, 10", "render, 55.0\u202f%, 55",
    "malloc, 15.0\u202f%, 15"]);
  assert.ok(Math.abs(await part(frame("parse")) - 0.4) < 0.01);

  await frame("parse").click();
  assert.deepEqual((await frames()).map((each) => each.split(",")[0]), ["all", "main", "serve", "parse", "malloc"]);
  assert.ok(await part(frame("parse")) > 0.99);
  assert.ok(Math.abs(await part(frame("malloc")) - 0.25) < 0.01);
  assert.equal(await page.locator("#path [aria-current]").textContent(), "parse");
  assert.deepEqual(await page.locator("#details tbody tr").allTextContents(),
    ["Total4040.0\u202f%100.0\u202f%40 cpu", "Self3030.0\u202f%75.0\u202f%30 cpu"]);

  await page.getByRole("button", { name: "serve", exact: true }).first().click();
  assert.equal(await page.locator("#path [aria-current]").textContent(), "serve");
  await page.getByRole("button", { name: "Reset zoom" }).click();
  assert.equal((await frames()).length, 8);

  // A row of the table shows its function's widest frame.
  await page.getByRole("button", { name: "malloc" }).click();
  assert.match(await page.locator("#graph [aria-selected]").getAttribute("aria-label"), /^malloc, 15/);
});
END
