// The list as it is seen: moves as pills, each with a button that takes it off.

import { id, make } from "./dom.js";
import { longForm, spokenForm } from "./words.js";
import { t } from "../texts.js";

export class ListView {
  /** `removed(move)` and `pointed(move | null)` are called when a person takes a move off, or points at it. */
  constructor(pieces, chess960, { removed, pointed }) {
    Object.assign(this, { pieces, chess960, removed, pointed });
    this.root = id("list");
    this.root.replaceChildren();
  }

  /** Shows these moves; those that are there already stay where they are. */
  show(moves, frozen) {
    const there = new Map([...this.root.children].map((item) => [item.dataset.move, item]));
    this.root.replaceChildren(...moves.map((move) => there.get(move) ?? this.item(move)));
    for (const button of this.root.querySelectorAll("button")) {
      button.disabled = frozen;
    }
    id("count").textContent = id("count-near").textContent = t("moves", { n: moves.length });
    id("empty").hidden = moves.length > 0;
  }

  /** Points out that a move is on the list already. */
  pointOut(move) {
    for (const item of this.root.children) {
      item.classList.toggle("twice", item.dataset.move === move);
    }
  }

  item(move) {
    const item = make("li", "", { "data-move": move, class: "is-new" });
    item.addEventListener("animationend", () => item.classList.remove("is-new"), { once: true });
    const text = make("span", longForm(this.pieces, move, this.chess960));
    const remove = make("button", "×", { type: "button", "aria-label": t("remove-move", { move: spokenForm(this.pieces, move, this.chess960) }) });
    remove.addEventListener("click", () => {
      const next = item.nextElementSibling ?? item.previousElementSibling;
      this.removed(move);
      (next?.querySelector("button") ?? id("typed")).focus();
    });
    for (const [enter, leave] of [["pointerenter", "pointerleave"], ["focusin", "focusout"]]) {
      item.addEventListener(enter, () => this.pointed(move));
      item.addEventListener(leave, () => this.pointed(null));
    }
    item.append(text, remove);
    return item;
  }
}
