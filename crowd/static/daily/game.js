// A list at hand: the board, the moves on the list, and the time since the server handed the position out.

import { boardMake, chooseMake, createBoard, drawnBoardIsThere } from "../board.js";
import { piecesOf } from "../board/squares.js";
import { confirmed } from "../contribute/confirm.js";
import { id, say } from "../contribute/dom.js";
import { movesOf, undoing } from "../contribute/events.js";
import { ListView } from "../contribute/list.js";
import { Typing } from "../contribute/typing.js";
import { factsOf, oneForm, partsOf, spokenForm, textOf } from "../contribute/words.js";
import { timeOf } from "./words.js";
import { t } from "../texts.js";

/** What is kept in this browser of one list, so that a reload loses nothing. */
export class Kept {
  /** `key` is null where nothing is kept; what is forgotten in the end is all that begins with `group`. */
  constructor(key, group = key) {
    Object.assign(this, { key, group });
  }

  read() {
    try {
      const events = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      return Array.isArray(events) ? events : [];
    } catch {
      return [];
    }
  }

  write(events) {
    try {
      if (this.key) {
        localStorage.setItem(this.key, JSON.stringify(events));
      }
    } catch {
      // Then a reload loses the list; the page goes on.
    }
  }

  forget() {
    try {
      for (const key of Object.keys(localStorage).filter((name) => this.group && name.startsWith(this.group))) {
        localStorage.removeItem(key);
      }
    } catch {
      // There is nothing to forget.
    }
  }
}

export class Game {
  /** `given` is what the server handed out; `finished(moves)` is called once a person ends the list. */
  constructor(given, finished, kept = new Kept(`crowd-daily-${given.day}`, "crowd-daily-")) {
    Object.assign(this, { given, finished, day: given.day });
    this.pieces = piecesOf(given.fen);
    this.begunAt = performance.now() - given.elapsed_ms;
    this.kept = kept;
    this.events = this.kept.read();
  }

  async open() {
    const { fen, side_to_move: side } = this.given;
    const facts = factsOf(fen);
    id("turn").textContent = facts.turn;
    id("castling").textContent = facts.castling;
    id("passant").textContent = facts.passant;
    this.orientation = side;
    await this.makeBoard();
    this.list = new ListView(this.pieces, false, {
      removed: (move) => this.act("remove", move),
      pointed: (move) => this.board.arrows(move ? [{ ...partsOf(move), kind: "good" }] : []),
    });
    this.typing = new Typing(this.pieces, { ...this.given, chess960: false }, (move) => this.give(move));
    this.buttons();
    this.timer = setInterval(() => this.showClock(), 250);
    this.showClock();
    this.show();
  }

  async makeBoard() {
    const { fen, side_to_move: side } = this.given;
    this.board = await createBoard(id("board"), {
      fen,
      side,
      orientation: this.orientation,
      onMove: (move) => this.give(move),
      label: t("board-label-turn", { side }),
    });
  }

  buttons() {
    id("flip").onclick = () => this.flip();
    id("undo").onclick = () => this.undo();
    id("finish").onclick = () => this.askToFinish();
    id("make").hidden = !drawnBoardIsThere();
    this.nameMake();
    id("make").onclick = () => this.changeMake();
    this.keys = (event) => {
      if (event.key === "z" && (event.ctrlKey || event.metaKey) && event.target.tagName !== "INPUT") {
        event.preventDefault();
        this.undo();
      }
    };
    document.addEventListener("keydown", this.keys);
  }

  /** A move from the board or typed. */
  give(parts) {
    const move = textOf(oneForm(this.pieces, parts, false));
    if (movesOf(this.events).includes(move)) {
      this.list.pointOut(move);
      say(t("move-twice", { move: spokenForm(this.pieces, move, false) }));
    } else {
      this.act("add", move);
    }
  }

  act(op, move) {
    if (this.isEnding) {
      return;
    }
    this.events.push({ op, move });
    this.kept.write(this.events);
    this.list.pointOut(null);
    const { from, to } = partsOf(move);
    this.board.highlight("last", op === "add" ? [from, to] : []);
    this.show();
    const values = { move: spokenForm(this.pieces, move, false), n: movesOf(this.events).length };
    say(t(op === "add" ? "move-added" : "move-removed", values));
  }

  undo() {
    const step = undoing(this.events);
    if (step) {
      this.act(step.op, step.move);
      this.board.arrows([]);
    }
  }

  async flip() {
    this.orientation = this.orientation === "white" ? "black" : "white";
    await this.board.setOrientation(this.orientation);
    say(t("board-bottom", { side: this.orientation }));
  }

  async changeMake() {
    chooseMake(boardMake() === "cm" ? "table" : "cm");
    this.board.destroy();
    id("board").className = "";
    await this.makeBoard();
    this.nameMake();
  }

  nameMake() {
    id("make").textContent = t(boardMake() === "cm" ? "use-plain" : "use-drawn");
  }

  show() {
    this.list.show(movesOf(this.events), Boolean(this.isEnding));
    id("undo").disabled = this.isEnding || !undoing(this.events);
    id("finish").disabled = this.isEnding;
    id("typed").disabled = this.isEnding;
  }

  /** Counts up in whole seconds that have passed; the server's time decides in the end. */
  showClock() {
    id("clock").textContent = timeOf(performance.now() - this.begunAt);
  }

  async askToFinish() {
    const n = movesOf(this.events).length;
    const text = n === 0 ? t("finish-list-none") : t("finish-list-text", { n });
    if (await confirmed({ title: t("is-that-all"), text, stay: t("go-on-looking"), go: t("finish") })) {
      this.end();
    }
  }

  /** Ends the list as it is. */
  end() {
    if (!this.isEnding) {
      this.isEnding = true;
      this.board.setInteractive(null);
      this.show();
      this.finished(movesOf(this.events));
    }
  }

  /** The list was not taken; the person can continue it. */
  resume() {
    this.isEnding = false;
    this.board.setInteractive(this.given.side_to_move);
    this.show();
  }

  close() {
    clearInterval(this.timer);
    document.removeEventListener("keydown", this.keys);
    this.kept.forget();
    this.board.destroy();
    id("board").className = "";
  }
}
