// The panel below the graph: everything about one frame, in exact figures.

function showDetails(panel, graph, node) {
  const { model, tree, certainty, root } = graph;
  const frame = tree.frame[node];
  const title = make("h2", "", model.names[frame]);
  const where = [model.moduleOf(frame), model.fileOf(frame)].filter(Boolean).join(" · ");
  const parts = [title];
  if (where) parts.push(make("p", "where", where));
  parts.push(model.isComparison ? comparisonFigures(model, tree, node) : figures(model, tree, node, root));
  if (certainty) {
    const text = [MARKS[Number(certainty.mark[node])], probabilityText(certainty.q[node])].filter(Boolean).join(", ");
    const range = certainty.low && certainty.low[node] !== null
      ? `, between ${changeText(model, certainty.low[node])} and ${changeText(model, certainty.high[node])}` : "";
    if (text) parts.push(make("p", "where", "Difference: " + text + range));
  }
  panel.replaceChildren(...parts);
}

function tableOf(head, lines) {
  const table = make("table"), body = make("tbody");
  if (head) {
    const top = make("thead"), line = make("tr");
    line.append(make("td"), ...head.map((text) => {
      const cell = make("th", "", text);
      cell.scope = "col";
      return cell;
    }));
    top.append(line);
    table.append(top);
  }
  for (const [name, ...cells] of lines) {
    const line = make("tr"), first = make("th", "", name);
    first.scope = "row";
    line.append(first, ...cells.map((text) => make("td", "", text)));
    body.append(line);
  }
  table.append(body);
  return table;
}

function figures(model, tree, node, root) {
  const whole = Math.max(model.wholes[0], 1);
  const line = (name, value) => {
    const exact = exactText(model, value), short = valueText(model, value);
    const cells = [name, short, shareText(value / whole)];
    if (root !== 0) cells.push(shareText(value / Math.max(tree.total[0][root], 1)));
    return [...cells, exact];
  };
  const head = ["value", "of the whole", ...(root !== 0 ? ["of the zoomed frame"] : []), "exactly"];
  const lines = [line("Total", tree.total[0][node])];
  if (!tree.isInverted) lines.push(line("Self", tree.self[0][node]));
  return tableOf(head, lines);
}

function comparisonFigures(model, tree, node) {
  const names = model.sides.map((side, i) => side[0] || ["before", "after"][i]);
  const line = (name, values) => {
    return [name, exactText(model, values[0]), exactText(model, values[1]),
      changeText(model, values[1] - values[0]) + (model.inShares ? " points" : ""), relativeText(...values)];
  };
  const lines = [line("Total", tree.total.map((values) => values[node]))];
  if (!tree.isInverted) lines.push(line("Self", tree.self.map((values) => values[node])));
  return tableOf([...names, "change", "relative"], lines);
}
