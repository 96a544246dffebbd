// The result is the lesson: what was found, what was overlooked, as arrows on the board, and why what is illegal is so.

import { createBoard } from "../board.js";
import { id, make, say } from "../contribute/dom.js";
import { partsOf } from "../contribute/words.js";
import { dateOf, kindTitle, squaresOf, timeOf } from "./words.js";
import { t } from "../texts.js";

const nameOf = ({ san, move }) => san ?? `${move.slice(0, 2)}–${move.slice(2)}`;

export class Result {
  /** `result` is what the server answered to a finished list. */
  constructor(result) {
    this.result = result;
    this.side = result.fen.split(" ")[1] === "b" ? "black" : "white";
  }

  async open() {
    const { result } = this;
    this.board = await createBoard(id("board"), {
      fen: result.fen,
      orientation: this.side,
      side: null,
      interactive: false,
      label: t("board-of-turn", { date: dateOf(result.day), side: this.side }),
    });
    this.choices();
    id("result").replaceChildren(this.summary(), kindsTable(result.kinds), nextBoard());
    id("lesson").replaceChildren(...this.lesson());
    say(id("result").querySelector(".score").textContent);
  }

  /** Which arrows are on the board: those of a group, or of one move at which a person points. */
  choices() {
    const groups = [
      ["missed", "overlooked-n", "question"],
      ["wrong", "lesson-illegal", "bad"],
      ["found", "found-n", "good"],
    ].filter(([group]) => this.result[group].length > 0);
    const buttons = groups.map(([group, title, kind]) => {
      const button = make("button", t(title, { n: this.result[group].length }), { type: "button", "aria-pressed": "false" });
      button.addEventListener("click", () => this.choose(button, group, kind));
      return button;
    });
    id("shown").replaceChildren(...buttons);
    this.choose(buttons[0], groups[0]?.[0], groups[0]?.[2]);
  }

  choose(button, group, kind) {
    for (const other of id("shown").children) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    this.shown = group ? this.result[group].map(({ move }) => ({ ...partsOf(move), kind })) : [];
    this.board.arrows(this.shown);
  }

  summary() {
    const { found, legal, wrong, took_ms: took, counted: counts, others, beaten, median_found: median, streak } = this.result;
    const box = make("div", "", { class: "card summary" });
    const score = make("p", "", { class: "score" });
    score.append(make("strong", String(found.length)), ` ${t("score-of", { n: legal })}`);
    const facts = [];
    if (wrong.length > 0) facts.push(t("wrong-n", { n: wrong.length }));
    if (took !== null) facts.push(t("took", { time: timeOf(took) }));
    if (facts.length > 0) score.append(make("span", facts.join(", "), { class: "score-facts" }));
    box.append(score);
    const lines = [];
    if (others > 0) {
      lines.push(comparison(others, beaten), t(others === 1 ? "other-found" : "others-found", { n: median }));
    } else if (counts) {
      lines.push(t("you-are-first"));
    }
    if (counts) lines.push(t("streak-now", { n: streak }));
    else lines.push(t("not-counted"));
    box.append(make("p", lines.join(" ")));
    const week = weekWith(this.result);
    if (week) box.append(week);
    return box;
  }

  lesson() {
    const { missed, wrong, found } = this.result;
    const parts = [];
    for (const [title, moves, kind] of [["overlooked-n", missed, "question"], ["illegal-why-n", wrong, "bad"]]) {
      if (moves.length === 0) continue;
      const part = make("section");
      const list = make("dl", "", { class: "reasons" });
      for (const move of moves) {
        const name = make("dt");
        const button = make("button", nameOf(move), { type: "button", class: "quiet", "aria-label": t("show-move", { move: nameOf(move) }) });
        this.points(button, move, kind);
        name.append(button);
        list.append(name, make("dd", reasonOf(move)));
      }
      part.append(make("h2", t(title, { n: moves.length })), list);
      parts.push(part);
    }
    const part = make("section");
    const list = make("ul", "", { class: "moves" });
    list.append(...found.map((move) => make("li", nameOf(move))));
    part.append(make("h2", t("found-n", { n: found.length })), list);
    parts.push(part);
    return parts;
  }

  points(button, { move }, kind) {
    const show = () => this.board.arrows([{ ...partsOf(move), kind }]);
    for (const type of ["pointerenter", "focus"]) button.addEventListener(type, show);
    for (const type of ["pointerleave", "blur"]) button.addEventListener(type, () => this.board.arrows(this.shown));
    button.addEventListener("click", () => {
      show();
      id("board").scrollIntoView({ block: "nearest" });
    });
  }
}

/** The last seven days as the page came with them, and today among them; the words beside it say the same. */
function weekWith({ day, counted: counts }) {
  const week = counts && id("daily").dataset.day === day && document.querySelector("#intro .week")?.cloneNode(true);
  if (!week) return null;
  const today = week.lastElementChild;
  if (!today.classList.contains("is-done")) today.classList.add("is-done", "is-new");
  week.setAttribute("aria-hidden", "true");
  return week;
}

/** How a list compares with those of other people. */
function comparison(others, beaten) {
  if (others === 1) {
    return t(beaten === 1 ? "better-than-one" : "one-other");
  }
  const key = beaten === 0 ? "other-people" : beaten === others ? "better-than-all" : "better-than";
  return t(key, { beaten, n: others });
}

/** The server's sentence without the move that English has at its head, which stands beside it. */
function reasonOf({ move, why }) {
  const [, reason] = /^\S+ is (?:il)?legal: (.*)$/s.exec(why ?? "") ?? [null, why ?? t("can-be-played", { move })];
  return reason.charAt(0).toUpperCase() + reason.slice(1) + (/[.!?]$/.test(reason) ? "" : ".");
}

/** A row of squares for each kind of moves. */
export function kindsTable(kinds) {
  const table = make("table", "", { class: "kinds" });
  table.append(make("caption", t("kinds-caption"), { class: "visually-hidden" }));
  for (const { kind, legal, found, wrong } of kinds) {
    const row = make("tr");
    const cell = make("td");
    const squares = make("span", "", { class: "squares", "aria-hidden": "true" });
    squares.append(...squaresOf({ legal, found, wrong }).map((name) => make("i", "", { class: name })));
    const number = make("td", t("results-share", { found, of: legal }), { class: "number" });
    if (wrong > 0) number.append(make("span", t("wrong-n", { n: wrong })));
    cell.append(squares);
    row.append(make("th", kindTitle(kind), { scope: "row" }), cell, number);
    table.append(row);
  }
  return table;
}

function nextBoard() {
  const left = 86_400_000 - (Date.now() % 86_400_000);
  const hours = Math.floor(left / 3_600_000);
  const minutes = Math.floor((left % 3_600_000) / 60_000);
  const line = make("p", "", { class: "row" });
  line.append(make("span", t("next-board-in", { hours, minutes }), { class: "muted" }));
  return line;
}
