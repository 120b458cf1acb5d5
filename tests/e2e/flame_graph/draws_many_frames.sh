# 50 000 frames: the page stays usable, because only what is a pixel wide is drawn; and a page of a large program with
# the default bounds is below 1 MB, and the same for stacks in any order.
. "$(dirname "$0")/../prelude.sh"
. "$here/browser_prelude.sh"
need python3

# A tree of 120 000 calls, names as long as in C++, sizes as in real programs: few large, many small.
python3 - "$(seed 1)" > many.folded << 'END'
import random, sys
random.seed(int(sys.argv[1]))
names = [f"app::{random.choice(['net', 'db', 'json', 'cache'])}::Handler{i}::process(std::vector<int, std::allocator<int>> const&)"
         for i in range(4000)]
stacks = [[f"lib{random.randrange(9)}.so`main"]]
while len(stacks) < 120000:
    parent = random.choice(stacks[-2000:] if random.random() < .5 else stacks)
    if len(parent) < 60:
        stacks.append(parent + ["server`" + random.choice(names)])
for stack in stacks:
    print(";".join(stack), int(1000 * random.paretovariate(1.05)))
END
flame_graph_from_text typical.html many.folded
flame_graph_from_text all.html --min-share=0 --max-nodes=200000 many.folded
tac many.folded > reversed.folded
flame_graph_from_text again.html reversed.folded
cmp typical.html again.html || fail "the order of stacks, or the process, reaches the page"
echo "typical: $(stat -c %s typical.html) bytes, all: $(stat -c %s all.html) bytes"
[ "$(stat -c %s typical.html)" -lt 1000000 ] || fail "typical.html is $(stat -c %s typical.html) bytes"
in_browser << 'END'
import { performance } from "node:perf_hooks";
await inPage("all.html", {}, async ({ page, frames }) => {
  const nodes = await page.evaluate(() => JSON.parse(document.querySelector("#data").textContent).nodes.frame.length);
  assert.ok(nodes > 50000, `${nodes} nodes`);
  const drawn = (await frames()).length;
  assert.ok(drawn < 15000, `${drawn} frames drawn`);
  const timed = async (what, act) => {
    const begin = performance.now();
    await act();
    const seconds = (performance.now() - begin) / 1000;
    console.log(`${what}: ${seconds.toFixed(2)} s, ${(await frames()).length} of ${nodes} frames drawn`);
    // Generous: what freezes takes minutes, and the machine may be busy.
    assert.ok(seconds < 30, what);
  };
  // One with a label: the middle of a frame of two pixels may belong to its neighbour.
  await timed("zoom", () => page.locator("#graph [role=treeitem]:not(.tight)").nth(3).click());
  await timed("reset", () => page.getByRole("button", { name: "Reset zoom" }).click());
  await timed("search", () => page.fill("#search", "Handler7"));
  await timed("callers", () => page.getByRole("button", { name: "Callers" }).click());
  const merged = /Callers: frames below .* are merged into/;
  assert.match(await page.locator("#notes").textContent(), merged);
  await page.getByRole("button", { name: "Callees" }).click();
  assert.doesNotMatch(await page.locator("#notes").textContent(), merged);
});
END
