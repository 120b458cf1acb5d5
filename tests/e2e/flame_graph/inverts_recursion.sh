# Callers of deep recursion: as many nodes as frames times depth are never made; what is merged for that is in
# "(other)", and nothing is lost. No browser is needed.
. "$(dirname "$0")/../prelude.sh"
need node

cat > test.mjs << 'EOF'
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
const { finishTree, invertTree } =
  new Function(readFileSync(process.argv[2], "utf8") + "; return { finishTree, invertTree };")();

// Functions that call each other in no order, each chain with its own; a value in each frame, few large ones.
function chains(count, depth) {
  const frames = [0], depths = [0], self = [0];
  let random = 1;
  for (let chain = 0; chain < count; chain++)
    for (let i = 1; i <= depth; i++) {
      random = (random * 48271) % 2147483647;
      frames.push(2 + 40 * chain + random % 40);
      depths.push(i);
      self.push(Math.ceil(1e10 / random));
    }
  return finishTree(Uint32Array.from(frames), Uint32Array.from(depths), [Float64Array.from(self)]);
}

for (const [count, depth, most] of [[3, 300, 50000], [3, 300, 1000], [100, 500, 50000]]) {
  const tree = chains(count, depth);
  const wholes = [tree.total[0][0]];
  const inverted = invertTree(tree, wholes, 1e-9, most);
  console.log(`${tree.count} frames: ${inverted.count} callers, below ${inverted.minShare} merged`);
  assert.ok(inverted.count <= most && inverted.count > most / 10, `${inverted.count} of ${most}`);
  assert.ok(inverted.isMerged);
  assert.equal(inverted.total[0][0], wholes[0]);
  const isOther = (node) => inverted.frame[node] === 1;
  for (let i = 1; i < inverted.count; i++)
    assert.ok(isOther(i) || inverted.total[0][i] >= inverted.minShare * wholes[0]);
  assert.ok([...inverted.frame].some((frame) => frame === 1));
}

// What is small enough is whole.
const small = chains(3, 20);
const inverted = invertTree(small, [small.total[0][0]], 1e-9);
assert.equal(inverted.isMerged, false);
assert.ok(!inverted.frame.includes(1));
EOF
node --max-old-space-size=200 test.mjs "$here/../../converters/flame_graph/model.js"
