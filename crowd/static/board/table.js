// The table board: a grid of buttons, one of them in the order of tabs, arrow keys between them. It needs nothing
// but this site, and says every square in words.

import { faceOf } from "./face.js";
import { frame } from "./frame.js";
import { Hand } from "./hand.js";
import { FILES, RANKS, pieceName, rowsSeenBy } from "./squares.js";
import { t } from "../texts.js";

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const DRAG_FROM = 6;

const isDark = (square) => (FILES.indexOf(square[0]) + RANKS.indexOf(square[1])) % 2 === 0;

function element(name, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

function cellOf(square) {
  const cell = element("td", { role: "gridcell", class: isDark(square) ? "dark" : "light" });
  cell.append(element("button", { type: "button", tabindex: "-1", "data-square": square }));
  return cell;
}

export class TableBoard {
  constructor(outer, settings) {
    this.outer = outer;
    this.root = frame(outer, settings.orientation);
    this.label = settings.label;
    this.orientation = settings.orientation;
    this.hand = new Hand(settings, (square) => this.button(square));
    this.marks = new Map();
    this.drawn = [];
    this.held = null;
    this.at = settings.orientation === "black" ? "e8" : "e1";
    outer.classList.add("board", "board-table");
    this.listeners = new AbortController();
    this.build();
    this.listen();
  }

  setPosition(fen) {
    const inHand = this.hand.pieces.get(this.held);
    this.hand.setPosition(fen);
    if (this.hand.pieces.get(this.held) !== inHand) {
      this.lift(null);
    }
    this.paint();
  }

  setOrientation(color) {
    this.orientation = color;
    this.outer.dataset.orientation = color;
    this.build();
  }

  setInteractive(side) {
    if (side !== this.hand.side) {
      this.hand.side = side;
      this.lift(null);
    }
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
    this.outer.replaceChildren();
  }

  build() {
    const table = element("table", { role: "grid", "aria-label": this.label });
    for (const row of rowsSeenBy(this.orientation)) {
      const line = element("tr", { role: "row" });
      line.append(...row.map(cellOf));
      table.append(line);
    }
    this.root.replaceChildren(table);
    this.paint();
  }

  button(square) {
    return this.root.querySelector(`button[data-square="${square}"]`);
  }

  paint() {
    for (const button of this.root.querySelectorAll("button[data-square]")) {
      this.paintSquare(button, button.dataset.square);
    }
  }

  paintSquare(button, square) {
    const piece = this.hand.pieces.get(square);
    const marks = this.marksOf(square);
    button.tabIndex = square === this.at ? 0 : -1;
    button.className = marks.map((mark) => `is-${mark}`).join(" ");
    button.setAttribute("aria-label", [square, piece ? pieceName(piece) : t("board-empty"), ...marks.map((mark) => t(`mark-${mark}`))].join(", "));
    // A picture that stays is not made anew: it may be in a hand that drags it.
    if (button.dataset.piece !== (piece ?? "")) {
      button.dataset.piece = piece ?? "";
      button.replaceChildren(...(piece ? [faceOf(piece)] : []));
    }
  }

  marksOf(square) {
    const marks = [...this.marks].filter(([, squares]) => squares.has(square)).map(([kind]) => kind);
    if (square === this.held) {
      marks.push("held");
    }
    for (const { from, to } of this.drawn) {
      if (square === from) marks.push("from");
      if (square === to) marks.push("to");
    }
    return marks;
  }

  lift(square) {
    if (square === this.held) {
      return;
    }
    this.held = square;
    this.paint();
    this.hand.chosen(square);
  }

  /** A click, a tap, Enter or Space upon a square. */
  press(square) {
    this.goTo(square);
    if (this.held && square !== this.held && !this.hand.changesChoice(this.held, square)) {
      this.put(this.held, square);
    } else if (this.held === square || !this.hand.mayLift(square)) {
      this.lift(null);
    } else {
      this.lift(square);
    }
  }

  put(from, to) {
    this.lift(null);
    this.hand.moved(from, to);
  }

  goTo(square) {
    this.button(this.at).tabIndex = -1;
    this.at = square;
    this.button(square).tabIndex = 0;
  }

  listen() {
    const { signal } = this.listeners;
    const on = (type, act) => this.root.addEventListener(type, act, { signal });
    const squareOf = (event) => event.target.closest?.("button[data-square]")?.dataset.square;
    on("click", (event) => {
      const square = squareOf(event);
      if (square && !this.justDragged) {
        this.press(square);
      }
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
    if (!step) {
      return;
    }
    event.preventDefault();
    const rows = rowsSeenBy(this.orientation);
    const y = rows.findIndex((row) => row.includes(this.at));
    const x = rows[y].indexOf(this.at);
    const clamp = (value) => Math.max(0, Math.min(7, value));
    this.goTo(rows[clamp(y + step[1])][clamp(x + step[0])]);
    this.button(this.at).focus();
  }

  /** A drag: the piece follows the pointer; what is under it at the end is the square. */
  grab(event, square) {
    this.justDragged = false;
    if (!square || event.button !== 0 || !this.hand.mayLift(square)) {
      return;
    }
    const { firstChild: face } = this.button(square);
    const drag = new AbortController();
    const end = (up) => {
      drag.abort();
      face.style.transform = "";
      if (this.justDragged && up.type === "pointerup") {
        const to = document.elementFromPoint(up.clientX, up.clientY)?.closest("button[data-square]")?.dataset.square;
        if (to) this.put(square, to);
      }
    };
    const move = (at) => {
      const [dx, dy] = [at.clientX - event.clientX, at.clientY - event.clientY];
      this.justDragged ||= Math.hypot(dx, dy) > DRAG_FROM;
      if (this.justDragged) face.style.transform = `translate(${dx}px, ${dy}px)`;
    };
    const during = { signal: drag.signal };
    addEventListener("pointermove", move, during);
    addEventListener("pointerup", end, during);
    addEventListener("pointercancel", end, during);
  }
}
