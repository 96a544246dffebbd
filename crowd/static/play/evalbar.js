// What the position that is looked at is worth: a bar beside the board, and the same in words.

import { askEval } from "./api.js";
import { byId } from "./dom.js";
import { choices, keepChoices } from "./store.js";
import { scoreShort, scoreText, shareOfWhite } from "./words.js";

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
      this.draw(null, "the game has ended");
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
      if (asking.signal.aborted) {
        return;
      }
      const { score } = await askEval(record, ply, asking.signal);
      this.keep(fen, score);
      if (!asking.signal.aborted) {
        this.draw(score);
      }
    } catch (error) {
      if (!asking.signal.aborted) {
        this.draw(null, error.kind === "over" ? "the game has ended" : "not known at the moment");
      }
    }
  }

  keep(fen, score) {
    if (this.known.size >= MAX_KEPT) {
      this.known.delete(this.known.keys().next().value);
    }
    this.known.set(fen, score);
  }

  draw(score, instead) {
    const share = score ? shareOfWhite(score) : 0.5;
    this.bar.style.setProperty("--white", `${(share * 100).toFixed(1)}%`);
    this.bar.classList.toggle("black-leads", share < 0.5);
    this.bar.querySelector("span").textContent = score ? scoreShort(score) : "";
    const text = score ? scoreText(score) : instead;
    this.words.textContent = `Evaluation: ${text}`;
    this.bar.setAttribute("aria-label", `Evaluation, seen from White: ${text}`);
  }
}
