// The table of functions: sorted by the column that was clicked, only what the search matches, a part of the rows at
// first. Choosing a row shows its function in the graph.

const ROWS_AT_FIRST = 100;

class FunctionTable {
  // on: {choose(frame)}
  constructor(element, count, model, on) {
    this.element = element;
    this.count = count;
    this.model = model;
    this.on = on;
    this.kind = "flat";
    this.limit = ROWS_AT_FIRST;
    this.matches = null;
    this.noNoise = false;
    this.chosen = -1;
    this.order = { column: model.isComparison ? "change" : "flat", descending: true };
    element.addEventListener("click", (event) => this.clicked(event));
    this.draw();
  }

  setKind(kind) {
    this.kind = kind;
    this.draw();
  }
  // The frames that match, or null.
  setMatches(matches) {
    this.matches = matches;
    this.limit = ROWS_AT_FIRST;
    this.draw();
  }
  setNoNoise(noNoise) {
    this.noNoise = noNoise;
    this.draw();
  }
  setChosen(frame) {
    this.chosen = frame;
    for (const row of this.element.querySelectorAll("tbody tr"))
      row.classList.toggle("chosen", Number(row.dataset.frame) === frame);
  }

  // {key, title, value(row) to sort by, cell(row): element}
  columns() {
    const { model, kind } = this;
    const shareOf = (value) => value / Math.max(model.wholes[0], 1);
    const number = (key, title, value, text, decorate) => ({
      key, title, value,
      cell: (row) => {
        const cell = make("td", "", text(value(row)));
        if (decorate) decorate(cell, value(row), row);
        return cell;
      },
    });
    // As a part of the largest of the column.
    const bar = (key) => {
      const largest = Math.max(...model.rows.map((row) => shareOf(row[key][0])));
      return (cell, part) => {
        cell.classList.add("share");
        cell.style.setProperty("--part", (100 * part / Math.max(largest, 1e-12)).toFixed(1) + "%");
      };
    };
    const name = {
      key: "name",
      title: "Function",
      value: (row) => model.names[row.frame],
      cell: (row) => this.nameCell(row),
    };
    if (!model.isComparison) {
      const pair = (key, title) => [
        number(key, title, (row) => row[key][0], (value) => valueText(model, value)),
        number(key + "-share", title + " %", (row) => shareOf(row[key][0]), shareText, bar(key)),
      ];
      return [name, ...pair("flat", "Flat"), ...pair("cumulative", "Cum.")];
    }
    const text = (value) => valueText(model, value);
    const change = (cell, value, row) => {
      const step = changeStep(model, row[kind][0], row[kind][1]);
      const certainty = row.certainty[kind];
      const isNoise = certainty && (certainty.mark === MARK.noise || certainty.mark === MARK.thin);
      cell.classList.add(isNoise || step === 0 ? "quiet" : value > 0 ? "grew" : "shrank");
      if (!isNoise && step !== 0) cell.textContent = (step > 0 ? "▲ " : "▼ ") + cell.textContent;
      if (certainty && certainty.low !== null)
        cell.append(make("span", "below",
          `${changeText(model, certainty.low)} to ${changeText(model, certainty.high)}`));
    };
    const columns = [
      name,
      number("before", model.sides[0][0] || "Before", (row) => row[kind][0], text),
      number("after", model.sides[1][0] || "After", (row) => row[kind][1], text),
      number("change", "Change", (row) => row[kind][1] - row[kind][0], (value) => changeText(model, value), change),
    ];
    if (model.flatCertainty || model.cumulativeCertainty)
      columns.push({
        key: "certainty",
        title: "Certainty",
        // Changes first, the most certain ones at the top when ascending.
        value: (row) => {
          const certainty = row.certainty[kind];
          if (!certainty) return 9;
          return [8, 1, 6, 7, 3][certainty.mark] + (certainty.q === null ? 0.5 : Math.min(certainty.q, 0.99));
        },
        cell: (row) => {
          const cell = make("td", "quiet"), certainty = row.certainty[kind];
          if (!certainty || certainty.mark === MARK.none) return cell;
          cell.append(SHORT_MARKS[certainty.mark], make("span", "below", probabilityText(certainty.q)));
          return cell;
        },
      });
    return columns;
  }

  nameCell(row) {
    const cell = make("td");
    const forms = shorterNames(this.model.names[row.frame]);
    // Comparisons have more columns.
    const room = this.model.isComparison ? 22 : 36;
    const button = make("button", "", forms.find((form) => form.length <= room) || forms.at(-1));
    button.type = "button";
    button.title = this.model.names[row.frame];
    cell.append(button);
    const module = this.model.moduleOf(row.frame);
    if (this.model.modules.length > 2 && module) cell.append(make("span", "below", module));
    if (row.team) cell.append(make("span", "below", row.team));
    return cell;
  }

  rows(columns) {
    const column = columns.find((each) => each.key === this.order.column) || columns[1];
    const size = column.key === "change" ? (row) => Math.abs(column.value(row)) : column.value;
    const compare = (a, b) => {
      const x = size(a), y = size(b);
      return x < y ? -1 : x > y ? 1 : 0;
    };
    const sign = this.order.descending ? -1 : 1;
    return this.model.rows
      .filter((row) => !this.matches || this.matches[row.frame])
      .filter((row) => !this.noNoise || !this.isNoise(row))
      .sort((a, b) => sign * compare(a, b) || a.frame - b.frame);
  }

  isNoise(row) {
    const certainty = row.certainty[this.kind];
    return certainty !== null && (certainty.mark === MARK.noise || certainty.mark === MARK.thin);
  }

  draw() {
    const columns = this.columns();
    const rows = this.rows(columns);
    const focused = document.activeElement && this.element.contains(document.activeElement)
      ? document.activeElement.dataset.column : null;
    this.count.textContent = rows.length === this.model.rows.length ? countText(rows.length)
      : `${countText(rows.length)} of ${countText(this.model.rows.length)}`;
    const table = make("table", "functions");
    table.append(this.head(columns), make("tbody"));
    for (const row of rows.slice(0, this.limit)) {
      const line = make("tr", row.frame === this.chosen ? "chosen" : "");
      line.dataset.frame = row.frame;
      line.append(...columns.map((column) => column.cell(row)));
      table.tBodies[0].append(line);
    }
    this.element.replaceChildren(table);
    if (rows.length === 0) this.element.append(make("p", "none", "No function matches."));
    if (rows.length > this.limit) {
      const more = make("button", "more", `Show all ${countText(rows.length)}`);
      more.type = "button";
      this.element.append(more);
    }
    const head = focused && this.element.querySelector(`[data-column="${focused}"]`);
    if (head) head.focus();
  }

  head(columns) {
    const head = make("thead"), line = make("tr");
    for (const column of columns) {
      const cell = make("th"), isSorted = column.key === this.order.column;
      cell.scope = "col";
      if (isSorted) cell.setAttribute("aria-sort", this.order.descending ? "descending" : "ascending");
      const button = make("button", "", column.title + (isSorted ? (this.order.descending ? " ↓" : " ↑") : ""));
      button.type = "button";
      button.dataset.column = column.key;
      cell.append(button);
      line.append(cell);
    }
    head.append(line);
    return head;
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.classList.contains("more")) {
      const shown = this.limit;
      this.limit = Infinity;
      this.draw();
      this.element.querySelectorAll("tbody button")[shown].focus();
    } else if (button.dataset.column) {
      const column = button.dataset.column;
      const risesAtFirst = column === "name" || column === "certainty";
      const descending = this.order.column === column ? !this.order.descending : !risesAtFirst;
      this.order = { column, descending };
      this.draw();
    } else {
      this.on.choose(Number(button.closest("tr").dataset.frame));
    }
  }
}
