// One position at hand: the board, the list or the questions, the clock, and the way to the server.

import { boardMake, chooseMake, drawnBoardIsThere } from "../board.js";
import { showRules } from "../variant/rules.js";
import * as api from "./api.js";
import { boardOf } from "./boards.js";
import { Clock, minutes } from "./clock.js";
import { confirmed } from "./confirm.js";
import { counted, id, say, showSection } from "./dom.js";
import { answersOf, merge, movesOf, undoing } from "./events.js";
import { ListView } from "./list.js";
import { MODES, PARTNER } from "./modes.js";
import { Queue } from "./queue.js";
import { Questions } from "./review.js";
import { Typing } from "./typing.js";
import { factsOf, oneForm, partsOf, piecesAt, spokenForm, textOf } from "./words.js";

const PARTNER_EVERY_MS = 5000;

export class Task {
  /** `task` is what the browser keeps of it; `save()` keeps it; `finished(answer)`, `refused(error)`, `skipped()` end it. */
  constructor(task, { save, finished, refused, skipped }) {
    Object.assign(this, { task, refused, skipped });
    this.position = task.position;
    this.pieces = piecesAt(this.position);
    this.queue = new Queue(task, api, {
      save,
      changed: () => this.show(),
      finished: (answer) => this.close(() => finished(answer)),
      refused: (error) => this.close(() => refused(error)),
    });
  }

  async open() {
    this.head();
    showSection("task");
    await this.makeBoard();
    this.isReview = this.task.mode === "review";
    for (const part of document.querySelectorAll("[data-list-only]")) {
      part.hidden = this.isReview;
    }
    id("question-card").hidden = !this.isReview;
    if (this.isReview) {
      this.questions = new Questions(this);
    } else {
      this.listParts();
    }
    this.buttons();
    this.clock = new Clock(this.task.shownAt, this.task.time_limit_ms, {
      shown: (left) => this.showClock(left),
      ended: () => this.timeIsUp(),
    });
    this.watchPartner();
    this.show();
    id("task-title").focus({ preventScroll: true });
    this.queue.wake();
  }

  /** Ends everything that runs, then calls `after`. */
  close(after) {
    this.closed = true;
    this.queue.stop();
    this.clock?.stop();
    clearInterval(this.partnerTimer);
    document.removeEventListener("keydown", this.keys);
    this.board?.destroy();
    after();
  }

  head() {
    const words = MODES[this.task.mode];
    id("task-title").textContent = words.title;
    id("task-help").textContent = words.help;
    id("mode-badge").textContent = words.badge;
    const facts = factsOf(this.position.fen);
    id("turn").textContent = facts.turn + (this.position.chess960 ? " (Chess960: the king takes its rook to castle)" : "");
    id("castling").textContent = facts.castling;
    id("passant").textContent = facts.passant;
    id("clock").hidden = this.task.time_limit_ms === null;
    void showRules(this.position);
  }

  async makeBoard() {
    this.orientation = this.position.side_to_move;
    this.board = await boardOf(this.position, id("board"), {
      orientation: this.orientation,
      side: this.task.mode === "review" || this.task.finishing ? null : this.position.side_to_move,
      onMove: (move) => this.give(move),
      label: `Chessboard, ${this.position.side_to_move} to move`,
    });
  }

  listParts() {
    this.list = new ListView(this.pieces, this.position.chess960, {
      removed: (move) => this.act("remove", move),
      pointed: (move) => this.board.arrows(move ? [{ ...partsOf(move), kind: "good" }] : []),
    });
    this.typing = new Typing(this.pieces, this.position, (move) => this.give(move));
  }

  buttons() {
    id("flip").onclick = () => this.flip();
    id("undo").onclick = () => this.undo();
    id("skip").onclick = () => this.skip();
    id("finish").onclick = () => this.askToFinish();
    id("make").hidden = !drawnBoardIsThere() || Boolean(this.position.card);
    id("make").textContent = boardMake() === "cm" ? "Use the plain board" : "Use the drawn board";
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
    const move = textOf(oneForm(this.pieces, parts, this.position.chess960));
    const moves = movesOf(this.task.events);
    if (moves.includes(move)) {
      this.list.pointOut(move);
      say(`${this.spoken(move)} is on your list already.`);
    } else {
      this.act("add", move);
    }
  }

  act(op, move) {
    if (this.task.finishing || this.closed) {
      return;
    }
    this.queue.add(op, move, this.clock.now());
    this.list.pointOut(null);
    const { from, to } = partsOf(move);
    this.board.highlight("last", op === "add" ? [from, to] : []);
    const count = counted(movesOf(this.task.events).length, "move");
    say(`${this.spoken(move)} ${op === "add" ? "added" : "removed"}, ${count} on your list.`);
  }

  /** Another window has done more to this list: what it has stays, and what is only here comes after. */
  joinOther(other) {
    const isAhead = other?.token === this.task.token && other.events.length > this.task.events.length;
    if (!this.closed && isAhead) {
      const acknowledged = Math.max(this.task.acknowledged, other.acknowledged);
      Object.assign(this.task, merge(other.events, this.task.events, this.task.acknowledged), { acknowledged });
      this.show();
      this.queue.wake();
    }
  }

  answer(move, op) {
    if (!this.task.finishing && !this.closed) {
      this.queue.add(op, move, this.clock.now());
    }
  }

  undo() {
    const step = this.isReview ? null : undoing(this.task.events);
    if (step) {
      this.act(step.op, step.move);
      this.board.arrows([]);
    }
  }

  async flip() {
    this.orientation = this.orientation === "white" ? "black" : "white";
    await this.board.setOrientation(this.orientation);
    say(`${this.orientation} is at the bottom`);
  }

  async changeMake() {
    chooseMake(boardMake() === "cm" ? "table" : "cm");
    this.board.destroy();
    id("board").className = "";
    await this.makeBoard();
    this.questions?.draw();
    this.buttons();
  }

  spoken(move) {
    return spokenForm(this.pieces, move, this.position.chess960);
  }

  show() {
    if (this.closed || !this.clock) {
      return;
    }
    const moves = movesOf(this.task.events);
    this.list?.show(moves, Boolean(this.task.finishing));
    this.questions?.show();
    id("undo").disabled = this.task.finishing || !undoing(this.task.events);
    id("finish").disabled = this.task.finishing;
    id("skip").disabled = this.task.finishing;
    id("typed").disabled = this.task.finishing;
    this.showNetwork();
  }

  showNetwork() {
    const { waiting, trouble } = this.queue;
    const what = counted(waiting, this.isReview ? "answer" : "step");
    let text = "";
    if (trouble && (waiting > 0 || this.task.finishing)) {
      const why = trouble.kind === "busy" ? "the server is busy" : trouble.kind === "network" ? "no network" : "the server has a problem";
      const kept = waiting > 0 ? `${what} ${waiting === 1 ? "waits" : "wait"}` : "your finish waits";
      text = `${kept} to be sent (${why}). Nothing is lost; it is tried again by itself.`;
    } else if (this.task.finishing) {
      text = "Finishing…";
    } else if (this.task.events.length > 0 && waiting === 0) {
      text = "Everything is saved.";
    }
    const line = id("network");
    if (Boolean(trouble) !== line.classList.contains("waiting")) {
      say(text);
    }
    line.textContent = text;
    line.classList.toggle("waiting", Boolean(trouble));
  }

  showClock(left) {
    const clock = id("clock");
    clock.textContent = minutes(left);
    const short = left <= 15_000;
    if (short && !clock.classList.contains("short")) {
      say("15 seconds left");
    }
    clock.classList.toggle("short", short);
  }

  timeIsUp() {
    if (!this.task.finishing) {
      say("The time is up.");
      this.finish();
    }
  }

  finish() {
    this.board.setInteractive(null);
    this.queue.finish();
  }

  async askToFinish() {
    const words = this.isReview
      ? { title: "Finish these answers?", text: this.questions.finishText(), stay: "Go on answering" }
      : { title: "Finish this list?", text: this.listFinishText(), stay: "Go on listing" };
    if ((await confirmed({ ...words, go: "Finish" })) && !this.closed) {
      this.finish();
    }
  }

  listFinishText() {
    const count = movesOf(this.task.events).length;
    const nothing = this.task.mode === "missing" ? "nothing is missing" : "there is no legal move here";
    const said = count === 0 ? `You listed no move. That says that ${nothing}.` : `You listed ${counted(count, "move")}.`;
    return `${said} A finished list cannot be changed.`;
  }

  /** What skipping would throw away, or null where nothing is on the list. */
  atStake() {
    const { events } = this.task;
    if (events.length === 0) {
      return null;
    }
    return this.isReview ? counted(answersOf(events).size, "answer") : counted(movesOf(events).length, "move");
  }

  async skip() {
    const what = this.atStake();
    const words = { title: `Skip and throw away ${what}?`, text: "The position goes to someone else.", stay: "Keep it", go: "Skip" };
    if (what !== null && (!(await confirmed(words)) || this.closed)) {
      return;
    }
    id("skip").disabled = true;
    try {
      await api.sendSkip(this.task.token);
      this.close(() => this.skipped());
    } catch (error) {
      if (error.passes || error.kind === "tooManyLeft") {
        id("skip").disabled = false;
        const why = error.passes ? "the server is not reached" : error.message;
        id("network").textContent = `The position cannot be skipped now: ${why}. Your list is kept.`;
        say(id("network").textContent);
      } else {
        this.close(() => this.refused(error));
      }
    }
  }

  watchPartner() {
    const badge = id("partner");
    badge.hidden = this.task.mode !== "pair";
    if (badge.hidden) {
      return;
    }
    const shown = (partner) => {
      if (badge.textContent !== PARTNER[partner]) {
        badge.textContent = PARTNER[partner] ?? PARTNER.waiting;
        say(badge.textContent);
      }
    };
    shown(this.task.partner);
    this.partnerTimer = setInterval(async () => {
      try {
        shown((await api.assignment(this.task.token)).partner);
      } catch {
        // The list matters, not this; it is asked again.
      }
    }, PARTNER_EVERY_MS);
  }
}
