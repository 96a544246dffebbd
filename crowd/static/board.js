// The board of every page: pieces of our own on 64 squares, moved by taps, drags and keys. What is legal it does not
// know, and hints at nothing.
//
//   const board = createBoard(element, {
//     fen, orientation: "white" | "black",
//     side: "white" | "black" | "both" | null,     whose pieces may be lifted
//     interactive: true,                           false: only looked at
//     chess960: false,                             king, then rook, by two clicks is castling
//     promotion: "always" | (from, to) => bool,    when to ask for the piece
//     onMove({ from, to, promotion }),             promotion: "q", "r", "b", "n" or null
//     onChoose(square | null),                     a piece was lifted, or put back
//     label: "Chessboard",
//   });
//   setPosition(fen), setOrientation(color), setInteractive(side | null), focus(), destroy(),
//   highlight(kind, squares)      kind: "last", "legal", "check", "chosen" or "premove"; replaces what that kind showed
//   arrows([{ from, to, kind }])  kind: "question", "good" or "bad"; replaces all arrows
//
// A move stays only where the page sets the position that it leads to: within onMove, so that no piece jumps back.

import { t } from "./texts.js";

export const FILES = "abcdefgh";
export const RANKS = "12345678";
const KINDS = "pnbrqk";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// Below the fingerprint of this script, so that browsers keep the file for ever.
const SPRITE = new URL("./pieces.svg", import.meta.url).pathname;
const SVG = "http://www.w3.org/2000/svg";

const SLIDE_MS = 150;
/** How far a pointer goes, in pixels, before a press is a drag. */
const DRAG_FROM = 5;

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0], Home: [-7, 0], End: [7, 0] };

/** The pieces of a FEN, from square to "wp", "bk" and so on. Unknown characters count as empty squares. */
export function piecesOf(fen) {
  const pieces = new Map();
  const ranks = fen.split(" ")[0].split("/");
  ranks.slice(0, 8).forEach((text, row) => {
    let file = 0;
    for (const letter of text) {
      const empty = Number.parseInt(letter, 10);
      if (empty) {
        file += empty;
        continue;
      }
      const kind = letter.toLowerCase();
      if (KINDS.includes(kind) && file < 8) {
        pieces.set(FILES[file] + RANKS[7 - row], (letter === kind ? "b" : "w") + kind);
      }
      file += 1;
    }
  });
  return pieces;
}

/** "white" or "black": whose piece it is. */
export const colorOf = (piece) => (piece[0] === "w" ? "white" : "black");

/** "pawn", "knight" and so on; of a piece ("wp") or a kind ("p"). */
export const kindName = (piece) => t("piece", { kind: piece.at(-1) });

/** "white pawn". */
export const pieceName = (piece) => t(`${colorOf(piece)}-piece`, { kind: piece.at(-1) });

/** Whether this pawn would stand on its last rank. */
export const promotes = (piece, to) => (piece === "wp" && to[1] === "8") || (piece === "bp" && to[1] === "1");

/** Whether a king is put upon a rook of its own beside it on the rank, which is how Chess960 castles. */
export function kingTakesRook(pieces, from, to) {
  const king = pieces.get(from);
  return king?.[1] === "k" && pieces.get(to) === `${king[0]}r` && from[1] === to[1];
}

/** Eight rows of eight squares as a person on that side sees them, from the top left. */
function rowsSeenBy(color) {
  const rows = [...RANKS].reverse().map((rank) => [...FILES].map((file) => file + rank));
  return color === "black" ? rows.reverse().map((row) => row.reverse()) : rows;
}

function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function draw(name, attributes, ...children) {
  const drawn = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    drawn.setAttribute(key, value);
  }
  drawn.append(...children);
  return drawn;
}

/** The picture of a piece ("wp"); hidden from screen readers, which get words. */
export const faceOf = (piece) =>
  draw("svg", { class: "face", viewBox: "0 0 40 40", "aria-hidden": "true" }, draw("use", { href: `${SPRITE}#${piece}` }));

/** Moves a face from where it is drawn to its square; at once for those who want no motion. */
function slide(face, from) {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    const layer = { zIndex: 2 };
    face.animate([{ ...layer, transform: from }, { ...layer, transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
  }
}

/**
 * A grid of squares, one of them in the order of tabs, with keys that go from one to the next. Nothing is moved here.
 * `setOrientation` puts the squares into their places, first of all.
 */
export class Squares {
  pieces = new Map();

  constructor(element, label) {
    this.element = element;
    this.field = make("div", { class: "board-field", role: "grid", "aria-label": label });
    this.cells = new Map(rowsSeenBy("white").flat().map((square) => [square, make("div", this.attributes(square))]));
    this.listeners = new AbortController();
    element.classList.add("board");
    element.replaceChildren(this.field);
    this.on("keydown", (event) => this.key(event));
    this.on("focusin", (event) => this.goTo(this.squareOf(event)));
  }

  attributes(square) {
    const color = (FILES.indexOf(square[0]) + RANKS.indexOf(square[1])) % 2 === 0 ? "dark" : "light";
    return { role: "gridcell", "data-square": square, "data-color": color, "data-file": square[0], "data-rank": square[1] };
  }

  on(type, act) {
    this.field.addEventListener(type, act, { signal: this.listeners.signal });
  }

  squareOf(event) {
    return event.target.closest("[data-square]")?.dataset.square;
  }

  /** What a square is marked with, such as "last". */
  marksOf() {
    return [];
  }

  setOrientation(color) {
    this.at ??= color === "black" ? "e8" : "e1";
    const hasFocus = this.field.contains(document.activeElement);
    this.rows = rowsSeenBy(color);
    const rows = this.rows.map((row) => make("div", { role: "row" }, ...row.map((square) => this.cells.get(square))));
    this.field.replaceChildren(...rows);
    this.draw();
    if (hasFocus) {
      this.focus();
    }
  }

  focus() {
    this.cells.get(this.at).focus();
  }

  destroy() {
    this.listeners.abort();
    this.element.replaceChildren();
    this.element.classList.remove("board");
  }

  /** Shows what stands where and what is marked, where that has changed. */
  draw() {
    for (const [square, cell] of this.cells) {
      const piece = this.pieces.get(square) ?? "";
      const marks = this.marksOf(square);
      cell.tabIndex = square === this.at ? 0 : -1;
      const shown = `${piece} ${marks.map((mark) => `is-${mark}`).join(" ")}`;
      if (cell.shown === shown) {
        continue;
      }
      cell.shown = shown;
      cell.className = marks.map((mark) => `is-${mark}`).join(" ");
      const words = [square, piece ? pieceName(piece) : t("board-empty"), ...marks.map((mark) => t(`mark-${mark}`))];
      cell.setAttribute("aria-label", words.join(", "));
      // A picture that stays is not made anew: it may be in a hand that drags it.
      if (cell.dataset.piece !== piece) {
        cell.dataset.piece = piece;
        cell.replaceChildren(...(piece ? [faceOf(piece)] : []));
      }
    }
  }

  goTo(square) {
    this.cells.get(this.at).tabIndex = -1;
    this.at = square;
    this.cells.get(square).tabIndex = 0;
  }

  key(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    const y = this.rows.findIndex((row) => row.includes(this.at));
    const x = this.rows[y].indexOf(this.at);
    const clamp = (value) => Math.max(0, Math.min(7, value));
    this.goTo(this.rows[clamp(y + step[1])][clamp(x + step[0])]);
    this.focus();
  }

  /** The square at a place in the window, or null. */
  squareAt({ clientX, clientY }) {
    const { left, top, width, height } = this.field.getBoundingClientRect();
    return this.rows[Math.floor((8 * (clientY - top)) / height)]?.[Math.floor((8 * (clientX - left)) / width)] ?? null;
  }
}

class Board extends Squares {
  marks = new Map();
  pointed = [];
  /** The square of the piece in hand, or null. */
  held = null;
  /** What ends the press of a pointer that is under way, or null. */
  letGo = null;
  /** Whether the click that follows a press has been dealt with: the press has lifted the piece, or dragged it. */
  isDealtWith = false;
  /** Where a dragged piece is put down now: it need not slide there. */
  dropped = null;

  constructor(element, settings) {
    const label = settings.interactive ? t("board-keys", { label: settings.label }) : settings.label;
    super(element, label);
    this.settings = settings;
    this.layer = draw("svg", { class: "board-arrows", viewBox: "0 0 320 320", "aria-hidden": "true" });
    this.said = make("p", { class: "visually-hidden", "aria-live": "polite" });
    element.append(this.layer, this.said);
    this.pieces = piecesOf(settings.fen);
    this.side = settings.interactive ? settings.side : null;
    this.setOrientation(settings.orientation);
    this.on("click", (event) => this.click(event));
    this.on("pointerdown", (event) => this.grab(event));
  }

  setPosition(fen) {
    const before = this.pieces;
    this.pieces = piecesOf(fen);
    if (this.held && this.pieces.get(this.held) !== before.get(this.held)) {
      this.letGo?.();
      this.lift(null);
    }
    this.draw();
    this.slideFrom(before);
  }

  setOrientation(color) {
    super.setOrientation(color);
    this.drawArrows();
  }

  setInteractive(side) {
    // A piece in hand stays there when nothing changes.
    if (side !== this.side) {
      this.side = side;
      this.letGo?.();
      this.lift(null);
      this.draw();
    }
  }

  highlight(kind, squares) {
    this.marks.set(kind, new Set(squares));
    this.draw();
  }

  arrows(list) {
    this.pointed = list;
    this.draw();
    this.drawArrows();
  }

  destroy() {
    this.letGo?.();
    super.destroy();
  }

  draw() {
    super.draw();
    for (const [square, cell] of this.cells) {
      // Only a piece that may be lifted keeps a finger from scrolling the page.
      cell.toggleAttribute("data-own", this.mayLift(square));
    }
  }

  marksOf(square) {
    const marks = [...this.marks].filter(([, squares]) => squares.has(square)).map(([kind]) => kind);
    const points = (end) => this.pointed.some((arrow) => arrow[end] === square);
    return [...marks, ...(square === this.held ? ["held"] : []), ...["from", "to"].filter(points)];
  }

  drawArrows() {
    this.layer.replaceChildren(...this.pointed.map(({ from, to, kind }) => this.arrow(from, to, kind)));
  }

  arrow(from, to, kind) {
    const middle = (square) => {
      const y = this.rows.findIndex((row) => row.includes(square));
      return [40 * this.rows[y].indexOf(square) + 20, 40 * y + 20];
    };
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    // The line begins beside the piece and ends at the neck, since it would be seen beside the point of the head.
    const [neckX, neckY] = [x2 - 16 * dx, y2 - 16 * dy];
    const line = { class: "arrow-line", d: `M${x1 + 8 * dx} ${y1 + 8 * dy}L${neckX} ${neckY}` };
    const head = { class: "arrow-head", points: [[x2, y2], [neckX - 10 * dy, neckY + 10 * dx], [neckX + 10 * dy, neckY - 10 * dx]].join(" ") };
    return draw("g", { class: `arrow arrow-${kind}` }, draw("path", line), draw("polygon", head));
  }

  /** Lets each piece slide to its square from the nearest one where the same piece stands no more. */
  slideFrom(before) {
    const gone = new Map([...before].filter(([square, piece]) => this.pieces.get(square) !== piece));
    for (const [square, piece] of this.pieces) {
      if (before.get(square) === piece) {
        continue;
      }
      const [dx, dy, from] = [...gone]
        .filter(([, other]) => other === piece)
        .map(([from]) => [...this.distance(square, from), from])
        .sort((one, other) => Math.hypot(one[0], one[1]) - Math.hypot(other[0], other[1]))[0] ?? [];
      gone.delete(from);
      if (from && square !== this.dropped) {
        slide(this.cells.get(square).firstChild, `translate(${dx}px, ${dy}px)`);
      }
    }
  }

  /** How far a square lies from another one, in pixels. */
  distance(one, other) {
    const [here, there] = [one, other].map((square) => this.cells.get(square).getBoundingClientRect());
    return [there.left - here.left, there.top - here.top];
  }

  /** Whether the piece on this square may be lifted now. */
  mayLift(square) {
    const piece = this.pieces.get(square);
    return Boolean(piece && this.side && (this.side === "both" || this.side === colorOf(piece)));
  }

  /** Whether a second click (not a drag) means "rather this piece". Where castling is so written, a king upon its rook is a move. */
  changesChoice(from, to) {
    const [one, other] = [this.pieces.get(from), this.pieces.get(to)];
    return one && one[0] === other?.[0] && !(this.settings.chess960 && kingTakesRook(this.pieces, from, to));
  }

  lift(square) {
    if (square !== this.held) {
      this.held = square;
      this.draw();
      this.settings.onChoose(square);
    }
  }

  /** Gives the page a move: at once, or after the question which piece a pawn becomes. */
  async put(from, to) {
    this.lift(null);
    const piece = this.pieces.get(from);
    const { promotion: when, onMove } = this.settings;
    let promotion = null;
    if (promotes(piece, to) && (when === "always" || when(from, to))) {
      promotion = await askPromotion(colorOf(piece), to, this.cells.get(to));
      if (!promotion) {
        return;
      }
    }
    onMove({ from, to, promotion });
  }

  /** A click, a tap, Enter or Space upon a square. */
  press(square) {
    const { held } = this;
    if (held && square !== held && !this.changesChoice(held, square)) {
      void this.put(held, square);
    } else {
      this.lift(square !== held && this.mayLift(square) ? square : null);
    }
  }

  click(event) {
    const square = this.squareOf(event);
    // A screen reader clicks without a press.
    if (square && !(event.detail > 0 && this.isDealtWith)) {
      this.press(square);
    }
  }

  key(event) {
    super.key(event);
    if (event.key === "Escape") {
      this.letGo?.();
      this.lift(null);
    } else if ((event.key === "Enter" || event.key === " ") && !event.repeat) {
      event.preventDefault();
      this.press(this.at);
      this.said.textContent = this.held ? this.cells.get(this.held).getAttribute("aria-label") : "";
    }
  }

  /** The press of a pointer lifts a piece; when it goes on, the piece follows, and what is below it in the end is its square. */
  grab(event) {
    const square = this.squareOf(event);
    if (!square || !event.isPrimary || event.button !== 0) {
      return;
    }
    this.isDealtWith = false;
    this.letGo?.();
    if (!this.mayLift(square)) {
      return;
    }
    if (square !== this.held && (!this.held || this.changesChoice(this.held, square))) {
      this.lift(square);
      this.isDealtWith = true;
    }
    this.follow(event, square, this.cells.get(square).firstChild);
  }

  follow(begun, square, face) {
    const pressed = new AbortController();
    const home = this.cells.get(square).getBoundingClientRect();
    const isTouch = begun.pointerType === "touch";
    let target = null;
    let isDragged = false;
    const aim = (at) => {
      target?.removeAttribute("data-target");
      target = at && this.cells.get(at);
      target?.setAttribute("data-target", "");
    };
    const move = (event) => {
      if (!isDragged && Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY) > DRAG_FROM) {
        isDragged = true;
        this.isDealtWith = true;
        this.lift(square);
        face.classList.add("is-dragged");
      }
      if (isDragged) {
        const [dx, dy] = [event.clientX - home.left - home.width / 2, event.clientY - home.top - home.height / 2];
        // Above a finger, which would hide it.
        face.style.transform = `translate(${dx}px, ${dy}px)${isTouch ? " translateY(-45%) scale(1.5)" : ""}`;
        aim(this.squareAt(event));
      }
    };
    /** Ends the drag with a move to a square, or with none. */
    const end = (to) => {
      pressed.abort();
      this.letGo = null;
      aim(null);
      const { transform } = face.style;
      face.style.transform = "";
      face.classList.remove("is-dragged");
      if (isDragged && to !== square) {
        this.dropped = to;
        if (to) void this.put(square, to);
        else this.lift(null);
        this.dropped = null;
      }
      if (isDragged && face.isConnected) {
        slide(face, transform);
      }
    };
    const listen = (type, act) =>
      addEventListener(type, (event) => event.pointerId === begun.pointerId && act(event), { signal: pressed.signal });
    listen("pointermove", move);
    listen("pointerup", (event) => end(this.squareAt(event)));
    listen("pointercancel", () => end(null));
    this.letGo = () => end(null);
  }
}

/** Makes a board in an empty element. */
export function createBoard(element, options = {}) {
  return new Board(element, {
    fen: START,
    orientation: "white",
    interactive: true,
    side: "both",
    chess960: false,
    promotion: "always",
    onMove() {},
    onChoose() {},
    label: t("board-label"),
    ...options,
  });
}

const CHOICES = ["q", "r", "b", "n"];

function choiceButton(color, kind) {
  const attributes = { class: "promotion-choice", value: kind, "data-promotion": kind, "aria-label": kindName(kind) };
  const button = make("button", attributes, faceOf(color[0] + kind));
  button.autofocus = kind === "q";
  return button;
}

function promotionKey(dialog, event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const buttons = [...dialog.querySelectorAll(".promotion-choice")];
  if (CHOICES.includes(event.key.toLowerCase())) {
    dialog.close(event.key.toLowerCase());
  } else if (step) {
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  } else {
    return;
  }
  event.preventDefault();
}

/**
 * Only what was pressed in the dialog counts: a tap that opened it is followed by a click upon what is there by then.
 * A press beside it puts the question away.
 */
function watchPresses(dialog) {
  let isPressed = false;
  dialog.addEventListener("pointerdown", ({ target }) => {
    isPressed = true;
    if (target === dialog) {
      dialog.close("");
    }
  });
  dialog.addEventListener("click", (event) => event.detail > 0 && !isPressed && event.preventDefault(), true);
}

/** Whether a square is in the upper half of its board: then there is room below it. */
const isHigh = (square) => {
  const [own, whole] = [square, square.closest(".board-field")].map((part) => part.getBoundingClientRect());
  return own.top - whole.top < whole.height / 2;
};

function place(dialog, square, isDown) {
  const { top, bottom, left, width } = square.getBoundingClientRect();
  dialog.style.setProperty("--choice", `${width}px`);
  dialog.style.left = `${left}px`;
  dialog.style.top = isDown ? `${top}px` : "auto";
  dialog.style.bottom = isDown ? "auto" : `${document.documentElement.clientHeight - bottom}px`;
}

/**
 * Asks which piece a pawn becomes; resolves to "q", "r", "b", "n", or to null when the question is put away.
 * `square`: the element of the square on a board where the pawn goes; without it, the middle of the window.
 */
export function askPromotion(color, to, square = null) {
  const isDown = !square || isHigh(square);
  const title = make("h2", { id: "promotion-title" }, t("promotion-title", { square: to }));
  title.classList.toggle("visually-hidden", Boolean(square));
  const cancel = make("button", { value: "", class: "promotion-cancel" }, t("promotion-cancel"));
  // The queen is where the pawn stands.
  const kinds = isDown ? CHOICES : CHOICES.toReversed();
  const choices = make("div", { class: "promotion-choices" }, ...kinds.map((kind) => choiceButton(color, kind)));
  const form = make("form", { method: "dialog" }, title, ...(isDown ? [choices, cancel] : [cancel, choices]));
  const dialog = make("dialog", { class: square ? "promotion promotion-there" : "promotion", "aria-labelledby": title.id }, form);
  document.body.append(dialog);
  dialog.addEventListener("keydown", (event) => promotionKey(dialog, event));
  watchPresses(dialog);
  const open = new AbortController();
  if (square) {
    const keepPlace = () => place(dialog, square, isDown);
    keepPlace();
    addEventListener("resize", keepPlace, { signal: open.signal });
    addEventListener("scroll", keepPlace, { signal: open.signal });
  }
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      open.abort();
      dialog.remove();
      resolve(CHOICES.includes(dialog.returnValue) ? dialog.returnValue : null);
    });
    dialog.showModal();
  });
}
