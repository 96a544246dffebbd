// The result is the lesson: what was found, what was overlooked, as arrows on the board, and why what is illegal is so.

import { createBoard } from "../board.js";
import { counted, id, make, say } from "../contribute/dom.js";
import { partsOf } from "../contribute/words.js";
import { sharePanel } from "./share.js";
import { KINDS, squaresOf, timeOf } from "./words.js";

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
      label: `The board of ${result.day}, ${this.side} to move`,
    });
    this.choices();
    id("result").replaceChildren(this.summary(), kindsTable(result.kinds), sharePanel(result), nextBoard(result));
    id("lesson").replaceChildren(...this.lesson());
    say(id("result").querySelector(".score").textContent);
  }

  /** Which arrows are on the board: those of a group, or of one move at which a person points. */
  choices() {
    const groups = [
      ["missed", "Overlooked", "question"],
      ["wrong", "Not legal", "bad"],
      ["found", "Found", "good"],
    ].filter(([group]) => this.result[group].length > 0);
    const buttons = groups.map(([group, title, kind]) => {
      const button = make("button", `${title}: ${this.result[group].length}`, { type: "button", "aria-pressed": "false" });
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
    score.append(make("strong", String(found.length)), ` of ${counted(legal, "move")}`);
    const facts = [];
    if (wrong.length > 0) facts.push(`${wrong.length} not legal`);
    if (took !== null) facts.push(`in ${timeOf(took)}`);
    if (facts.length > 0) score.append(make("span", facts.join(", "), { class: "score-facts" }));
    box.append(score);
    const lines = [];
    if (others > 0) {
      lines.push(comparison(others, beaten), `${others === 1 ? "They" : "Half of them"} found ${median}${others === 1 ? "" : " or more"}.`);
    } else if (counts) {
      lines.push("You are the first to finish this board.");
    }
    if (counts) lines.push(streak === 1 ? "Your first day in a row: come back tomorrow." : `${streak} days in a row.`);
    else lines.push("It does not count: the day of this board is over.");
    box.append(make("p", lines.join(" ")));
    const week = weekWith(this.result);
    if (week) box.append(week);
    return box;
  }

  lesson() {
    const { missed, wrong, found } = this.result;
    const parts = [];
    for (const [title, moves, kind] of [["Overlooked", missed, "question"], ["Not legal, and why", wrong, "bad"]]) {
      if (moves.length === 0) continue;
      const part = make("section");
      const list = make("dl", "", { class: "reasons" });
      for (const move of moves) {
        const name = make("dt");
        const button = make("button", nameOf(move), { type: "button", class: "quiet", "aria-label": `${nameOf(move)}: show it on the board` });
        this.points(button, move, kind);
        name.append(button);
        list.append(name, make("dd", reasonOf(move)));
      }
      part.append(make("h2", `${title}: ${moves.length}`), list);
      parts.push(part);
    }
    const part = make("section");
    const list = make("ul", "", { class: "moves" });
    list.append(...found.map((move) => make("li", nameOf(move))));
    part.append(make("h2", `Found: ${found.length}`), list);
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
    return beaten === 1 ? "Better than the one other person who has finished." : "One other person has finished.";
  }
  return `Better than ${beaten === others ? "all" : `${beaten} of`} ${others} others who have finished.`;
}

/** The server's sentence without the move at its head, which stands beside it. */
function reasonOf({ move, why }) {
  const [, reason] = /^\S+ is (?:il)?legal: (.*)$/s.exec(why ?? "") ?? [null, why ?? `${move} can be played`];
  return reason.charAt(0).toUpperCase() + reason.slice(1) + (/[.!?]$/.test(reason) ? "" : ".");
}

/** A row of squares for each kind of moves. */
export function kindsTable(kinds) {
  const table = make("table", "", { class: "kinds" });
  table.append(make("caption", "By kind of move", { class: "visually-hidden" }));
  for (const { kind, legal, found, wrong } of kinds) {
    const row = make("tr");
    const cell = make("td");
    const squares = make("span", "", { class: "squares", "aria-hidden": "true" });
    squares.append(...squaresOf({ legal, found, wrong }).map((name) => make("i", "", { class: name })));
    const number = make("td", `${found} of ${legal}`, { class: "number" });
    if (wrong > 0) number.append(make("span", `${wrong} not legal`));
    cell.append(squares);
    row.append(make("th", KINDS[kind], { scope: "row" }), cell, number);
    table.append(row);
  }
  return table;
}

function nextBoard({ counted: counts }) {
  const line = make("p", "", { class: "row" });
  if (counts) {
    const left = 86_400_000 - (Date.now() % 86_400_000);
    const hours = Math.floor(left / 3_600_000);
    const rest = Math.floor((left % 3_600_000) / 60_000);
    line.append(make("span", `The next board comes in ${hours} h ${rest} min.`, { class: "muted" }));
  } else {
    line.append(make("a", "Today’s board", { class: "button", href: "/" }));
  }
  line.append(make("a", "The last 30 boards", { href: "/daily" }));
  return line;
}
