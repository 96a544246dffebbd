// The page where lists are made: which list comes, a class and its positions, and what is shown after a list.

import { createBoard, piecesOf } from "../board.js";
import { byId, make, makeButton, message, noMessage, say } from "../dom.js";
import { t } from "../texts.js";
import * as server from "./sending.js";
import { Task, unbegun } from "./task.js";
import { longForm, partsOf } from "./words.js";

const data = JSON.parse(byId("data").content.textContent);
const campaign = data.campaign ?? null;

class Page {
  constructor() {
    this.known = data.known;
    this.class = data.class ? new ClassRun(data.class, this) : null;
  }

  start() {
    if (this.class) {
      this.class.start();
    } else if (data.result) {
      this.result(data.result, data.result.list);
    } else if (data.list) {
      this.task(data.list);
    } else if (data.today) {
      this.today(data.today);
    } else {
      void this.next();
    }
  }

  /** The board of the day; the server knows of the list when its first move is made. */
  today({ day, position, list }) {
    const wish = { purpose: "daily" };
    this.task(list ?? unbegun(position, "daily"), { name: `today-${day}`, wish });
  }

  /** Gets a session, if the browser has none, and begins a list. */
  async begin(wish) {
    if (!this.known) {
      await server.enter();
      this.known = true;
    }
    return server.begin(wish);
  }

  /** The next list; of the purpose that the person has chosen, or that the server chooses. */
  async next(purpose = null) {
    noMessage();
    try {
      const list = await this.begin(this.class ? this.class.wish() : { purpose, campaign });
      this.task(list);
    } catch (error) {
      this.failed(error, () => this.next(purpose));
    }
  }

  task(list, { name, wish } = {}) {
    this.view?.close?.();
    noMessage();
    this.view = new Task(list, {
      name,
      begin: () => this.begin(wish),
      finished: (result, token) => this.result(result, token),
      skipped: () => void this.next(),
      lost: (error, token) => this.lost(error, token ?? error.token),
    });
    this.class?.showSteps(list.number);
    void this.view.open();
  }

  result(result, token) {
    this.view?.board?.destroy();
    this.class?.finished(result);
    const next = this.class ? t(this.class.isOver() ? "all-results" : "next-position") : t("next-position");
    this.view = new ResultView(result, token, {
      next: [next, () => (this.class?.isOver() ? this.class.end() : this.next())],
      offered: (purpose) => this.next(purpose),
    });
    void this.view.open();
  }

  /** A list that goes on no more: finished elsewhere, over, or somebody else's. */
  async lost(error, token) {
    if (error.kind === "stranger") {
      this.known = false;
    }
    if (error.kind === "frozen" && token) {
      try {
        this.result(await server.result(token), token);
        return;
      } catch {
        // What was wrong is told below.
      }
    }
    this.failed(error, () => this.next());
  }

  failed(error, again) {
    server.forget();
    if (this.class?.refused(error)) {
      return;
    }
    if (error.kind === "busy" && error.retryAfterMs) {
      byId("making").hidden = true;
      message("warn", t("busy-wait", { n: Math.ceil(error.retryAfterMs / 1000) }));
      setTimeout(again, error.retryAfterMs);
      return;
    }
    const texts = { nothing: "nothing-left", tooManyLeft: "too-many-left", gone: "list-gone", stranger: "list-stranger" };
    const text = error.passes ? t("unreachable") : t(texts[error.kind] ?? "list-gone");
    const isEnd = error.kind === "nothing" || error.kind === "tooManyLeft";
    byId("making").hidden = true;
    message(error.passes ? "warn" : "bad", text, isEnd ? [] : [[t("try-again"), again]]);
    byId("messages").focus();
  }
}

// A class: joining it, its positions one after the other, and what came of all of them.
class ClassRun {
  /** `page` begins lists and shows results. */
  constructor({ code, student }, page) {
    Object.assign(this, { code, student, page });
    this.title = byId("task-title").textContent;
    this.number = null;
    byId("join-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.join();
    });
  }

  start() {
    if (!this.student) {
      this.askToJoin();
    } else if (this.isOver()) {
      void this.end();
    } else {
      this.toList();
      void this.page.next();
    }
  }

  wish() {
    return { purpose: "class", class: this.code };
  }

  askToJoin() {
    byId("task").hidden = true;
    byId("join").hidden = false;
    byId("name").focus();
  }

  toList() {
    byId("join").hidden = true;
    byId("task").hidden = false;
  }

  async join() {
    byId("name-error").textContent = "";
    byId("name").removeAttribute("aria-invalid");
    try {
      await server.enter();
      this.page.known = true;
      await server.join(this.code, byId("name").value.trim());
      this.student = await server.student(this.code);
      this.start();
    } catch (error) {
      const named = ["bad-name", "nickname-taken", "class-full"].includes(error.slug);
      byId("name-error").textContent = named ? t(`join-${error.slug}`) : t(error.passes ? "unreachable" : "class-gone");
      byId("name").setAttribute("aria-invalid", "true");
      byId("name").focus();
    }
  }

  /** One dot for each position. */
  showSteps(number) {
    this.number = number;
    const answers = new Map(this.student.answers.map((answer) => [answer.number, answer]));
    const dots = Array.from({ length: this.student.positions }, (_, at) => {
      const answer = answers.get(at + 1);
      const dot = make("li", { text: String(at + 1), class: answer?.finished && "done" });
      dot.append(make("span", { text: ` ${t(answer?.finished ? "day-finished" : "step-open")}`, class: "visually-hidden" }));
      if (at + 1 === number) {
        dot.setAttribute("aria-current", "step");
      }
      return dot;
    });
    byId("steps").replaceChildren(...dots);
    byId("steps").hidden = false;
  }

  /** Notes that the list at hand is finished. */
  finished() {
    const others = this.student.answers.filter((answer) => answer.number !== this.number);
    this.student.answers = [...others, { number: this.number, finished: true }];
    this.showSteps(this.number);
  }

  isOver() {
    return this.student.answers.filter((answer) => answer.finished).length >= this.student.positions;
  }

  /** What came of all positions, each with the way to its result. */
  async end() {
    noMessage();
    try {
      this.student = await server.student(this.code);
    } catch {
      // What is known already is shown.
    }
    this.toList();
    this.showSteps(null);
    byId("task-title").textContent = t("run-finished");
    byId("board").hidden = true;
    byId("making").hidden = true;
    byId("result").hidden = false;
    const list = this.student.answers.toSorted((one, other) => one.number - other.number).map((answer) => this.score(answer));
    const leave = makeButton(t("class-somebody-else"), () => this.leave(), { class: "quiet" });
    const you = make("p", { class: "muted" }, `${t("class-you-are", { name: this.student.name })} `, leave);
    byId("result").replaceChildren(make("ol", { class: "scores" }, ...list), you);
    byId("task-title").focus({ preventScroll: true });
    say(t("run-finished"));
  }

  score({ number, list, found, wrong, legal, late }) {
    const parts = [Number.isInteger(legal) ? t("results-share", { found, of: legal }) : t("step-sent")];
    if (wrong > 0) parts.push(t("wrong-n", { n: wrong }));
    if (late) parts.push(t("after-time"));
    const link = make("a", { text: t("position-n", { n: number }), href: `/results/${encodeURIComponent(list)}` });
    return make("li", {}, link, make("span", { text: parts.join(", ") }));
  }

  /** Somebody else uses this browser now: they get a session of their own. */
  async leave() {
    try {
      await server.leave();
      location.reload();
    } catch {
      message("warn", t("unreachable"));
    }
  }

  /** Deals with a failure that is of the class; returns whether it was one. */
  refused(error) {
    if (error.kind === "allFinished") {
      void this.end();
    } else if (error.slug === "not-joined" || error.kind === "stranger") {
      this.askToJoin();
    } else if (error.slug === "no-class") {
      message("bad", t("class-gone"));
    } else {
      return false;
    }
    return true;
  }
}

// The result: how much was right in one line, each missed and each illegal move with its reason and one arrow, what the
// list was good for, and the way on.

const PARTNER_EVERY_MS = 5000;
const PARTNER_TRIES = 120;

/** "two rook moves and an en passant", of these moves; by piece, but for what people overlook most. */
function inWords(moves, pieces) {
  const special = { castling: "castling", "en-passant": "passant", promotion: "promotion" };
  const groups = new Map();
  for (const { move, kind } of moves) {
    const group = special[kind] ?? pieces.get(partsOf(move).from)?.[1] ?? "p";
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const named = [...groups].sort(([, one], [, other]) => other - one);
  // Either all numbers are words or none.
  const areFew = named.every(([, n]) => n <= 12);
  const words = named.map(([kind, n]) => t("moves-of-kind", { kind, n, number: areFew ? t("number", { n }) : String(n) }));
  const last = words.pop();
  return words.length === 0 ? (last ?? "") : t("and", { some: words.join(", "), last });
}

/** The line above the board. */
function headline(result, pieces) {
  const { state, purpose, found, missed, wrong } = result;
  if (state !== "known") {
    return t(purpose === "review" ? "answers-sent" : "list-sent", { n: result.moves });
  }
  if (purpose === "review") {
    return t("answers-right", { n: result.moves - missed.length - wrong.length, of: result.moves });
  }
  const of = found.length + missed.length;
  const illegal = wrong.length > 0 ? ` ${t("and-illegal", { n: wrong.length })}` : "";
  if (missed.length === 0) {
    return t("found-all", { n: of }) + illegal;
  }
  return t("found-some", { n: found.length, of, missed: inWords(missed, pieces) }) + illegal;
}

/** What the list was good for. */
function goodFor(result) {
  const { state, purpose, late, day, points } = result;
  if (state === "held") return [t("result-held")];
  if (state === "hidden") return [t("result-hidden")];
  if (state === "closed") return [t("result-closed")];
  if (state === "waiting") return [result.lacking ? t("result-lacking", { n: result.lacking }) : t("result-waiting")];
  if (late) return [t(purpose === "daily" || purpose === "class" ? "result-too-late" : "result-late")];
  if (day) {
    const others = day.others === 0 ? t("day-first") : t("day-beaten", { beaten: day.beaten, others: day.others });
    return [others, t("day-streak", { n: day.streak })];
  }
  return purpose === "class" ? [] : [t("result-points", { n: points })];
}

const reasonOf = (why = "") => {
  const text = why.replace(/^\S+ is (?:il)?legal: /, "");
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

class ResultView {
  /** `next` is the button's text and what it does; `offered(purpose)` begins what the server offers. */
  constructor(result, token, { next, offered }) {
    Object.assign(this, { result, token, next, offered });
    this.pieces = piecesOf(result.position.fen);
  }

  async open() {
    const { result } = this;
    const { fen, side_to_move: side, chess960 } = result.position;
    byId("making").hidden = true;
    byId("questions").hidden = true;
    byId("result").hidden = false;
    byId("board").replaceChildren();
    this.board = createBoard(byId("board"), { fen, chess960, orientation: side, side: null, interactive: false, label: t("board-label-turn", { side }) });
    this.show();
    byId("task-title").focus({ preventScroll: true });
    scrollTo({ top: 0 });
    say([byId("task-title").textContent, ...goodFor(result)].join(" "));
    // Whatever happens to this request, the worst is that the result is shown once more.
    server.seen(this.token).catch(() => {});
    if (result.purpose === "pair" && !result.agreement) {
      void this.waitForPartner();
    }
  }

  show() {
    const { result } = this;
    byId("task-title").textContent = headline(result, this.pieces);
    const way = make("p", { class: "row task-foot" }, makeButton(this.next[0], this.next[1], { class: "primary", id: "next" }));
    if (result.offer) {
      way.append(makeButton(t(`offer-${result.offer}`), () => this.offered(result.offer)));
    }
    const good = goodFor(result).map((line) => make("p", { text: line, class: "good-for" }));
    const agreement = result.agreement ? [make("p", { text: t("agreement", result.agreement), class: "good-for" })] : [];
    const why = make("p", { class: "why muted", "aria-live": "polite", text: t("result-tap") });
    const groups = result.state === "known" ? this.groups(why) : [];
    byId("result").replaceChildren(way, ...(groups.length > 1 ? [why] : []), ...good, ...agreement, ...groups);
  }

  /** The moves that were missed and those that are not legal, as buttons; one of them at a time has an arrow. */
  groups(why) {
    const { missed, wrong, found } = this.result;
    const pressed = (button, shown, kind) => {
      const isOn = button.getAttribute("aria-pressed") !== "true";
      for (const other of byId("result").querySelectorAll("[aria-pressed]")) {
        other.setAttribute("aria-pressed", "false");
      }
      button.setAttribute("aria-pressed", String(isOn));
      this.board.arrows(isOn ? [{ ...partsOf(shown.move), kind }] : []);
      why.textContent = isOn ? reasonOf(shown.why) : "";
      why.classList.remove("muted");
    };
    const group = (title, moves, kind) => {
      if (moves.length === 0) {
        return [];
      }
      const items = moves.map((shown) => {
        const button = makeButton(this.name(shown), () => pressed(button, shown, kind), { "aria-pressed": "false" });
        return make("li", {}, button);
      });
      return [make("h2", { text: t(title, { n: moves.length }) }), make("ul", { class: `chips ${kind}` }, ...items)];
    };
    const names = found.map((shown) => make("li", { text: this.name(shown) }));
    const summary = make("summary", { text: t("lesson-right", { n: found.length }) });
    const right = make("details", {}, summary, make("ul", { class: "moves" }, ...names));
    const parts = [...group("lesson-missed", missed, "good"), ...group("lesson-illegal", wrong, "bad")];
    return [...parts, ...(found.length > 0 ? [right] : [])];
  }

  name(shown) {
    return shown.san ?? longForm(this.pieces, shown.move, this.result.position.chess960);
  }

  async waitForPartner() {
    for (let tries = 0; tries < PARTNER_TRIES && !this.result.agreement && !this.closed; tries += 1) {
      await new Promise((wake) => setTimeout(wake, PARTNER_EVERY_MS));
      try {
        this.result = await server.result(this.token);
      } catch (error) {
        if (!error.passes) {
          return;
        }
      }
    }
    if (!this.closed && this.result.agreement) {
      this.show();
    }
  }

  close() {
    this.closed = true;
    this.board?.destroy();
  }
}

// A browser may keep the page as it was left, and its list may be finished since.
addEventListener("pageshow", (event) => event.persisted && location.reload());
new Page().start();
