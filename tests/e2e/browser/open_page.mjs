// Opens a page in the installed browser for a test:
//
//   await inPage("flame.html", { width: 400, scheme: "dark" }, async ({ page, frame }) => {
//     await frame("parse").click();
//   });
//
// The test fails when the page throws, writes to the console, or asks for anything but itself.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { chromium } from "playwright-core";

export { assert };

export async function inPage(file, { width = 1280, height = 800, scheme = "light" }, act) {
  const browser = await chromium.launch({
    executablePath: process.env.BROWSER,
    // Tests may run as root in a container.
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, bypassCSP: true });
  const page = await context.newPage();
  const url = "file://" + resolve(file);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) complaints.push(`asks for ${request.url()}`);
  });
  await page.goto(url);
  try {
    await act({ page, ...parts(page) });
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
}

// The parts of a flame graph.
function parts(page) {
  return {
    // The first drawn frame of this function.
    frame: (name) => page.locator(`#graph [role=treeitem][aria-label^="${name},"]`).first(),
    // [what a screen reader says…] of all drawn frames, in the order of the tree.
    frames: () => page.locator("#graph [role=treeitem]").evaluateAll(
      (all) => all.map((each) => each.getAttribute("aria-label"))),
    // What the element that has the focus is called.
    focused: () => page.evaluate(() => document.activeElement.getAttribute("aria-label")),
    // How wide a frame is drawn, as a part of the graph.
    part: async (locator) => {
      const [frame, graph] = [await locator.boundingBox(), await page.locator("#graph").boundingBox()];
      return frame.width / graph.width;
    },
    rows: () => page.locator(".functions tbody tr").evaluateAll(
      (all) => all.map((row) => [...row.cells].map(
        (cell) => cell.querySelector("button")?.textContent ?? cell.innerText.replace("\n", ", ")))),
  };
}

// The faults that axe finds, as [rule: element…].
export async function accessibilityFaults(page) {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map((fault) => `${fault.id}: ${fault.nodes.map((node) => node.html).join(" ").slice(0, 500)}`);
  });
}
