// The frame of a board: the squares in the middle, and the coordinates outside of them, where no piece touches them.
// The style sheet turns the coordinates by `data-orientation`.

import { FILES, RANKS } from "./squares.js";

function line(name, marks) {
  const made = document.createElement("div");
  made.className = name;
  made.setAttribute("aria-hidden", "true");
  made.append(...marks.map((mark) => Object.assign(document.createElement("span"), { textContent: mark })));
  return made;
}

/** Puts a frame into an element, and gives the field for the squares. */
export function frame(element, orientation) {
  const field = document.createElement("div");
  field.className = "board-field";
  element.dataset.orientation = orientation;
  element.replaceChildren(line("board-ranks", [...RANKS].reverse()), field, line("board-files", [...FILES]));
  return field;
}
