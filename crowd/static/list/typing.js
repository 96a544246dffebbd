// The field for typed moves: reads them, asks which one where there is more than one reading.

import { id, make, say } from "./dom.js";
import { readTyped } from "./san.js";
import { askPromotion } from "../board.js";
import { asksPromotion, spokenForm, textOf } from "./words.js";
import { t } from "../texts.js";

export class Typing {
  /** `given({ from, to, promotion })` is called with each move. */
  constructor(pieces, position, given) {
    Object.assign(this, { pieces, position, given });
    this.field = id("typed");
    id("type-form").onsubmit = (event) => {
      event.preventDefault();
      this.read();
    };
    this.field.oninput = () => this.clear();
    this.clear();
  }

  clear() {
    id("typed-error").textContent = "";
    id("which").hidden = true;
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
      id("typed-error").textContent = error;
      this.field.setAttribute("aria-invalid", "true");
    } else if (moves.length === 1) {
      void this.take(moves[0]);
    } else {
      this.ask(moves);
    }
  }

  ask(moves) {
    id("which-choices").replaceChildren(...moves.map((move) => this.choice(move)));
    id("which").hidden = false;
    say(t("which-say", { n: moves.length }));
    id("which-choices").firstElementChild.focus();
  }

  choice(move) {
    const button = make("button", t("which-from", { square: move.from }), { type: "button" });
    button.setAttribute("aria-label", spokenForm(this.pieces, textOf(move), this.position.chess960));
    button.addEventListener("click", () => this.take(move));
    return button;
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
