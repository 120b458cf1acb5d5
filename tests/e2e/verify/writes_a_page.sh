# The page of a verdict has the functions that grew, and costs per unit of work with their intervals, as the text has
# them; axe finds no fault.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"

mkdir before after
for n in 1 2 3 4 5; do
  printf 'main;parse %d\nmain;get %d\nmain;put %d\n' $((6000 + n)) $((9000 - 2 * n)) $((9000 + 3 * n)) > before/host$n.folded
  printf 'main;parse %d\nmain;get %d\nmain;put %d\n' $((6000 + n)) $((15000 - 2 * n)) $((6000 + 3 * n)) > after/host$n.folded
done
for output in "-o verify.html" ""; do
  status=0
  "$pgo" verify before after --units-before 50000 --units-after 50000 $output > printed 2> said || status=$?
  [ $status -eq 1 ] || { cat said; fail "exit code $status"; }
done
grep -q '^ *0.8994  1.4994  *+66.7 % .* get$' printed || { cat printed; fail "the text has other figures"; }
in_browser << 'END'
for (const width of [1280, 400])
  await inPage("verify.html", { width }, async ({ page, frame, rows }) => {
    const cells = (row) => row.locator("th, td").allTextContents();
    assert.deepEqual(await page.locator("#tables h2").allTextContents(), ["Functions that grew by more than their limit"]);
    const [head, grown] = await page.locator("#tables tr").all();
    assert.deepEqual(await cells(head), ["Before", "After", "Growth", "95 % interval", "P", "Grown function"]);
    const [before, after, growth, interval, , name] = await cells(grown);
    assert.deepEqual([before, after, growth, name], ["0.8994", "1.4994", "+66.7 %", "get"]);
    assert.match(interval, /^[\d.]+ % to [\d.]+ % more$/);

    // All functions, and the frames, in the same unit.
    assert.match(await frame("get").getAttribute("aria-label"), /^get, grew: 0\.8994 before, 1\.499 after, \+0\.6/);
    const lines = await rows();
    assert.deepEqual(lines[0].slice(0, 3), ["get", "0.8994", "1.499"]);
    assert.match(lines[0][3], /^▲ \+0\.6, \+0\.\d+ to \+0\.\d+$/);
    assert.deepEqual(lines[1].slice(0, 3), ["put", "0.9009", "0.6009"]);
    assert.match(lines[1][3], /^▼ −0\.3, −0\.\d+ to −0\.\d+$/);
    assert.match(await page.locator("#facts").innerText(), /after samples per unit of work/);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await accessibilityFaults(page), []);
  });
END
