# Numbers of the page have the unit of the profile, and no digit that is not known. No browser is needed.
. "$(dirname "$0")/../prelude.sh"
need node

cat > test.mjs << 'END'
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
const { valueText, exactText, changeText, probabilityText, relativeText } = new Function(
  readFileSync(process.argv[2], "utf8") + "; return { valueText, exactText, changeText, probabilityText, relativeText };")();
const plain = (text) => text.replaceAll("\u202f", " ");
const cpu = { type: "cpu", unit: "nanoseconds", valueSize: 1 };
assert.equal(plain(valueText(cpu, 12345)), "12.3 µs");
// What every object has is no unit.
for (const unit of ["toString", "constructor", "__proto__"])
  assert.equal(plain(valueText({ type: "x", unit, valueSize: 1 }, 1234)), "1 234");

// Costs of a unit of work may be small parts of a unit.
const cost = { ...cpu, valueSize: 2.8e-9, per: "unit of work" };
assert.equal(plain(valueText(cost, 1e12)), "2.80 µs");
assert.equal(plain(valueText(cost, 5e9)), "14 ns");
assert.equal(plain(valueText(cost, 123456789)), "0.3457 ns");
assert.equal(plain(exactText(cost, 1e12)), "2 800 nanoseconds per unit of work");
const samples = { type: "samples", unit: "count", valueSize: 3e-14, per: "unit of work" };
assert.equal(plain(valueText(samples, 1e12)), "0.03");
assert.equal(plain(changeText(samples, -5e11)), "−0.015");
assert.equal(plain(exactText(samples, 1e12)), "0.03 samples per unit of work");

assert.equal(plain(exactText(cpu, 9007199254740991)), "9 007 199 254 740 991 nanoseconds");
assert.equal(plain(exactText(cpu, 1234567890123456789)), "about 1 234 567 890 123 460 000 nanoseconds");
assert.equal(plain(exactText(cpu, -9223372036854775808)), "about −9 223 372 036 854 780 000 nanoseconds");
assert.equal(probabilityText(0.000001), "q < 0.001");
assert.equal(probabilityText(0.02), "q = 0.020");
assert.equal(plain(relativeText(1000, 1250)), "+25.0 %");
assert.equal(plain(relativeText(1000, 0)), "−100.0 %");
// Nothing that is shown grew or shrank.
for (const after of [10001, 10000, 9999]) assert.equal(plain(relativeText(10000, after)), "0.0 %");
assert.deepEqual([relativeText(0, 5), relativeText(0, 0)], ["new", ""]);
END
node test.mjs "$here/../../converters/flame_graph/model.js"
