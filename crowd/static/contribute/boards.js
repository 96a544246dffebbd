// The board of a position. What the page needs of one: `setOrientation(color)`, `setInteractive(side | null)`,
// `highlight("last", squares)`, `arrows([{ from, to, kind }])` and `destroy()`, as board.js describes them.

import { createBoard } from "../board.js";

/** Makes the board of a position, as it was given, in an empty element; `options` are those of board.js. */
export function boardOf(position, element, options) {
  return createBoard(element, { fen: position.fen, chess960: position.chess960, ...options });
}
