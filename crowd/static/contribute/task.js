// One position at hand: the board, the list or the questions, the clock, and the way to the server.

import { boardMake, chooseMake, drawnBoardIsThere } from "../board.js";
import * as api from "./api.js";
import { boardOf } from "./boards.js";
import { Clock, minutes } from "./clock.js";
import { confirmed } from "./confirm.js";
import { id, say, showSection } from "./dom.js";
import { answersOf, merge, movesOf, undoing } from "./events.js";
import { ListView } from "./list.js";
import { MODES, PARTNER } from "./modes.js";
import { Queue } from "./queue.js";
import { Questions } from "./review.js";
import { Typing } from "./typing.js";
import { factsOf, oneForm, partsOf, spokenForm, textOf } from "./words.js";
import { piecesOf } from "../board/squares.js";
import { t } from "../texts.js";

const PARTNER_EVERY_MS = 5000;

export class Task {
  /** `task` is what the browser keeps of it; `save()` keeps it; `finished(answer)`, `refused(error)`, `skipped()` end it. */
  constructor(task, { save, finished, refused, skipped }) {
    Object.assign(this, { task, refused, skipped });
    this.position = task.position;
    this.pieces = piecesOf(this.position.fen);
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
    id("turn").textContent = this.position.chess960 ? t("turn-960", { side: facts.turn }) : facts.turn;
    id("castling").textContent = facts.castling;
    id("passant").textContent = facts.passant;
    id("clock").hidden = this.task.time_limit_ms === null;
  }

  async makeBoard() {
    this.orientation = this.position.side_to_move;
    this.board = await boardOf(this.position, id("board"), {
      orientation: this.orientation,
      side: this.task.mode === "review" || this.task.finishing ? null : this.position.side_to_move,
      onMove: (move) => this.give(move),
      label: t("board-label-turn", { side: this.position.side_to_move }),
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
    id("make").hidden = !drawnBoardIsThere();
    id("make").textContent = t(boardMake() === "cm" ? "use-plain" : "use-drawn");
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
      say(t("move-twice", { move: this.spoken(move) }));
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
    const n = movesOf(this.task.events).length;
    say(t(op === "add" ? "move-added" : "move-removed", { move: this.spoken(move), n }));
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
    say(t("board-bottom", { side: this.orientation }));
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
    let text = "";
    if (trouble && (waiting > 0 || this.task.finishing)) {
      const why = t(trouble.kind === "busy" ? "why-busy" : trouble.kind === "network" ? "why-network" : "why-server");
      const what = this.isReview ? "sending-answers" : "sending-steps";
      text = t(waiting > 0 ? what : "sending-finish", { n: waiting, why });
    } else if (this.task.finishing) {
      text = t("finishing");
    } else if (this.task.events.length > 0 && waiting === 0) {
      text = t("saved");
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
      say(t("seconds-left"));
    }
    clock.classList.toggle("short", short);
  }

  timeIsUp() {
    if (!this.task.finishing) {
      say(t("time-up"));
      this.finish();
    }
  }

  finish() {
    this.board.setInteractive(null);
    this.queue.finish();
  }

  async askToFinish() {
    const words = this.isReview
      ? { title: t("finish-answers"), text: this.questions.finishText(), stay: t("go-on-answering") }
      : { title: t("confirm-finish"), text: this.listFinishText(), stay: t("go-on-listing") };
    if ((await confirmed({ ...words, go: t("finish") })) && !this.closed) {
      this.finish();
    }
  }

  listFinishText() {
    const count = movesOf(this.task.events).length;
    const nothing = this.task.mode === "missing" ? "finish-missing-none" : "finish-list-none";
    return t(count === 0 ? nothing : "finish-list-text", { n: count });
  }

  /** The question whether to throw away what is on the list, or null where nothing is. */
  skipTitle() {
    const { events } = this.task;
    if (events.length === 0) {
      return null;
    }
    return this.isReview ? t("skip-answers", { n: answersOf(events).size }) : t("skip-moves", { n: movesOf(events).length });
  }

  async skip() {
    const title = this.skipTitle();
    const words = { title, text: t("skip-text"), stay: t("skip-stay"), go: t("skip-go") };
    if (title !== null && (!(await confirmed(words)) || this.closed)) {
      return;
    }
    id("skip").disabled = true;
    try {
      await api.sendSkip(this.task.token);
      this.close(() => this.skipped());
    } catch (error) {
      if (error.passes || error.kind === "tooManyLeft") {
        id("skip").disabled = false;
        id("network").textContent = t(error.passes ? "skip-failed" : "skip-none-left");
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
