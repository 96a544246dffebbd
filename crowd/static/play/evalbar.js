// The evaluation of the position that is looked at: a bar beside the board, and the same in words.

import { t } from "../texts.js";
import { askEval } from "./api.js";
import { byId } from "../dom.js";
import { choices, keepChoices } from "./store.js";
import { resultText, scoreShort, scoreText, shareOfResult, shareOfWhite } from "./words.js";

const PAUSE_MS = 150;
const MAX_KEPT = 500;

export class EvalBar {
  constructor(match) {
    this.match = match;
    this.bar = byId("play-bar");
    this.words = byId("play-worth");
    this.toggle = byId("play-bar-toggle");
    this.known = new Map();
    this.asking = null;
    this.isShown = choices().bar;
    this.toggle.addEventListener("click", () => {
      this.isShown = !this.isShown;
      keepChoices({ bar: this.isShown });
      this.update();
    });
  }

  turn(orientation) {
    this.bar.classList.toggle("from-black", orientation === "black");
  }

  /** Asks for the worth of the position that is looked at; answers that come too late are dropped. */
  async update() {
    this.asking?.abort();
    this.toggle.setAttribute("aria-pressed", String(this.isShown));
    byId("play-area").classList.toggle("without-bar", !this.isShown);
    this.bar.hidden = this.words.hidden = !this.isShown;
    if (!this.isShown) {
      return;
    }
    const { record, ply, state } = this.match;
    const fen = state.fens[ply];
    if (ply === record.moves.length && state.outcome) {
      this.drawEnd(state.outcome);
    } else if (this.known.has(fen)) {
      this.draw(this.known.get(fen));
    } else {
      await this.ask(record, ply, fen);
    }
  }

  async ask(record, ply, fen) {
    const asking = new AbortController();
    this.asking = asking;
    try {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      // While the opponent thinks, the server has better to do than to evaluate a position that is soon left.
      if (asking.signal.aborted || (this.match.thinking && this.match.isLive)) {
        return;
      }
      const score = await this.score(record, ply, fen, asking.signal);
      if (!asking.signal.aborted) {
        this.draw(score);
      }
    } catch (error) {
      if (!asking.signal.aborted) {
        this.draw(null, t(error.kind === "over" ? "evaluation-over" : "evaluation-unknown"));
      }
    }
  }

  /** The evaluation after so many plies, which lead to this position; the server is asked once for each position. */
  async score(record, ply, fen, signal) {
    if (!this.known.has(fen)) {
      const { score } = await askEval(record, ply, signal);
      this.keep(fen, score);
    }
    return this.known.get(fen);
  }

  keep(fen, score) {
    if (this.known.size >= MAX_KEPT) {
      this.known.delete(this.known.keys().next().value);
    }
    this.known.set(fen, score);
  }

  /** After the last move. */
  drawEnd(outcome) {
    this.fill(shareOfResult(outcome), outcome.result.replace("1/2-1/2", "\u00BD"), resultText(outcome));
  }

  draw(score, instead) {
    this.fill(score ? shareOfWhite(score) : 0.5, score ? scoreShort(score) : "", score ? scoreText(score) : instead);
  }

  fill(share, short, text) {
    this.bar.style.setProperty("--white", `${(share * 100).toFixed(1)}%`);
    this.bar.classList.toggle("black-leads", share < 0.5);
    this.bar.querySelector("span").textContent = short;
    this.words.textContent = t("evaluation-is", { text });
    this.bar.setAttribute("aria-label", t("evaluation-seen", { text }));
  }
}
