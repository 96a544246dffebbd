// A board of any size, of a variant: a grid of buttons with drawn pieces, and the pockets beside it. It has the same face as the boards
// of board.js; a piece in a pocket is lifted like one on a square, which is then called "N@".

import { drawPiece, svgElement } from "./drawing.js";
import { VariantPieces, fileOf, rankOf, squareAt } from "./pieces.js";
import { t } from "../texts.js";

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const DRAG_FROM = 6;

function element(name, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

export class VariantBoard {
  constructor(root, settings) {
    Object.assign(this, { root, settings, card: settings.card, orientation: settings.orientation });
    this.side = settings.interactive ? settings.side : null;
    this.pieces = new VariantPieces(this.card, settings.fen);
    this.marks = new Map();
    this.drawn = [];
    this.held = null;
    this.listeners = new AbortController();
    root.classList.add("board", "board-variant");
    this.build();
    this.listen();
  }

  setPosition(fen) {
    this.pieces = new VariantPieces(this.card, fen);
    this.held = null;
    this.build();
  }

  setOrientation(color) {
    this.orientation = color;
    this.at = null;
    this.build();
  }

  setInteractive(side) {
    this.side = side;
    this.lift(null);
  }

  highlight(kind, squares) {
    this.marks.set(kind, new Set(squares));
    this.paint();
  }

  arrows(list) {
    this.drawn = list;
    this.paint();
  }

  focus() {
    this.button(this.at).focus();
  }

  destroy() {
    this.listeners.abort();
    this.root.replaceChildren();
  }

  /** Squares as the person at the bottom sees them, from the top left. */
  rows() {
    const { files, ranks } = this.card;
    const rows = Array.from({ length: ranks }, (_, y) => Array.from({ length: files }, (__, x) => squareAt(x, ranks - 1 - y)));
    return this.orientation === "black" ? rows.reverse().map((row) => row.reverse()) : rows;
  }

  build() {
    const rows = this.rows();
    this.at ??= rows.at(-1)[0];
    const table = element("table", { role: "grid", "aria-label": this.settings.label });
    rows.forEach((row, y) => {
      const line = element("tr", { role: "row" });
      line.append(...row.map((square, x) => this.cell(square, x === 0, y === rows.length - 1)));
      table.append(line);
    });
    const overlay = svgElement("svg", { class: "variant-arrows", "aria-hidden": "true", viewBox: `0 0 ${this.card.files * 40} ${this.card.ranks * 40}` });
    const frame = element("div", { class: "variant-frame" });
    frame.append(table, overlay);
    this.overlay = overlay;
    const other = this.orientation === "white" ? "black" : "white";
    this.root.replaceChildren(this.pocket(other), frame, this.pocket(this.orientation));
    this.paint();
  }

  /** Cells at the edges show their rank or file, by the style sheet: the buttons say it anyway. */
  cell(square, isFirst, isLast) {
    const isDark = (fileOf(square) + rankOf(square)) % 2 === 0;
    const cell = element("td", { role: "gridcell", class: isDark ? "dark" : "light" });
    if (isFirst) cell.dataset.rank = square.slice(1);
    if (isLast) cell.dataset.file = square[0];
    cell.append(element("button", { type: "button", tabindex: "-1", "data-square": square }));
    return cell;
  }

  /** The pieces that a side may drop; those of the side that lists are buttons. */
  pocket(side) {
    const box = element("div", { class: "variant-pocket", role: "group", "aria-label": t("variant-pocket", { side }) });
    for (const [piece, count] of this.pieces.held(side)) {
      const mine = side === this.pieces.side;
      const name = t("variant-held", { piece: t("variant-piece", { side, piece: this.pieces.name(piece) }), n: count });
      const one = mine
        ? element("button", { type: "button", "data-square": `${piece[1].toUpperCase()}@`, "aria-label": name })
        : element("span", { role: "img", "aria-label": name });
      const number = element("span", { "aria-hidden": "true" });
      number.textContent = `×${count}`;
      one.append(drawPiece(this.pieces, piece), number);
      box.append(one);
    }
    return box;
  }

  button(square) {
    return this.root.querySelector(`button[data-square="${square}"]`);
  }

  paint() {
    for (const button of this.root.querySelectorAll("button[data-square]")) {
      const { square } = button.dataset;
      const marks = this.marksOf(square);
      button.className = marks.map((mark) => `is-${mark}`).join(" ");
      if (square.endsWith("@")) {
        button.setAttribute("aria-pressed", String(square === this.held));
        continue;
      }
      const piece = this.pieces.get(square);
      const side = piece?.[0] === "w" ? "white" : "black";
      const what = piece ? t("variant-piece", { side, piece: this.pieces.name(piece) }) : t("board-empty");
      button.tabIndex = square === this.at ? 0 : -1;
      button.setAttribute("aria-label", [square, what, ...marks.map((mark) => t(`mark-${mark}`))].join(", "));
      button.replaceChildren(...(piece ? [drawPiece(this.pieces, piece)] : []));
    }
    this.overlay.replaceChildren(...this.drawn.map((arrow) => this.arrow(arrow)));
  }

  marksOf(square) {
    const marks = [...this.marks].filter(([, squares]) => squares.has(square)).map(([kind]) => kind);
    if (square === this.held) marks.push("held");
    for (const { from, to } of this.drawn) {
      if (square === from) marks.push("from");
      if (square === to) marks.push("to");
    }
    return marks;
  }

  middle(square) {
    const { files, ranks } = this.card;
    const [x, y] = [fileOf(square), ranks - 1 - rankOf(square)];
    const seen = this.orientation === "black" ? [files - 1 - x, ranks - 1 - y] : [x, y];
    return seen.map((n) => n * 40 + 20);
  }

  /** A line with a head; a drop is a ring on its square. */
  arrow({ from, to, kind }) {
    const [x, y] = this.middle(to);
    if (from.endsWith("@")) {
      return svgElement("circle", { cx: x, cy: y, r: 16, class: `arrow-${kind}` });
    }
    const [x0, y0] = this.middle(from);
    const length = Math.hypot(x - x0, y - y0);
    const [dx, dy] = [((x - x0) / length) * 12, ((y - y0) / length) * 12];
    const head = `M${x - dx - dy / 2} ${y - dy + dx / 2}L${x} ${y}L${x - dx + dy / 2} ${y - dy - dx / 2}`;
    return svgElement("path", { d: `M${x0 + 1.3 * dx} ${y0 + 1.3 * dy}L${x} ${y}${head}`, class: `arrow-${kind}` });
  }

  mayLift(square) {
    const piece = square.endsWith("@") ? this.button(square) && this.pieces.get(square) : this.pieces.get(square);
    const side = piece?.[0] === "w" ? "white" : "black";
    return Boolean(piece && this.side && (this.side === "both" || this.side === side));
  }

  lift(square) {
    if (square !== this.held) {
      this.held = square;
      this.paint();
      this.settings.onChoose(square);
    }
  }

  /** A click, a tap, Enter or Space upon a square or a piece of the pocket. */
  press(square) {
    if (!square.endsWith("@")) {
      this.goTo(square);
    }
    const isOwn = this.mayLift(square);
    if (this.held && square !== this.held && !isOwn) {
      this.put(this.held, square);
    } else {
      this.lift(this.held === square || !isOwn ? null : square);
    }
  }

  async put(from, to) {
    this.lift(null);
    if (from === to || to.endsWith("@")) {
      return;
    }
    let promotion = null;
    if (this.pieces.promotion({ from, to })) {
      promotion = await this.pieces.askPromotion({ from, to });
      if (promotion === null) return;
    }
    this.settings.onMove({ from, to, promotion: promotion || null });
  }

  goTo(square) {
    this.button(this.at).tabIndex = -1;
    this.at = square;
    this.button(square).tabIndex = 0;
  }

  listen() {
    const { signal } = this.listeners;
    const squareOf = (event) => event.target.closest?.("button[data-square]")?.dataset.square;
    const on = (type, act) => this.root.addEventListener(type, act, { signal });
    on("click", (event) => {
      const square = squareOf(event);
      if (square && !this.justDragged) this.press(square);
      this.justDragged = false;
    });
    on("keydown", (event) => this.key(event));
    on("pointerdown", (event) => this.grab(event, squareOf(event)));
  }

  key(event) {
    if (event.key === "Escape") {
      this.lift(null);
    }
    const step = STEPS[event.key];
    if (!step || event.target.dataset.square?.endsWith("@")) {
      return;
    }
    event.preventDefault();
    const rows = this.rows();
    const y = rows.findIndex((row) => row.includes(this.at));
    const x = rows[y].indexOf(this.at);
    const row = rows[Math.max(0, Math.min(rows.length - 1, y + step[1]))];
    this.goTo(row[Math.max(0, Math.min(row.length - 1, x + step[0]))]);
    this.button(this.at).focus();
  }

  /** A drag: the piece follows the pointer; what is under it at the end is the square. */
  grab(event, square) {
    this.justDragged = false;
    if (!square || event.button !== 0 || !this.mayLift(square)) {
      return;
    }
    const glyph = this.button(square).querySelector(".variant-piece");
    const drag = new AbortController();
    const end = (up) => {
      drag.abort();
      glyph.style.transform = "";
      if (this.justDragged && up.type === "pointerup") {
        const to = document.elementFromPoint(up.clientX, up.clientY)?.closest("button[data-square]")?.dataset.square;
        if (to) void this.put(square, to);
      }
    };
    const move = (at) => {
      const [dx, dy] = [at.clientX - event.clientX, at.clientY - event.clientY];
      this.justDragged ||= Math.hypot(dx, dy) > DRAG_FROM;
      if (this.justDragged) glyph.style.transform = `translate(${dx}px, ${dy}px)`;
    };
    const during = { signal: drag.signal };
    addEventListener("pointermove", move, during);
    addEventListener("pointerup", end, during);
    addEventListener("pointercancel", end, during);
  }
}
