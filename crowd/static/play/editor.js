// The board editor: pieces put by click or key, side, rights; the server says what is wrong.

import { Squares, faceOf, pieceName } from "../board.js";
import { t } from "../texts.js";
import { askState } from "./api.js";
import { closeDialog, openDialog } from "./ask.js";
import { byId, make } from "../dom.js";
import { openNewGame, tellFaults } from "./newgame.js";
import { START, emptySetup, epSquares, pieceOf, readSetup, writeSetup } from "./setup.js";

const piecesOfSide = (color) => [..."kqrbnp"].map((kind) => color + kind);
const CHOICES = [...piecesOfSide("w"), null, ...piecesOfSide("b")];

export class Editor {
  setup = readSetup(START);
  /** The piece to put; null empties squares. */
  piece = "wp";
  /** Remarks that have been shown; the same position is then taken as it is read. */
  remarked = null;

  constructor(match) {
    this.match = match;
    this.faults = byId("play-editor-faults");
    this.build();
    byId("play-editor-open").addEventListener("click", () => this.open());
    byId("play-editor-start").addEventListener("click", () => this.take(readSetup(START)));
    byId("play-editor-clear").addEventListener("click", () => this.take(emptySetup()));
    byId("play-editor-current").addEventListener("click", () => this.takeCurrent());
    byId("play-editor-read").addEventListener("click", () => this.read());
    byId("play-editor-use").addEventListener("click", () => this.use());
    byId("play-editor").addEventListener("change", (event) => this.changed(event.target));
  }

  open() {
    this.takeCurrent();
    const { at } = this.squares;
    openDialog("play-editor");
    // A dialog puts the focus on its first square.
    this.squares.goTo(at);
    this.squares.focus();
  }

  takeCurrent() {
    this.take(readSetup(this.match.state.fens[this.match.ply]));
  }

  /** Takes the FEN of the field, or shows what is wrong with it. */
  async read() {
    const fen = byId("play-editor-fen").value.trim();
    try {
      await askState({ fen, chess960: false, moves: [] });
      this.take(readSetup(fen));
    } catch (error) {
      this.faults.className = "error";
      tellFaults(this.faults, error);
    }
  }

  take(setup) {
    this.setup = setup;
    this.draw();
  }

  build() {
    this.squares = new Squares(byId("play-editor-board"), t("editor-board"));
    this.squares.at = "e4";
    this.squares.setOrientation("white");
    this.squares.on("click", (event) => this.put(this.squares.squareOf(event), this.piece));
    this.squares.on("keydown", (event) => this.key(event));
    byId("play-palette").append(...CHOICES.map((piece) => this.choice(piece)));
  }

  choice(piece) {
    const input = make("input", { type: "radio", name: "play-palette", value: piece ?? "", checked: piece === this.piece, class: "visually-hidden" });
    input.setAttribute("aria-label", piece ? pieceName(piece) : t("editor-empty-square"));
    return make("label", { class: "play-palette-piece" }, input, piece ? faceOf(piece) : make("span", { class: "play-erase", "aria-hidden": "true", text: "\u2715" }));
  }

  put(square, piece) {
    if (piece && this.setup.pieces.get(square) !== piece) {
      this.setup.pieces.set(square, piece);
    } else {
      this.setup.pieces.delete(square);
    }
    this.draw();
  }

  key(event) {
    const square = this.squares.at;
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.put(square, null);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.put(square, this.piece);
    } else if (pieceOf(event.key)) {
      this.put(square, pieceOf(event.key));
    }
  }

  changed(target) {
    const name = target.name || target.id;
    if (name === "play-palette") {
      this.piece = target.value || null;
    } else if (name === "play-editor-side") {
      this.setup.side = target.value;
      this.setup.ep = "-";
      this.draw();
    } else if (name === "play-editor-castling") {
      const boxes = [...document.getElementsByName("play-editor-castling")];
      this.setup.castling = boxes.filter((box) => box.checked).map((box) => box.value).join("");
      this.draw();
    } else if (name === "play-editor-ep") {
      this.setup.ep = target.value;
      this.draw();
    }
  }

  draw() {
    const { setup } = this;
    this.squares.pieces = setup.pieces;
    this.squares.draw();
    for (const radio of document.getElementsByName("play-editor-side")) {
      radio.checked = radio.value === setup.side;
    }
    for (const box of document.getElementsByName("play-editor-castling")) {
      box.checked = setup.castling.includes(box.value);
    }
    const options = ["-", ...epSquares(setup.side)].map((square) => make("option", { value: square, text: square === "-" ? t("editor-no-square") : square }));
    byId("play-editor-ep").replaceChildren(...options);
    byId("play-editor-ep").value = setup.ep;
    byId("play-editor-fen").value = writeSetup(setup);
    this.faults.replaceChildren();
  }

  /** Asks the server; what it passes over is shown once before it is used. */
  async use() {
    const fen = byId("play-editor-fen").value.trim();
    this.faults.className = "error";
    try {
      const state = await askState({ fen, chess960: false, moves: [] });
      if (state.remarks.length > 0 && this.remarked !== fen) {
        this.remarked = fen;
        this.faults.className = "notice warn";
        tellFaults(this.faults, { faults: state.remarks });
        this.faults.append(make("p", { text: t("editor-read-as", { fen: state.fen }) }));
        return;
      }
      closeDialog("play-editor");
      openNewGame(state.fen, state.chess960);
    } catch (error) {
      tellFaults(this.faults, error);
    }
  }
}
