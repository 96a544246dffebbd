// The review of a game: all its positions are evaluated, a graph shows who was ahead when, and the moves that cost their
// side most are marked.

import { t } from "../texts.js";
import { byId, make, makeButton } from "../dom.js";
import { scoreText, shareOfResult, shareOfWhite } from "./words.js";

/** How much of the bar a move gives away at least, its sign, and the name of its text; the worst first. */
const MARKS = [
  { loss: 0.3, sign: "??", text: "game-review-blunder" },
  { loss: 0.2, sign: "?", text: "game-review-mistake" },
  { loss: 0.1, sign: "?!", text: "game-review-inaccuracy" },
];

/** So many moves are named; all are marked. */
const MOST_NAMED = 6;

export class Review {
  /** The evaluations are those of the bar. */
  constructor(match, bar, log) {
    this.match = match;
    this.bar = bar;
    this.log = log;
    this.reviewing = null;
    this.button = makeButton(t("game-review"), () => this.run(), { id: "play-review" });
    this.said = make("p", { class: "small", role: "status" });
    this.graph = make("div", { class: "play-graph", "aria-hidden": "true", on: { click: (event) => this.goToPoint(event) } }, make("span"));
    this.turns = make("div", { class: "row", id: "play-review-turns" });
    this.found = make("div", { class: "play-review" }, this.said, this.graph, this.turns);
    byId("play-log-title").parentElement.append(this.found);
    byId("play-last").after(this.button);
    match.addEventListener("change", ({ detail }) => ["opened", "moved", "undone"].includes(detail) && this.forget());
    this.forget();
  }

  /** A game that has changed has no review. */
  forget() {
    this.reviewing?.abort();
    this.reviewing = null;
    this.said.textContent = "";
    this.found.hidden = true;
    this.graph.hidden = true;
    this.turns.replaceChildren();
    this.button.disabled = !this.match.record?.moves.length;
  }

  async run() {
    this.forget();
    const reviewing = new AbortController();
    this.reviewing = reviewing;
    this.button.disabled = true;
    this.found.hidden = false;
    try {
      const seen = await this.evaluate(reviewing.signal);
      if (!reviewing.signal.aborted) {
        this.show(seen);
      }
    } catch (error) {
      if (!reviewing.signal.aborted) {
        this.said.textContent = t("game-review-failed", { why: error.message });
      }
    }
    if (!reviewing.signal.aborted) {
      this.button.disabled = false;
    }
  }

  /** White's share and its words after each ply, the first position included. */
  async evaluate(signal) {
    const { match } = this;
    const { record, state } = match;
    const last = state.moves.length;
    const seen = [];
    for (const [ply, fen] of state.fens.entries()) {
      this.said.textContent = t("game-review-at", { ply, last });
      if (ply === last && state.outcome) {
        seen.push({ share: shareOfResult(state.outcome), words: state.outcome.result });
      } else {
        const score = await match.patiently(() => this.bar.score(record, ply, fen, signal), signal);
        seen.push({ share: shareOfWhite(score), words: scoreText(score) });
      }
      signal.throwIfAborted();
    }
    return seen;
  }

  show(seen) {
    const last = seen.length - 1;
    const percent = (part) => `${(100 * part).toFixed(1)}%`;
    const points = seen.map(({ share }, ply) => `${percent(ply / last)} ${percent(1 - share)}`);
    this.graph.firstElementChild.style.clipPath = `polygon(0% 100%, ${points.join(", ")}, 100% 100%)`;
    this.graph.hidden = false;
    const marked = this.marked(seen);
    this.said.textContent = t("game-review-found", { n: marked.length });
    const worst = marked.toSorted((one, other) => other.loss - one.loss).slice(0, MOST_NAMED);
    const inOrder = worst.toSorted((one, other) => one.ply - other.ply);
    this.turns.replaceChildren(...inOrder.map(({ ply, mark }) => this.turn(ply, mark, seen)));
  }

  /** The moves that are marked, which are marked in the table as well. */
  marked(seen) {
    const marked = [];
    for (const [index, button] of this.log.buttons.entries()) {
      const gain = seen[index + 1].share - seen[index].share;
      const loss = this.log.place(index).side === "white" ? -gain : gain;
      const mark = MARKS.find((one) => loss >= one.loss);
      if (mark) {
        button.dataset.mark = mark.sign;
        button.ariaLabel += `, ${t(mark.text)}`;
        marked.push({ ply: index + 1, loss, mark });
      }
    }
    return marked;
  }

  /** A button that goes to a marked move. */
  turn(ply, mark, seen) {
    const { number, side } = this.log.place(ply - 1);
    const text = `${number}${side === "white" ? "." : "\u2026"} ${this.match.state.san[ply - 1]}${mark.sign}`;
    const label = t("game-review-turn", { move: text, mark: t(mark.text), before: seen[ply - 1].words, after: seen[ply].words });
    return makeButton(text, () => this.match.goTo(ply), { "aria-label": label, title: label });
  }

  goToPoint({ clientX }) {
    const { left, width } = this.graph.getBoundingClientRect();
    this.match.goTo(Math.round(((clientX - left) / width) * this.match.state.moves.length));
  }
}
