# Callers: below the root are the functions that values are of, the largest first, below each who called it.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"

flame_graph_from_text flame.html --unit=count before.folded
in_browser << 'END'
await inPage("flame.html", {}, async ({ page, frames, frame }) => {
  await page.getByRole("button", { name: "Callers" }).click();
  assert.deepEqual((await frames()).map((each) => each.replace(/, .*, /, " ")), ["all 100",
    "render 40", "serve 40", "main 40", "parse 30", "serve 30", "main 30",
    "malloc 25", "render 15", "serve 15", "main 15", "parse 10", "serve 10", "main 10", "idle 5", "main 5"]);
  await page.fill("#search", "parse");
  assert.equal(await page.locator("#found").textContent(), "2 frames, 40.0\u202f% of the whole");
  await frame("malloc").click();
  assert.equal(await page.locator("#path [aria-current]").textContent(), "malloc");
  await page.getByRole("button", { name: "Callees" }).click();
  assert.equal((await frames()).length, 8);
  assert.equal(await page.locator("#path [aria-current]").textContent(), "all");
});
END
