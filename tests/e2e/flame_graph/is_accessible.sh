# axe finds no fault, in light and dark, on wide and narrow screens, the labels of frames can be read on their colours,
# and the page is not wider than the screen.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"

flame_graph_from_text flame.html before.folded
flame_graph_from_text diff.html --mark=render:1:0.003 --mark=parse:2:0.4 --mark=compress:4:0.02 before.folded after.folded
in_browser << 'END'
// Labels are drawn by the style, which axe does not look at: (lighter + .05) / (darker + .05) of each.
const labelContrasts = (page) => page.locator("#graph [data-label]").evaluateAll((frames) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const panel = getComputedStyle(document.querySelector("#graph-pane")).backgroundColor;
  const luminance = (...colors) => {
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return frames.map((frame) => {
    const style = getComputedStyle(frame);
    const light = [luminance(panel, style.backgroundColor), luminance(style.color)].sort((a, b) => b - a);
    return (light[0] + 0.05) / (light[1] + 0.05);
  });
});
for (const file of ["flame.html", "diff.html"])
  for (const scheme of ["light", "dark"])
    for (const width of [1280, 400])
      await inPage(file, { width, scheme }, async ({ page, frame }) => {
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${file} at ${width}`);
        const dark = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        assert.equal(dark, scheme === "dark" ? "rgb(21, 23, 26)" : "rgb(251, 250, 248)");
        // Each state once: as it opens, searched and zoomed, from the callers' side.
        if (scheme === "dark") await page.getByRole("button", { name: "Callers" }).click();
        if (width === 400) {
          await page.fill("#search", "malloc");
          await frame("render").click();
        }
        assert.deepEqual(await accessibilityFaults(page), [], `${file}, ${scheme}, ${width}`);
        assert.deepEqual((await labelContrasts(page)).filter((contrast) => contrast < 4.5), []);
      });
// The switch overrides the system.
await inPage("flame.html", { scheme: "light" }, async ({ page }) => {
  await page.getByRole("button", { name: "Theme: auto" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(21, 23, 26)");
  assert.deepEqual(await accessibilityFaults(page), []);
});
END
