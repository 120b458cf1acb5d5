// The flame graph: draws the frames below the zoomed one that are at least a pixel wide, as elements of a tree that
// screen readers know; moves the focus and zooms. Narrower frames beside each other are one hatched piece.

const ROW = 21, GAP = 1, NARROW = 1, LABEL = 26;

// Of a label, on average.
function letterWidth(element) {
  const letters = "abcdefghijklmnopqrstuvwxyz_:";
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.font = `12px ${getComputedStyle(element).fontFamily}`;
  return context.measureText(letters).width / letters.length;
}

class Graph {
  // on: {choose(node), point(node), zoom(node), search(), invert()}
  constructor(element, model, on) {
    this.element = element;
    this.model = model;
    this.on = on;
    this.sides = model.sides.map((_, side) => side);
    this.found = null;
    this.elements = new Map();
    this.labels = new Map();
    this.letter = letterWidth(element);
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.pressed(event));
    element.addEventListener("pointerover", (event) => this.pointed(event));
    element.addEventListener("pointerleave", () => on.point(this.current));
    element.addEventListener("focusin", (event) => {
      const node = this.nodeOf(event.target);
      if (node >= 0) this.choose(node);
    });
    new ResizeObserver(() => {
      if (this.element.clientWidth !== this.drawnWidth) this.draw();
    }).observe(element);
  }

  show(tree, certainty) {
    this.tree = tree;
    this.certainty = certainty;
    this.widths = widthsOf(tree, this.model.wholes, this.sides);
    this.root = 0;
    this.current = 0;
    this.draw();
  }

  setSides(sides) {
    this.sides = sides;
    this.widths = widthsOf(this.tree, this.model.wholes, sides);
    if (!(this.widths[this.root] > 0)) this.root = 0;
    this.draw();
  }

  // What searchTree() found, or null.
  setFound(found) {
    this.found = found;
    this.element.classList.toggle("searching", found !== null);
    this.draw();
  }

  zoom(node) {
    if (!(this.widths[node] > 0)) return false;
    this.root = node;
    this.current = node;
    this.draw();
    this.on.zoom(node);
    this.choose(node);
    return true;
  }

  // Drawing

  draw() {
    const hadFocus = this.element.contains(document.activeElement);
    const width = this.drawnWidth = this.element.clientWidth;
    const pieces = [];
    let lowest = 0;
    for (let at = this.tree.parent[this.root]; at >= 0; at = this.tree.parent[at])
      pieces.unshift(this.piece(at, 0, width, "context"));
    const scale = width / this.widths[this.root];
    const { end, depth, parent } = this.tree;
    // Where the next child of each drawn node begins.
    const next = new Map([[parent[this.root], 0]]);
    let rest = null;
    const flush = () => {
      if (rest && rest.width >= 1.5) pieces.push(this.restPiece(rest));
      rest = null;
    };
    for (let i = this.root; i < end[this.root];) {
      const left = next.get(parent[i]), size = this.widths[i] * scale;
      next.set(parent[i], left + size);
      if (!(size >= NARROW)) {
        if (rest && rest.parent !== parent[i]) flush();
        if (!rest) rest = { parent: parent[i], left, width: 0, depth: depth[i] };
        rest.width += size;
        i = end[i];
        continue;
      }
      flush();
      next.set(i, left);
      pieces.push(this.piece(i, left, size, ""));
      lowest = Math.max(lowest, depth[i]);
      i++;
    }
    flush();
    this.element.style.height = (lowest + 1) * ROW + "px";
    this.element.replaceChildren(...pieces);
    this.elements.clear();
    for (const piece of pieces)
      if (piece.node !== undefined) this.elements.set(piece.node, piece);
    if (!this.elements.has(this.current)) this.current = this.root;
    this.mark(this.current);
    if (hadFocus) this.elements.get(this.current).focus({ preventScroll: true });
  }

  piece(node, left, width, extra) {
    const piece = document.createElement("div");
    piece.node = node;
    piece.setAttribute("role", "treeitem");
    piece.setAttribute("aria-level", this.tree.depth[node] + 1);
    piece.setAttribute("aria-label", this.spoken(node));
    piece.tabIndex = -1;
    this.place(piece, left, width, this.tree.depth[node]);
    const matches = this.found !== null && this.found.frames[this.tree.frame[node]] === 1;
    piece.className = `frame ${this.colorOf(node)} ${extra}${width < LABEL ? " tight" : ""}${matches ? " match" : ""}`;
    // Drawn by the style. As a text it would be a second name, shorter than what is spoken.
    if (width >= LABEL) piece.dataset.label = this.labelOf(node, width);
    return piece;
  }

  restPiece(rest) {
    const piece = document.createElement("div");
    piece.className = "frame rest tight";
    piece.setAttribute("role", "presentation");
    this.place(piece, rest.left, rest.width, rest.depth);
    return piece;
  }

  // In parts of the width, so that the graph also fits a printed page.
  place(piece, left, width, depth) {
    const part = (pixels) => (100 * pixels / Math.max(this.drawnWidth, 1)).toFixed(4) + "%";
    piece.style.left = part(left);
    piece.style.width = part(Math.max(width - (width > 4 ? GAP : 0.3), 0.7));
    piece.style.top = depth * ROW + "px";
  }

  colorOf(node) {
    const frame = this.tree.frame[node];
    if (this.model.isComparison) return this.changeClass(node);
    if (frame <= OTHER) return "plain";
    const color = this.model.frames.color;
    return `h${color[2 * frame]} s${color[2 * frame + 1]}`;
  }

  changeClass(node) {
    const mark = this.certainty ? Number(this.certainty.mark[node]) : MARK.none;
    const step = this.stepOf(node);
    if (step === 0) return "same";
    return (step > 0 ? "grew" : "shrank") + Math.abs(step) + (mark === MARK.samplingOnly ? " sampling" : "");
  }

  stepOf(node) {
    const mark = this.certainty ? Number(this.certainty.mark[node]) : MARK.none;
    if (mark === MARK.noise || mark === MARK.thin) return 0;
    return changeStep(this.model, this.tree.total[0][node], this.tree.total[1][node]);
  }

  labelOf(node, width) {
    const frame = this.tree.frame[node];
    let sign = "", change = "";
    if (this.model.isComparison) {
      const step = this.stepOf(node);
      sign = step > 0 ? "▲ " : step < 0 ? "▼ " : "";
      if (step !== 0) change = "  " + changeText(this.model, this.tree.total[1][node] - this.tree.total[0][node]);
    }
    if (!this.labels.has(frame)) this.labels.set(frame, shorterNames(this.model.names[frame]));
    const forms = this.labels.get(frame);
    const letters = (width - 10) / this.letter - sign.length;
    if (letters < 3) return sign.trim();
    const name = forms.find((form) => form.length <= letters) || forms[forms.length - 1];
    return sign + name + (name.length + change.length <= letters ? change : "");
  }

  // What a screen reader says.
  spoken(node) {
    const { model, tree } = this;
    const name = model.names[tree.frame[node]];
    const shares = model.wholes.map((whole, side) => shareText(tree.total[side][node] / Math.max(whole, 1)));
    if (!model.isComparison) return `${name}, ${shares[0]}, ${valueText(model, tree.total[0][node])}`;
    const figures = model.per ? tree.total.map((values) => valueText(model, values[node])) : shares;
    const step = this.stepOf(node);
    const mark = this.certainty ? MARKS[Number(this.certainty.mark[node])] : "";
    const change = changeText(model, tree.total[1][node] - tree.total[0][node]);
    const what = step > 0 ? "grew" : step < 0 ? "shrank" : "about the same";
    return `${name}, ${what}: ${figures[0]} before, ${figures[1]} after, ${change}${mark ? ", " + mark : ""}`;
  }

  // Choosing

  nodeOf(target) {
    const piece = target.closest ? target.closest(".frame") : null;
    return piece && piece.node !== undefined ? piece.node : -1;
  }

  mark(node) {
    if (this.marked) {
      this.marked.tabIndex = -1;
      this.marked.classList.remove("chosen");
      this.marked.removeAttribute("aria-selected");
    }
    this.marked = this.elements.get(node);
    if (!this.marked) return;
    this.marked.tabIndex = 0;
    this.marked.setAttribute("aria-selected", "true");
    if (node !== 0) this.marked.classList.add("chosen");
  }

  choose(node) {
    this.current = node;
    this.mark(node);
    this.on.choose(node);
  }

  focus(node) {
    const piece = this.elements.get(node);
    if (!piece) return;
    piece.focus({ preventScroll: true });
    piece.scrollIntoView({ block: "nearest" });
  }

  // Shows a node that may be too narrow, or outside: zooms to the outermost frame in which it is wide enough.
  reveal(node) {
    const piece = this.elements.get(node);
    if (!piece || piece.classList.contains("context")) {
      const isWideIn = (root) => this.widths[node] / this.widths[root] * this.element.clientWidth >= 3;
      let root = node;
      while (root > 0 && isWideIn(this.tree.parent[root])) root = this.tree.parent[root];
      this.zoom(root);
    }
    this.choose(node);
    this.elements.get(node).scrollIntoView({ block: "nearest" });
  }

  clicked(event) {
    const node = this.nodeOf(event.target);
    if (node < 0) return;
    this.zoom(node);
    this.focus(node);
  }

  pointed(event) {
    const node = this.nodeOf(event.target);
    if (node >= 0) this.on.point(node);
  }

  // Keys

  // The widest drawn child, or -1.
  childOf(node) {
    let widest = -1;
    for (let i = node + 1; i < this.tree.end[node]; i = this.tree.end[i])
      if (this.elements.has(i) && (widest < 0 || this.widths[i] > this.widths[widest])) widest = i;
    return widest;
  }

  // The drawn frame of the same depth beside `node`: a sibling, or a cousin.
  beside(node, step) {
    const depth = this.tree.depth[node];
    const isBeside = (other) => this.tree.depth[other] === depth;
    const row = [...this.elements.keys()].filter(isBeside).sort((a, b) => a - b);
    return row[row.indexOf(node) + step] ?? -1;
  }

  nextMatch(step) {
    if (!this.found) return -1;
    const isMatch = (node) => this.found.frames[this.tree.frame[node]];
    const matches = [...this.elements.keys()].filter(isMatch).sort((a, b) => a - b);
    if (matches.length === 0) return -1;
    if (step > 0) return matches.find((node) => node > this.current) ?? matches[0];
    return matches.reverse().find((node) => node < this.current) ?? matches[0];
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const node = this.current, parent = this.tree.parent[node];
    const moves = {
      ArrowDown: () => this.childOf(node),
      ArrowUp: () => parent,
      ArrowLeft: () => this.beside(node, -1),
      ArrowRight: () => this.beside(node, 1),
      n: () => this.nextMatch(1),
      p: () => this.nextMatch(-1),
    };
    const zooms = {
      Enter: () => node,
      " ": () => node,
      Backspace: () => Math.max(this.tree.parent[this.root], 0),
      Home: () => 0,
      Escape: () => 0,
    };
    if (event.key in moves) {
      const to = moves[event.key]();
      if (to >= 0) this.focus(to);
    } else if (event.key in zooms) {
      const to = zooms[event.key]();
      this.zoom(to);
      this.focus(to);
    } else if (event.key === "/") {
      this.on.search();
    } else if (event.key === "i") {
      this.on.invert();
    } else {
      return;
    }
    event.preventDefault();
  }
}
