# A comparison shows by colour, by a sign and in words what grew and what shrank; what is noise has no colour, and the
# table can leave it out.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"

flame_graph_from_text diff.html --mark=render:1:0.003 --mark=parse:2:0.4 --mark=compress:4:0.02 before.folded after.folded
: > nothing.folded
flame_graph_from_text gone.html before.folded nothing.folded
in_browser << 'END'
// A side without a value cannot give the widths.
await inPage("gone.html", {}, async ({ page, frame, part }) => {
  assert.deepEqual(await page.locator("#width option").allTextContents().then((all) => all.map((each) => each.trim())),
    ["both sides", "before"]);
  await page.selectOption("#width", "before");
  assert.ok(Math.abs(await part(frame("render")) - 0.55) < 0.01);
});
await inPage("diff.html", {}, async ({ page, frame, rows, part }) => {
  const classes = (name) => frame(name).getAttribute("class");
  assert.match(await classes("render"), /\bgrew3\b/);
  assert.match(await classes("parse"), /\bsame\b/);
  assert.match(await classes("compress"), /\bgrew3 sampling\b/);
  assert.match(await classes("idle"), /\bsame\b/);
  assert.equal(await frame("render").getAttribute("data-label"), "▲ render  +7.00");
  assert.equal(await frame("render").getAttribute("aria-label"),
    "render, grew: 55.0\u202f% before, 62.0\u202f% after, +7.00, changed");

  // Widths: of both sides, so that what is new or gone can be seen, or of one.
  assert.ok(Math.abs(await part(frame("render")) - 0.585) < 0.01);
  await page.selectOption("#width", "before");
  assert.ok(Math.abs(await part(frame("render")) - 0.55) < 0.01);
  assert.equal(await frame("compress").count(), 0);
  await page.selectOption("#width", "after");
  assert.ok(Math.abs(await part(frame("compress")) - 0.03) < 0.01);

  assert.deepEqual((await rows()).slice(0, 3), [
    ["parse", "30.0\u202f%", "20.0\u202f%", "−10.0, −10.1 to −9.90", "noise, q = 0.40"],
    ["render", "40.0\u202f%", "47.0\u202f%", "▲ +7.00, +6.90 to +7.10", "changed, q = 0.0030"],
    ["compress", "0.0\u202f%", "3.00\u202f%", "▲ +3.00, +2.90 to +3.10", "sampling only, q = 0.020"]]);
  await page.getByLabel("Hide noise").check();
  assert.equal((await rows())[0][0], "render");
  await page.getByRole("button", { name: "Cumulative" }).click();
  assert.deepEqual((await rows()).find((row) => row[0] === "render").slice(1, 3), ["55.0\u202f%", "62.0\u202f%"]);
  await page.getByRole("button", { name: "Certainty" }).click();
  assert.equal((await rows())[0][0], "render");
  await page.getByRole("button", { name: "Function" }).click();
  // Certainties are of functions, not of who calls them.
  await page.getByRole("button", { name: "Callers" }).click();
  assert.match(await frame("render").getAttribute("aria-label"), /, changed$/);
  const parse = page.locator("#graph [aria-label^='parse,'][aria-level='2']");
  assert.match(await parse.getAttribute("aria-label"), /, within noise$/);
  const callers = await page.locator("#graph [aria-level='3']").all();
  assert.ok(callers.length >= 4);
  for (const caller of callers) assert.match(await caller.getAttribute("aria-label"), /, [−+±][\d.]+$/);
  await page.getByRole("button", { name: "Callees" }).click();
  assert.deepEqual((await rows()).map((row) => row[0]), ["compress", "idle", "main", "malloc", "render", "serve"]);
  assert.equal(await page.locator("th[aria-sort]").getAttribute("aria-sort"), "ascending");
});
END
