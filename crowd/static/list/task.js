// A list at hand: the board, the moves on the list, the clock, and the way to the server.

import { createBoard, piecesOf } from "../board.js";
import { t } from "../texts.js";
import * as api from "./api.js";
import { Chips } from "./chips.js";
import { confirmed } from "./confirm.js";
import { id, message, say } from "./dom.js";
import { merge, movesOf, undoing } from "./events.js";
import * as kept from "./kept.js";
import { Queue } from "./queue.js";
import { Questions } from "./questions.js";
import { Typing } from "./typing.js";
import { factsOf, oneForm, partsOf, spokenForm, textOf } from "./words.js";

const PARTNER_EVERY_MS = 5000;

/** Before the server knows of a list: what it will be, for a position that the page has already. */
export const unbegun = (position, purpose) => ({ list: null, purpose, position, limit_ms: null, elapsed_ms: 0, events: [] });

export class Task {
  /**
   * `list` is as the server has it, or `unbegun`. `begin()` gives the server's; `name` is what the list is kept under
   * until then. `finished(result, token)`, `skipped()` and `lost(error)` end the task.
   */
  constructor(list, { begin, name = list.list, finished, skipped, lost }) {
    Object.assign(this, { list, name, finished, skipped, lost });
    this.position = list.position;
    this.chess960 = list.position.chess960;
    this.pieces = piecesOf(list.position.fen);
    this.state = { token: list.list, events: list.events, acknowledged: list.events.length, finishing: false };
    const before = kept.read(name);
    if (before) {
      Object.assign(this.state, merge(list.events, before.events, before.acknowledged), { finishing: before.finishing });
    }
    this.shownAt = performance.now() - list.elapsed_ms;
    this.queue = new Queue(this.state, api, {
      begin: async () => this.begun(await begin()),
      save: () => kept.keep(this.name, this.state),
      changed: () => this.show(),
      finished: (result) => this.end(() => finished(result, this.state.token)),
      refused: (error) => this.end(() => lost(error, this.state.token)),
    });
  }

  /** The server has it now, perhaps with what another window or device has sent. */
  begun(list) {
    if (list.state !== "open") {
      throw new api.ApiError("frozen", "the list is finished", { token: list.list });
    }
    this.state.token = list.list;
    Object.assign(this.state, merge(list.events, this.state.events, 0));
  }

  async open() {
    const { side_to_move: side } = this.position;
    const isReview = this.list.purpose === "review";
    id("making").hidden = isReview;
    id("questions").hidden = !isReview;
    id("result").hidden = true;
    id("task-title").textContent = t(isReview ? "task-review" : "task", { side });
    id("facts").textContent = factsOf(this.position.fen);
    this.orientation = side;
    this.board?.destroy();
    id("board").replaceChildren();
    this.board = createBoard(id("board"), {
      fen: this.position.fen,
      chess960: this.chess960,
      orientation: side,
      side: isReview || this.state.finishing ? null : side,
      onMove: (move) => this.give(move),
      label: t("board-label-turn", { side }),
    });
    if (isReview) {
      this.questions = new Questions(this);
    } else {
      this.chips = new Chips(id("list"), this.pieces, this.chess960, {
        removed: (move) => this.act("remove", move),
        pointed: (move) => this.board.arrows(move ? [{ ...partsOf(move), kind: "good" }] : []),
      });
      this.typing = new Typing(this.pieces, this.position, (move) => this.give(move));
    }
    this.buttons();
    this.unwatch = kept.watch(this.name, () => this.join(kept.read(this.name)));
    this.timer = setInterval(() => this.tick(), 250);
    if (this.list.purpose === "pair") {
      this.partnerTimer = setInterval(() => this.askForPartner(), PARTNER_EVERY_MS);
    }
    this.tick();
    this.show();
    this.queue.wake();
  }

  buttons() {
    id("finish").onclick = () => this.askToFinish();
    id("undo").onclick = () => this.undo();
    id("flip").onclick = () => this.flip();
    id("skip").onclick = () => this.skip();
    id("skip").hidden = !["campaign", "pair", "review"].includes(this.list.purpose);
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
    const move = textOf(oneForm(this.pieces, parts, this.chess960));
    if (movesOf(this.state.events).includes(move)) {
      this.chips.pointOut(move);
      say(t("move-twice", { move: this.spoken(move) }));
    } else {
      this.act("add", move);
    }
  }

  /** An edit of the list, or an answer to a question. */
  act(op, move) {
    if (this.state.finishing || this.closed) {
      return;
    }
    this.queue.add(op, move, performance.now() - this.shownAt);
    if (op === "yes" || op === "no") {
      return;
    }
    const { from, to } = partsOf(move);
    this.board.highlight("last", op === "add" ? [from, to] : []);
    this.board.arrows([]);
    this.chips.pointOut(null);
    say(t(op === "add" ? "move-added" : "move-removed", { move: this.spoken(move), n: movesOf(this.state.events).length }));
  }

  undo() {
    const step = undoing(this.state.events);
    if (step && this.chips) {
      this.act(step.op, step.move);
    }
  }

  flip() {
    this.orientation = this.orientation === "white" ? "black" : "white";
    this.board.setOrientation(this.orientation);
    say(t("board-bottom", { side: this.orientation }));
  }

  async skip() {
    const n = movesOf(this.state.events).length;
    const isSure = n === 0 || (await confirmed({ title: t("skip-moves", { n }), text: t("skip-text"), stay: t("skip-stay"), go: t("skip-go") }));
    if (!isSure) {
      return;
    }
    try {
      if (this.state.token) {
        await api.sendSkip(this.state.token);
      }
      this.end(() => this.skipped());
    } catch (error) {
      message(error.passes ? "warn" : "bad", error.kind === "tooManyLeft" ? t("skip-none-left") : t("skip-failed"));
    }
  }

  async askToFinish() {
    const n = movesOf(this.state.events).length;
    const text = this.questions ? this.questions.finishText() : t(n === 0 ? "finish-list-none" : "finish-list-text", { n });
    if (await confirmed({ title: t("is-that-all"), text, stay: t("go-on-looking"), go: t("finish") })) {
      this.finish();
    }
  }

  finish() {
    if (!this.state.finishing && !this.closed) {
      this.board.setInteractive(null);
      this.queue.finish();
    }
  }

  /** Another window has done more to this list: what it has stays, and what is only here comes after. */
  join(other) {
    if (!this.closed && other && other.events.length > this.state.events.length) {
      const acknowledged = Math.max(this.state.acknowledged, other.acknowledged);
      Object.assign(this.state, merge(other.events, this.state.events, this.state.acknowledged), { acknowledged });
      this.show();
      this.queue.wake();
    }
  }

  async askForPartner() {
    try {
      const { partner } = await api.list(this.state.token);
      id("network").textContent = partner ? t(`partner-${partner}`) : "";
    } catch {
      // It is asked again in a moment.
    }
  }

  /** The time that is left, or that has passed on the board of the day and in a class. */
  tick() {
    const passed = performance.now() - this.shownAt;
    const { limit_ms: limit, purpose } = this.list;
    const isTimed = limit !== null;
    id("clock").hidden = !isTimed && !(["daily", "class"].includes(purpose) && this.state.events.length > 0);
    const shown = isTimed ? Math.max(0, limit - passed) : passed;
    const seconds = isTimed ? Math.ceil(shown / 1000) : Math.floor(shown / 1000);
    id("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    id("clock").classList.toggle("is-short", isTimed && shown < 10_000);
    if (isTimed && passed >= limit) {
      this.finish();
    }
  }

  spoken(move) {
    return spokenForm(this.pieces, move, this.chess960);
  }

  show() {
    if (this.closed || !this.board) {
      return;
    }
    const { events, finishing } = this.state;
    const moves = movesOf(events);
    this.chips?.show(moves, finishing);
    this.questions?.show();
    id("empty").hidden = moves.length > 0;
    id("finish").disabled = finishing;
    id("undo").disabled = finishing || !undoing(events);
    this.showNetwork();
  }

  showNetwork() {
    const { waiting, trouble } = this.queue;
    id("network").dataset.waiting = waiting;
    let text = "";
    if (trouble && (waiting > 0 || this.state.finishing)) {
      text = t(trouble.kind === "network" ? "offline" : "not-sent", { n: waiting });
    } else if (this.state.finishing) {
      text = t("finishing");
    }
    if (id("network").textContent !== text && this.list.purpose !== "pair") {
      id("network").textContent = text;
    }
  }

  /** Ends everything that runs, then calls `after`. */
  end(after) {
    this.closed = true;
    this.queue.stop();
    this.unwatch?.();
    clearInterval(this.timer);
    clearInterval(this.partnerTimer);
    document.removeEventListener("keydown", this.keys);
    kept.forget();
    id("clock").hidden = true;
    after();
  }
}
