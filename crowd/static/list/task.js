// A list at hand: the board, the moves on the list, typed moves or the questions of a second look, the clock, and the end.

import { askPromotion, createBoard, piecesOf } from "../board.js";
import { byId, make, makeButton, message, say } from "../dom.js";
import { t } from "../texts.js";
import * as server from "./sending.js";
import { ApiError, Queue, answersOf, merge, movesOf, undoing } from "./sending.js";
import { asksPromotion, factsOf, longForm, oneForm, partsOf, readTyped, spokenForm, textOf } from "./words.js";

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
    const before = server.kept(name);
    if (before) {
      Object.assign(this.state, merge(list.events, before.events, before.acknowledged), { finishing: before.finishing });
    }
    this.shownAt = performance.now() - list.elapsed_ms;
    this.queue = new Queue(this.state, {
      begin: async () => this.begun(await begin()),
      save: () => server.keep(this.name, this.state),
      changed: () => this.show(),
      finished: (result) => this.end(() => finished(result, this.state.token)),
      refused: (error) => this.end(() => lost(error, this.state.token)),
    });
  }

  /** The server has it now, perhaps with what another window or device has sent. */
  begun(list) {
    if (list.state !== "open") {
      throw new ApiError("frozen", "the list is finished", { token: list.list });
    }
    this.state.token = list.list;
    // The server's clock began now, and not when the board was shown.
    const late = Math.round(performance.now() - this.shownAt - list.elapsed_ms);
    const events = this.state.events.map((event) => ({ ...event, at_ms: Math.max(0, event.at_ms - late) }));
    this.shownAt += late;
    Object.assign(this.state, merge(list.events, events, 0));
  }

  async open() {
    const { side_to_move: side } = this.position;
    const isReview = this.list.purpose === "review";
    byId("making").hidden = isReview;
    byId("questions").hidden = !isReview;
    byId("result").hidden = true;
    byId("task-title").textContent = t(isReview ? "task-review" : "task", { side });
    byId("facts").textContent = factsOf(this.position.fen);
    this.orientation = side;
    this.board?.destroy();
    byId("board").replaceChildren();
    this.board = createBoard(byId("board"), {
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
      this.chips = new Chips(byId("list"), this.pieces, this.chess960, {
        removed: (move) => this.act("remove", move),
        pointed: (move) => this.board.arrows(move ? [{ ...partsOf(move), kind: "good" }] : []),
      });
      this.typing = new Typing(this.pieces, this.position, (move) => this.give(move));
    }
    this.buttons();
    this.unwatch = server.watchKept(this.name, () => this.join(server.kept(this.name)));
    this.timer = setInterval(() => this.tick(), 250);
    if (this.list.purpose === "pair") {
      this.partnerTimer = setInterval(() => this.askForPartner(), PARTNER_EVERY_MS);
    }
    this.tick();
    this.show();
    this.queue.wake();
  }

  buttons() {
    byId("finish").onclick = () => this.askToFinish();
    byId("undo").onclick = () => this.undo();
    byId("flip").onclick = () => this.flip();
    byId("skip").onclick = () => this.skip();
    byId("skip").hidden = !["campaign", "pair", "review"].includes(this.list.purpose);
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
        await server.sendSkip(this.state.token);
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
      const { partner } = await server.list(this.state.token);
      byId("network").textContent = partner ? t(`partner-${partner}`) : "";
    } catch {
      // It is asked again in a moment.
    }
  }

  /** The time that is left, if there is a limit. */
  tick() {
    const passed = performance.now() - this.shownAt;
    const { limit_ms: limit } = this.list;
    byId("clock").hidden = limit === null;
    if (limit === null) {
      return;
    }
    const left = Math.max(0, limit - passed);
    const seconds = Math.ceil(left / 1000);
    byId("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    byId("clock").classList.toggle("is-short", left < 10_000);
    if (left === 0) {
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
    byId("empty").hidden = moves.length > 0;
    byId("finish").disabled = finishing;
    byId("undo").disabled = finishing || !undoing(events);
    this.showNetwork();
  }

  showNetwork() {
    const { waiting, trouble } = this.queue;
    byId("network").dataset.waiting = waiting;
    let text = "";
    if (trouble && (waiting > 0 || this.state.finishing)) {
      text = t(trouble.kind === "network" ? "offline" : "not-sent", { n: waiting });
    } else if (this.state.finishing) {
      text = t("finishing");
    }
    if (byId("network").textContent !== text && this.list.purpose !== "pair") {
      byId("network").textContent = text;
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
    server.forget();
    byId("clock").hidden = true;
    after();
  }
}

// The list as it is seen: moves as pills below the board, the newest first, each with a button that takes it off.
class Chips {
  /** `removed(move)` and `pointed(move | null)` are called when a person takes a move off, or points at it. */
  constructor(root, pieces, chess960, { removed, pointed }) {
    Object.assign(this, { root, pieces, chess960, removed, pointed });
    root.replaceChildren();
  }

  /** Shows these moves; those that are there already stay what they are. */
  show(moves, frozen) {
    const there = new Map([...this.root.children].map((item) => [item.dataset.move, item]));
    // The newest is in sight, however long the list is.
    this.root.replaceChildren(...moves.toReversed().map((move) => there.get(move) ?? this.item(move)));
    for (const button of this.root.querySelectorAll("button")) {
      button.disabled = frozen;
    }
    this.root.dataset.count = moves.length || "";
  }

  /** Points out that a move is on the list already. */
  pointOut(move) {
    for (const item of this.root.children) {
      item.classList.toggle("twice", item.dataset.move === move);
    }
  }

  item(move) {
    const item = make("li", { "data-move": move, class: "is-new" });
    item.addEventListener("animationend", () => item.classList.remove("is-new"), { once: true });
    const name = t("remove-move", { move: spokenForm(this.pieces, move, this.chess960) });
    const remove = () => {
      const next = item.nextElementSibling ?? item.previousElementSibling;
      this.removed(move);
      next?.querySelector("button").focus();
    };
    for (const [enter, leave] of [["pointerenter", "pointerleave"], ["focusin", "focusout"]]) {
      item.addEventListener(enter, () => this.pointed(move));
      item.addEventListener(leave, () => this.pointed(null));
    }
    item.append(make("span", { text: longForm(this.pieces, move, this.chess960) }), makeButton("×", remove, { "aria-label": name }));
    return item;
  }
}

// The field for typed moves: reads them, asks which one where there is more than one reading.
class Typing {
  /** `given({ from, to, promotion })` is called with each move. */
  constructor(pieces, position, given) {
    Object.assign(this, { pieces, position, given });
    this.field = byId("typed");
    byId("type-form").onsubmit = (event) => {
      event.preventDefault();
      this.read();
    };
    this.field.oninput = () => this.clear();
    this.clear();
  }

  clear() {
    byId("typed-error").textContent = "";
    byId("which").hidden = true;
    this.field.removeAttribute("aria-invalid");
  }

  read() {
    this.clear();
    const text = this.field.value;
    if (text.trim() === "") {
      return;
    }
    const { moves, error } = readTyped(text, this.pieces, this.position.side_to_move, this.position.chess960);
    if (error) {
      byId("typed-error").textContent = error;
      this.field.setAttribute("aria-invalid", "true");
    } else if (moves.length === 1) {
      void this.take(moves[0]);
    } else {
      this.ask(moves);
    }
  }

  ask(moves) {
    byId("which-choices").replaceChildren(...moves.map((move) => this.choice(move)));
    byId("which").hidden = false;
    say(t("which-say", { n: moves.length }));
    byId("which-choices").firstElementChild.focus();
  }

  choice(move) {
    const name = spokenForm(this.pieces, textOf(move), this.position.chess960);
    return makeButton(t("which-from", { square: move.from }), () => this.take(move), { "aria-label": name });
  }

  async take(move) {
    this.clear();
    const { from, to } = move;
    let { promotion } = move;
    if (!asksPromotion(this.pieces, move)) {
      promotion = null;
    } else if (!promotion) {
      promotion = await askPromotion(this.position.side_to_move, to);
      if (promotion === null) {
        this.field.focus();
        return;
      }
    }
    this.field.value = "";
    this.given({ from, to, promotion });
    this.field.focus();
  }
}

// The second look: one move after the other, possible or not.
class Questions {
  /** `task` has the list with its questions, the board and the way to the server. */
  constructor(task) {
    this.task = task;
    this.moves = task.list.questions;
    this.at = Math.max(0, this.moves.findIndex((move) => !this.answers().has(move)));
    this.text = make("p", { class: "question" });
    this.progress = make("p", { class: "small muted" });
    this.yes = makeButton(t("answer-yes"), () => this.answer("yes"), { class: "primary" });
    this.no = makeButton(t("answer-no"), () => this.answer("no"), { class: "primary" });
    this.back = makeButton(t("answer-back"), () => this.go(-1), { class: "quiet" });
    this.finish = makeButton(t("finish"), () => task.askToFinish(), { class: "quiet" });
    const skip = makeButton(t("skip-position"), () => task.skip(), { class: "quiet" });
    const row = (...buttons) => make("p", { class: "row" }, ...buttons);
    byId("questions").replaceChildren(this.text, row(this.yes, this.no), this.progress, row(this.back, this.finish, skip));
    this.draw();
  }

  answers() {
    return answersOf(this.task.state.events);
  }

  get move() {
    return this.moves[this.at];
  }

  answer(op) {
    this.task.act(op, this.move);
    if (this.at + 1 < this.moves.length) {
      this.go(1);
    } else {
      void this.task.askToFinish();
    }
  }

  go(step) {
    this.at = Math.min(this.moves.length - 1, Math.max(0, this.at + step));
    this.draw();
  }

  draw() {
    this.text.textContent = t("question", { move: this.task.spoken(this.move) });
    this.task.board.arrows([{ ...partsOf(this.move), kind: "question" }]);
    say(this.text.textContent);
    this.show();
  }

  show() {
    const given = this.answers().get(this.move);
    this.progress.textContent = t("question-progress", { at: this.at + 1, of: this.moves.length, n: this.answers().size });
    this.yes.setAttribute("aria-pressed", String(given === "yes"));
    this.no.setAttribute("aria-pressed", String(given === "no"));
    this.back.disabled = this.at === 0;
    for (const button of [this.yes, this.no, this.finish]) {
      button.disabled = this.task.state.finishing;
    }
  }

  finishText() {
    const open = this.moves.length - this.answers().size;
    const rest = open > 0 ? [t("finish-answers-open", { n: open })] : [];
    return [t("finish-answers-text", { n: this.answers().size }), ...rest, t("finish-answers-fixed")].join(" ");
  }
}

/** Asks in the page's own dialog; resolves to whether the answer is yes. `stay` and `go` are the two answers. */
function confirmed({ title, text, stay, go }) {
  const dialog = byId("confirm");
  byId("confirm-title").textContent = title;
  byId("confirm-text").textContent = text;
  dialog.querySelector("[value=no]").textContent = stay;
  dialog.querySelector("[value=yes]").textContent = go;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    // The event of the closing before may come when the dialog is open again.
    dialog.onclose = () => dialog.open || resolve(dialog.returnValue === "yes");
  });
}
