// The list as it is seen: moves as pills below the board, the newest first, each with a button that takes it off.

import { t } from "../texts.js";
import { make, makeButton } from "./dom.js";
import { longForm, spokenForm } from "./words.js";

export class Chips {
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
    const item = make("li", "", { "data-move": move, class: "is-new" });
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
    item.append(make("span", longForm(this.pieces, move, this.chess960)), makeButton("×", remove, { "aria-label": name }));
    return item;
  }
}
