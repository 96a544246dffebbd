// The moves as a table, and the way through them.

import { t } from "../texts.js";
import { byId, make, makeButton } from "../dom.js";
import { moveInWords } from "./words.js";

export class Log {
  constructor(match) {
    this.match = match;
    this.body = byId("play-log-moves");
    this.buttons = [];
    byId("play-first").addEventListener("click", () => match.goTo(0));
    byId("play-previous").addEventListener("click", () => match.goTo(match.ply - 1));
    byId("play-next").addEventListener("click", () => match.goTo(match.ply + 1));
    byId("play-last").addEventListener("click", () => match.goTo(Infinity));
    // The mouse leaves the focus in the board; its keys belong to the board only when keys brought it there.
    this.byHand = false;
    addEventListener("pointerdown", () => (this.byHand = true), true);
    addEventListener("keydown", ({ key }) => key === "Tab" && (this.byHand = false), true);
    document.addEventListener("keydown", (event) => this.key(event), true);
  }

  /** Arrow keys go through the moves, unless they belong to the board, a field or a dialog. */
  key(event) {
    const isElsewhere = event.target.closest?.(`${this.byHand ? "" : ".board, "}input, select, textarea, dialog`);
    const { ply } = this.match;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: Infinity }[event.key];
    if (to !== undefined && !isElsewhere && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      this.match.goTo(to);
    }
  }

  /** Makes the table anew. */
  fill() {
    const { san, fens } = this.match.state;
    const [, side, , , , number] = fens[0].split(" ");
    this.blackBegan = side === "b";
    this.first = Number(number);
    this.buttons = san.map((text, index) => this.button(text, index));
    const cells = [...(this.blackBegan ? [make("td", { text: "\u2026" })] : []), ...this.buttons.map((button) => make("td", {}, button))];
    if (cells.length % 2 === 1) {
      cells.push(make("td"));
    }
    const rows = [];
    for (let row = 0; row * 2 < cells.length; row += 1) {
      const head = make("th", { scope: "row", text: `${this.first + row}.` });
      rows.push(make("tr", {}, head, ...cells.slice(row * 2, row * 2 + 2)));
    }
    this.body.replaceChildren(...rows);
    byId("play-log-empty").hidden = san.length > 0;
    this.mark();
  }

  /** The number of a move, and its side. */
  place(index) {
    const half = index + (this.blackBegan ? 1 : 0);
    return { number: this.first + Math.floor(half / 2), side: half % 2 === 0 ? "white" : "black" };
  }

  button(text, index) {
    const { number, side } = this.place(index);
    // Who speaks to the machine says what is seen, so the name begins with it.
    const label = `${text}: ${number}, ${t(side)}, ${moveInWords(text)}`;
    return makeButton(text, () => this.match.goTo(index + 1), { class: "quiet", "aria-label": label, title: label });
  }

  /** Marks the move that is looked at. */
  mark() {
    const { ply } = this.match;
    this.buttons.forEach((button, index) => {
      if (index + 1 === ply) {
        button.setAttribute("aria-current", "true");
        const frame = this.body.closest(".play-log-frame");
        const row = button.closest("tr");
        frame.scrollTop = Math.max(0, row.offsetTop - frame.clientHeight / 2);
      } else {
        button.removeAttribute("aria-current");
      }
    });
    const last = this.buttons.length;
    for (const [id, atEnd] of [["first", ply === 0], ["previous", ply === 0], ["next", ply === last], ["last", ply === last]]) {
      // A button that is disabled would lose the focus; one at the end of its way does nothing.
      byId(`play-${id}`).setAttribute("aria-disabled", atEnd);
    }
  }
}
