// Connects the parts of the page: graph, table, search, details, theme.

function byId(id) {
  return document.getElementById(id);
}

// An element; `text` is never markup.
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

const model = readModel(byId("data").textContent);
let tree = model.tree;
let inverted = null, invertedCertainty = null;  // the other direction, once it was asked for
let found = null;

const graph = new Graph(byId("graph"), model, {
  choose: (node) => {
    graph.on.point(node);
    table.setChosen(tree.frame[node]);
  },
  point: (node) => showDetails(byId("details"), graph, node),
  zoom: () => drawPath(),
  search: () => byId("search").focus(),
  invert: () => setDirection(tree === model.tree),
});
const table = new FunctionTable(byId("table"), byId("table-count"), model, {
  choose: (frame) => chooseFunction(frame),
});

function say(text) {
  byId("said").textContent = text;
}

// The zoomed frame and what it was called from.
function drawPath() {
  const nodes = [];
  for (let at = graph.root; at >= 0; at = tree.parent[at]) nodes.unshift(at);
  const shown = nodes.length > 6 ? [nodes[0], -1, ...nodes.slice(-4)] : nodes;
  const parts = shown.flatMap((node, i) => {
    const between = i === 0 ? [] : [make("span", "", "›")];
    if (node < 0) return [...between, make("span", "", "…")];
    const forms = shorterNames(model.names[tree.frame[node]]);
    if (node === graph.root) {
      const here = make("span", "", forms[0]);
      here.setAttribute("aria-current", "true");
      return [...between, here];
    }
    const button = make("button", "", forms[forms.length - 1]);
    button.type = "button";
    button.title = forms[0];
    button.addEventListener("click", () => {
      graph.zoom(node);
      graph.focus(node);
    });
    return [...between, button];
  });
  byId("path").replaceChildren(...parts);
  byId("reset").disabled = graph.root === 0;
}

function setDirection(toCallers) {
  if (toCallers && !inverted) {
    inverted = invertTree(model.tree, model.wholes, model.minShare);
    invertedCertainty = invertCertainty(model, inverted);
  }
  tree = toCallers ? inverted : model.tree;
  byId("callers").setAttribute("aria-pressed", String(toCallers));
  byId("callees").setAttribute("aria-pressed", String(!toCallers));
  graph.found = null;
  graph.show(tree, toCallers ? invertedCertainty : model.certainty);
  drawPath();
  graph.on.choose(0);
  drawNotes();
  search();
  say(toCallers ? "Callers: leaf first" : "Callees: root first");
}

function search() {
  const field = byId("search");
  let matcher = null;
  field.removeAttribute("aria-invalid");
  try {
    matcher = matcherOf(field.value);
  } catch (error) {
    field.setAttribute("aria-invalid", "true");
    byId("found").textContent = "Not a regular expression";
    return;
  }
  found = matcher && searchTree(model, tree, matcher);
  graph.setFound(found);
  table.setMatches(found && found.frames);
  byId("found").textContent = found ? foundText() : "";
}

function foundText() {
  if (found.nodes === 0) return found.functions === 0 ? "No match" : "Only in “(other)” frames or the table";
  const shares = found.values.map((value, side) => shareText(value / Math.max(model.wholes[side], 1)));
  const frames = found.nodes === 1 ? "1 frame" : `${countText(found.nodes)} frames`;
  return `${frames}, ${shares.join(" → ")} of the whole`;
}

// Of a function's frames, the widest is shown.
function chooseFunction(frame) {
  let widest = -1;
  for (let i = 0; i < tree.count; i++)
    if (tree.frame[i] === frame && (widest < 0 || graph.widths[i] > graph.widths[widest])) widest = i;
  if (widest < 0 || !(graph.widths[widest] > 0)) {
    say(`${model.names[frame]} is not in the graph: its frames are in (other)`);
    byId("details").replaceChildren(make("h2", "", model.names[frame]),
      make("p", "where", "Not in this graph: its frames are small and merged into “(other)”."));
    return;
  }
  graph.reveal(widest);
  say(`Shown: ${graph.spoken(widest)}`);
}

function drawFacts() {
  const per = model.per ? `per ${model.per}` : "";
  const totals = model.inShares ? [] : model.sides.map(([name, whole]) =>
    [[name, model.type, per].filter(Boolean).join(" ") || "total", valueText(model, whole)]);
  const facts = [...totals, ...model.facts].map(([name, value]) => {
    const fact = make("div");
    fact.append(make("dt", "", name), make("dd", "", value));
    return fact;
  });
  byId("facts").replaceChildren(...facts);
}

// {title, numbers: how many columns, the first ones, have numbers, columns, rows}
function drawTable({ title, numbers, columns, rows }) {
  const box = make("div", "sheet"), table = make("table"), head = make("thead"), line = make("tr");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", title);
  const align = (cell, column) => {
    if (column < numbers) cell.className = "number";
    return cell;
  };
  line.append(...columns.map((text, column) => {
    const cell = align(make("th", "", text), column);
    cell.scope = "col";
    return cell;
  }));
  head.append(line);
  const body = make("tbody");
  for (const cells of rows) {
    const row = make("tr");
    row.append(...cells.map((text, column) => align(make("td", "", text), column)));
    body.append(row);
  }
  table.append(head, body);
  box.append(table);
  const section = make("section");
  section.setAttribute("aria-label", title);
  section.append(make("h2", "", title), box);
  return section;
}

function drawTables() {
  byId("tables").hidden = model.tables.length === 0;
  byId("tables").replaceChildren(...model.tables.map(drawTable));
}

function drawLegend() {
  const entry = (className, text) => {
    const item = make("span");
    if (className) {
      const swatch = make("i", `frame swatch ${className}`);
      swatch.setAttribute("aria-hidden", "true");
      item.append(swatch);
    }
    item.append(text);
    return item;
  };
  if (model.isComparison) {
    const unit = model.inShares ? " point" : " % of the whole";
    byId("legend").replaceChildren(
      entry("grew1", "▲ grew by 0.05,"), entry("grew2", "0.25,"), entry("grew3", "1" + unit + " or more"),
      entry("shrank1", "▼ shrank by 0.05,"), entry("shrank2", "0.25,"), entry("shrank3", "1" + unit + " or more"),
      entry("same", model.certainty ? "about the same, noise, or too small to tell" : "about the same"),
      ...(model.certainty && model.certainty.mark.includes(String(MARK.samplingOnly))
        ? [entry("grew2 sampling", "broken bar: only the chance of sampling is known")] : []));
    return;
  }
  const flat = new Map();
  for (const row of model.rows) {
    const module = model.moduleOf(row.frame);
    const known = flat.get(module) || { value: 0, frame: row.frame };
    known.value += row.flat[0];
    flat.set(module, known);
  }
  if (flat.size < 2) {
    byId("legend").replaceChildren(entry("", "Colours: one for each namespace or package."));
    return;
  }
  const isLarge = ([, { value }]) => value >= 0.001 * model.wholes[0];
  const largest = [...flat].filter(isLarge).sort((a, b) => b[1].value - a[1].value).slice(0, 6);
  const swatches = largest.map(([module, { value, frame }]) => {
    const share = shareText(value / Math.max(model.wholes[0], 1));
    return entry(`h${model.frames.color[2 * frame]} sb`, `${module || "no binary"} ${share}`);
  });
  byId("legend").replaceChildren(entry("", "Flat, by binary, of the functions in the table:"), ...swatches);
}

function drawNotes() {
  const texts = [...model.notes];
  if (tree.isMerged)
    texts.push(`Callers: frames below ${shareText(tree.minShare)} of the whole are merged into "(other)", too`);
  const notes = make("ul");
  for (const text of texts) notes.append(make("li", "", text + "."));
  byId("notes").replaceChildren(...(texts.length > 0 ? [notes] : []));
}

// Automatic, light, dark. A page of a file may have no storage.
const THEMES = ["auto", "light", "dark"];
function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = `Theme: ${theme}`;
  try {
    localStorage.setItem("flame-graph-theme", theme);
  } catch (error) {
    // Then it is forgotten.
  }
}

function storedTheme() {
  try {
    return localStorage.getItem("flame-graph-theme");
  } catch (error) {
    return null;
  }
}

byId("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme || "auto";
  setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
});
byId("callees").addEventListener("click", () => setDirection(false));
byId("callers").addEventListener("click", () => setDirection(true));
byId("reset").addEventListener("click", () => {
  graph.zoom(0);
  graph.focus(0);
});
byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    byId("search").value = "";
    search();
  } else if (event.key === "Enter" && found) {
    const node = graph.nextMatch(1);
    if (node >= 0) graph.focus(node);
  } else {
    return;
  }
  event.preventDefault();
});
byId("help").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  byId("help").open = false;
  byId("help").firstElementChild.focus();
});

setTheme(THEMES.includes(storedTheme()) ? storedTheme() : "auto");
drawFacts();
drawTables();
drawLegend();
drawNotes();
if (model.isComparison) {
  const sides = [[0, 1]];
  // A side without any value has no widths.
  for (const side of [0, 1].filter((each) => tree.total[each][0] > 0)) {
    sides.push([side]);
    byId("width").append(make("option", "", model.sides[side][0] || ["before", "after"][side]));
  }
  byId("width-choice").hidden = false;
  byId("width").addEventListener("change", () => {
    graph.setSides(sides[byId("width").selectedIndex]);
    drawPath();
  });
  byId("table-values").hidden = false;
  for (const kind of ["flat", "cumulative"])
    byId(kind).addEventListener("click", () => {
      table.setKind(kind);
      for (const each of ["flat", "cumulative"]) byId(each).setAttribute("aria-pressed", String(each === kind));
    });
  if (model.flatCertainty || model.cumulativeCertainty) {
    byId("noise-choice").hidden = false;
    byId("no-noise").addEventListener("change", () => table.setNoNoise(byId("no-noise").checked));
  }
}
graph.show(tree, model.certainty);
drawPath();
graph.on.choose(0);
