// The board of every page, in two makes behind one face: drawn (cm-chessboard, when it is installed) and a table
// of buttons. `document.documentElement.dataset.board` is "cm" or "table"; a person may ask for the table.
//
//   const board = await createBoard(element, {
//     fen, orientation: "white" | "black",
//     side: "white" | "black" | "both" | null,     whose pieces may be lifted
//     interactive: true,                           false: only looked at
//     chess960: false,                             king, then rook, by two clicks is castling
//     promotion: "always" | (from, to) => bool,    when to ask for the piece
//     onMove({ from, to, promotion }),             promotion: "q", "r", "b", "n" or null
//     onChoose(square | null),                     a piece was lifted, or put back
//     label: "Chessboard",
//   });
//   setPosition(fen), setOrientation(color), setInteractive(side | null), focus(), destroy(),
//   highlight(kind, squares)      kind: "last", "legal", "check", "chosen" or "premove"; replaces what that kind showed
//   arrows([{ from, to, kind }])  kind: "question", "good" or "bad"; replaces all arrows
//
// A move stays only where the page sets the position that it leads to: within onMove, so that no piece jumps back.

import { t } from "./texts.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CHOICE = "crowd-board";

/** Whether the drawn board is installed on the server. */
export const drawnBoardIsThere = () => document.documentElement.dataset.board === "cm";

/** The make this person gets: "cm" or "table". */
export function boardMake() {
  let choice = null;
  try {
    choice = localStorage.getItem(CHOICE);
  } catch {
    // Storage may be forbidden; then there is no choice to remember.
  }
  return drawnBoardIsThere() && choice !== "table" ? "cm" : "table";
}

/** Remembers the make a person wants. */
export function chooseMake(make) {
  try {
    localStorage.setItem(CHOICE, make);
  } catch {
    // As above.
  }
}

/** Makes a board in an empty element. */
export async function createBoard(element, options = {}) {
  const settings = {
    fen: START,
    orientation: "white",
    interactive: true,
    side: "both",
    chess960: false,
    promotion: "always",
    onMove() {},
    onChoose() {},
    label: t("board-label"),
    ...options,
  };
  if (boardMake() === "cm") {
    try {
      const { DrawnBoard } = await import("./board/drawn.js");
      return new DrawnBoard(element, settings);
    } catch (error) {
      console.warn("the drawn board could not be loaded; the table is used", error);
      element.replaceChildren();
    }
  }
  const { TableBoard } = await import("./board/table.js");
  return new TableBoard(element, settings);
}
