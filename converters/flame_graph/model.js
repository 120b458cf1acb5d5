// The data of the page: the tree in typed arrays, its inversion, search, and numbers as text. Knows no element.
// A tree is {count, frame, parent, end, depth, self: [of each side], total: [of each side]}: nodes in preorder, and
// those below node i are i + 1 to end[i] - 1.

const MARKS = ["", "changed", "within noise", "too small to tell", "beyond sampling error"];
const SHORT_MARKS = ["", "changed", "noise", "thin", "sampling only"];
const MARK = { none: 0, changed: 1, noise: 2, thin: 3, samplingOnly: 4 };
const ROOT = 0, OTHER = 1;  // frames

function readModel(text) {
  const data = JSON.parse(text);
  const names = [];
  for (let i = 0; i < data.names.length; i += 2)
    names.push((names[names.length - 1] || "").slice(0, data.names[i]) + data.names[i + 1]);
  const model = {
    ...data,
    names,
    isComparison: data.sides.length === 2,
    wholes: data.sides.map((side) => side[1]),
    moduleOf: (frame) => data.modules[data.frames.module[frame]],
    fileOf: (frame) => data.files[data.frames.file[frame]],
  };
  model.tree = readTree(data.nodes, data.sides.length);
  model.rows = readRows(data);
  return model;
}

function readTree(nodes, sides) {
  const depth = new Uint32Array(nodes.frame.length);
  for (let i = 1; i < depth.length; i++) depth[i] = depth[i - 1] + 1 - nodes.up[i];
  const self = nodes.self.slice(0, sides).map((values) => Float64Array.from(values));
  return finishTree(Uint32Array.from(nodes.frame), depth, self);
}

// Parents, ends and totals follow from the depths of nodes in preorder.
function finishTree(frame, depth, self) {
  const count = frame.length;
  const parent = new Int32Array(count).fill(-1);
  const end = new Uint32Array(count);
  const path = [];
  for (let i = 0; i < count; i++) {
    for (; path.length > depth[i]; path.pop()) end[path[path.length - 1]] = i;
    if (path.length > 0) parent[i] = path[path.length - 1];
    path.push(i);
  }
  for (const node of path) end[node] = count;
  const total = self.map((values) => Float64Array.from(values));
  for (const values of total)
    for (let i = count - 1; i > 0; i--) values[parent[i]] += values[i];
  return { count, frame, parent, end, depth, self, total };
}

function readRows(data) {
  const certainty = (columns, i) => columns && {
    mark: Number(columns.mark[i]),
    q: columns.q[i],
    low: columns.low ? columns.low[i] : null,
    high: columns.high ? columns.high[i] : null,
  };
  return data.functions.frame.map((frame, i) => ({
    frame,
    flat: data.functions.flat.map((values) => values[i]),
    cumulative: data.functions.cumulative.map((values) => values[i]),
    team: data.functions.team ? data.functions.teams[data.functions.team[i]] : "",
    certainty: {
      flat: certainty(data.flatCertainty, i),
      cumulative: certainty(data.cumulativeCertainty, i),
    },
  }));
}

// Leaf first: below the root are the functions that values are of, below each its callers; the largest first. Each node
// has as many callers as it is deep, and recursion makes all of them differ; so what is small is merged into "(other)",
// as in the tree itself, until at most `most` nodes are left. `minShare` of the result is the limit that did it.
// Takes O(nodes * depth) time and O(nodes + most) memory.
const MOST_INVERTED = 50000;
function invertTree(tree, wholes, minShare, most = MOST_INVERTED) {
  for (let share = Math.max(minShare, 1e-9);; share *= 2) {
    const inverted = growInverted(tree, wholes, share, most);
    if (inverted) return inverted;
  }
}

// Null when there would be more nodes than that.
function growInverted(tree, wholes, minShare, most) {
  const frames = [], depths = [], selfs = tree.self.map(() => []);
  // How far each node with a value has come on its way to the root.
  const at = Int32Array.from(tree.frame, (_, node) => node);
  const isValue = (node) => node > 0 && tree.self.some((values) => values[node] > 0);
  const root = { frame: ROOT, self: tree.self.map((values) => values[0]), nodes: at.filter(isValue) };
  const waiting = [[root, 0]];
  let isMerged = false;
  while (waiting.length > 0) {
    const [group, depth] = waiting.pop();
    if (frames.length === most) return null;
    frames.push(group.frame);
    depths.push(depth);
    group.self.forEach((value, side) => selfs[side].push(value));
    const callers = callersOf(tree, wholes, group.nodes, at, minShare);
    isMerged ||= callers.isMerged;
    for (const caller of callers.groups) waiting.push([caller, depth + 1]);
  }
  const inverted = finishTree(Uint32Array.from(frames), Uint32Array.from(depths),
    selfs.map((values) => Float64Array.from(values)));
  // Its "self" is what has no further caller.
  return { ...inverted, isInverted: true, minShare, isMerged };
}

// The frames that `nodes` are at, the smallest first: {frame, self: of those without a caller, nodes: the others}. The
// others move on to their callers.
function callersOf(tree, wholes, nodes, at, minShare) {
  const zeros = () => tree.self.map(() => 0);
  const add = (sum, values) => values.forEach((value, side) => sum[side] += value);
  const groups = new Map();
  for (const node of nodes) {
    const frame = tree.frame[at[node]];
    if (!groups.has(frame)) groups.set(frame, { frame, self: zeros(), total: zeros(), nodes: [] });
    const group = groups.get(frame);
    group.nodes.push(node);
    add(group.total, tree.self.map((values) => values[node]));
  }
  const shares = (group) => group.total.map((value, side) => value / Math.max(wholes[side], 1));
  const small = [...groups.values()].filter((group) => Math.max(...shares(group)) < minShare);
  for (const group of small) groups.delete(group.frame);
  for (const group of groups.values()) {
    const ends = group.nodes.filter((node) => tree.parent[at[node]] === 0);
    for (const node of ends) add(group.self, tree.self.map((values) => values[node]));
    group.nodes = group.nodes.filter((node) => tree.parent[at[node]] !== 0);
    for (const node of group.nodes) at[node] = tree.parent[at[node]];
  }
  if (small.length > 0) {
    const other = groups.get(OTHER) || { frame: OTHER, self: zeros(), total: zeros(), nodes: [] };
    groups.set(OTHER, other);
    for (const { total } of small) {
      add(other.self, total);
      add(other.total, total);
    }
  }
  const size = (group) => shares(group).reduce((sum, share) => sum + share);
  const sorted = [...groups.values()].sort((a, b) => size(a) - size(b) || b.frame - a.frame);
  return { groups: sorted, isMerged: small.length > 0 };
}

// Of the inverted tree: what is certain of the flat values of a function. Which callers changed, it does not say. Or
// null.
function invertCertainty(model, tree) {
  if (!model.flatCertainty) return null;
  const known = new Map(model.rows.map((row) => [row.frame, row.certainty.flat]));
  const columns = { q: [], low: [], high: [] };
  const marks = [], nothing = { mark: MARK.none, q: null, low: null, high: null };
  for (let i = 0; i < tree.count; i++) {
    const certainty = tree.depth[i] === 1 && known.get(tree.frame[i]) || nothing;
    marks.push(certainty.mark);
    for (const key of ["q", "low", "high"]) columns[key].push(certainty[key]);
  }
  return { ...columns, mark: marks.join("") };
}

// How wide each node is, as a part of the whole: of one side, or of both on average, so that neither what came
// nor what went is missing.
function widthsOf(tree, wholes, sides) {
  const widths = new Float64Array(tree.count);
  for (const side of sides)
    for (let i = 0; i < tree.count; i++)
      widths[i] += tree.total[side][i] / Math.max(wholes[side], 1) / sides.length;
  return widths;
}

// A function of (name, module) that says whether it is looked for; null when nothing is. Throws SyntaxError for a
// regular expression that is none.
function matcherOf(text) {
  const wanted = text.trim();
  if (wanted === "") return null;
  if (wanted.length > 2 && wanted.startsWith("/") && wanted.endsWith("/")) {
    const expression = new RegExp(wanted.slice(1, -1), "i");
    return (name, module) => expression.test(name) || expression.test(module);
  }
  const lower = wanted.toLowerCase();
  return (name, module) => name.toLowerCase().includes(lower) || module.toLowerCase().includes(lower);
}

// Which frames match, how many nodes of the tree that is, and what they have of each side. A match within a match
// counts as a frame, but its values are in the outer one's.
function searchTree(model, tree, matcher) {
  const frames = new Uint8Array(model.names.length);
  let functions = 0;
  for (let i = OTHER + 1; i < frames.length; i++) {
    frames[i] = matcher(model.names[i], model.moduleOf(i)) ? 1 : 0;
    functions += frames[i];
  }
  const values = tree.total.map(() => 0);
  let nodes = 0, covered = 0;
  for (let i = 1; i < tree.count; i++) {
    if (!frames[tree.frame[i]]) continue;
    nodes++;
    if (i < covered) continue;
    covered = tree.end[i];
    for (let side = 0; side < values.length; side++) values[side] += tree.total[side][i];
  }
  return { frames, functions, nodes, values };
}

// Numbers

// [size, name, from how many on]
const TIMES = [[3600e9, "h", 2], [60e9, "min", 2], [1e9, "s", 1], [1e6, "ms", 1], [1e3, "µs", 1], [1, "ns", 0]];
const SIZES = [[1e12, "TB", 1], [1e9, "GB", 1], [1e6, "MB", 1], [1e3, "kB", 1], [1, "bytes", 0]];
const TIME_UNITS = { nanoseconds: 1, ns: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };

function countText(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

function inUnits(value, units) {
  let at = 0;
  while (at + 1 < units.length && Math.abs(value) < 0.9995 * units[at][0] * units[at][2]) at++;
  const shown = value / units[at][0];
  const text = at + 1 === units.length ? amountText(shown) : shown.toFixed(Math.abs(shown) < 9.995 ? 2 : 1);
  return text + "\u202f" + units[at][1];
}

// Whole numbers with all digits, others, which are costs of one unit, with four.
function amountText(amount) {
  if (!Number.isInteger(amount) && Math.abs(amount) < 9999.5)
    return String(Number(amount.toPrecision(4))).replace(/^-/, "−");
  return (amount < 0 ? "−" : "") + countText(Math.abs(amount));
}

function shareText(share) {
  const size = Math.abs(100 * share);
  const decimals = size === 0 || size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.0009995 ? 3 : 5;
  return (100 * share).toFixed(decimals) + "\u202f%";
}

function unitName(model) {
  return model.unit === "count" ? model.type : model.unit;
}

function valueText(model, value) {
  if (model.inShares) return shareText(value / 1e12);
  const amount = value * model.valueSize;
  if (Object.hasOwn(TIME_UNITS, model.unit)) return inUnits(amount * TIME_UNITS[model.unit], TIMES);
  if (model.unit === "bytes") return inUnits(amount, SIZES);
  return amountText(amount);
}

// With its unit and all digits, as far as a number here has them.
function exactText(model, value) {
  if (model.inShares) return (value / 1e10).toFixed(4) + "\u202f%";
  if (model.per) {
    const amount = Number((value * model.valueSize).toPrecision(6));
    return `${amountText(amount)} ${unitName(model)} per ${model.per}`;
  }
  const size = Math.abs(value), isExact = size <= Number.MAX_SAFE_INTEGER;
  const digits = countText(isExact ? size : Number(size.toPrecision(15)));
  return (isExact ? "" : "about ") + (value < 0 ? "−" : "") + digits + " " + unitName(model);
}

// A difference, with its sign. Of shares it is in points.
function changeText(model, change) {
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±";
  if (!model.inShares) return sign + valueText(model, Math.abs(change));
  const points = Math.abs(change / 1e10);
  return points < 0.0005 ? "±0.000" : sign + points.toFixed(points >= 9.995 ? 1 : points >= 0.0995 ? 2 : 3);
}

// How much of `before` the difference is; "" when both are 0.
function relativeText(before, after) {
  if (before <= 0) return after > 0 ? "new" : "";
  const percent = (after / before - 1) * 100, digits = Math.abs(percent).toFixed(1);
  return (digits === "0.0" ? "" : percent < 0 ? "−" : "+") + digits + "\u202f%";
}

// Steps of 0.05, 0.25 and 1 % of the whole, as change_step() of flame_text.h has them.
function changeStep(model, before, after) {
  const change = (after - before) / Math.max(...model.wholes, 1);
  const size = Math.abs(change);
  const step = size >= 0.01 ? 3 : size >= 0.0025 ? 2 : size >= 0.0005 ? 1 : 0;
  return change < 0 ? -step : step;
}

function probabilityText(q) {
  return q === null ? "" : q < 0.001 ? "q < 0.001" : `q = ${q.toPrecision(2)}`;
}

// The last slash of a package of Go, or -1. In C++ a slash is an operator, or in the path of a file.
function packageSlash(name) {
  const path = name.match(/^(?:(?!::)[^(<[{\s])*/)[0];
  return /^operator\/=?$/.test(path) || path.endsWith("/") ? -1 : path.lastIndexOf("/");
}

// Shorter forms of a name, for narrow frames: without arguments, without those of templates, the last part.
function shorterNames(name) {
  const forms = [name];
  let text = name.replace(/ \[clone [^\]]*\]$/, "");
  const last = text.match(/^(.+?)\)( const)?( ?&{1,2})?$/);
  if (last && packageSlash(text) < 0) {
    let level = 0, at = last[1].length;
    for (; at >= 0; at--) {
      if (text[at] === ")") level++;
      if (text[at] === "(" && --level === 0) break;
    }
    if (at > 0 && !/operator$/.test(text.slice(0, at)) && text.slice(at) !== "(anonymous namespace)")
      forms.push(text = text.slice(0, at));
  }
  if (!text.includes("operator")) {
    let level = 0, short = "";
    for (const c of text) {
      if (c === "<" && level++ === 0) short += "<…>";
      if (level === 0) short += c;
      if (c === ">" && level > 0) level--;
    }
    if (level === 0 && short !== text) forms.push(text = short);
  }
  // Go keeps its package: "http.(*conn).serve". In C++ the class stays as long as there is room.
  if (packageSlash(text) >= 0) {
    forms.push(text.slice(packageSlash(text) + 1));
  } else if (!text.includes("operator")) {
    const parts = text.replaceAll("(anonymous namespace)::", "").replace(/^.* (?=\S+$)/, "").split("::");
    for (const last of [2, 1])
      if (forms.at(-1) !== parts.slice(-last).join("::")) forms.push(parts.slice(-last).join("::"));
  }
  return forms.filter((form, i) => i === 0 || form !== "");
}
