// What a diagram says: pieces on squares, read from a FEN. Nothing here knows which moves are legal.

import { t } from "../texts.js";

export const FILES = "abcdefgh";
export const RANKS = "12345678";
const KINDS = "pnbrqk";

/** The pieces of a FEN, from square to "wp", "bk" and so on. Unknown characters count as empty squares. */
export function piecesOf(fen) {
  const pieces = new Map();
  const ranks = fen.split(" ")[0].split("/");
  ranks.slice(0, 8).forEach((text, row) => {
    let file = 0;
    for (const letter of text) {
      const empty = Number.parseInt(letter, 10);
      if (empty) {
        file += empty;
        continue;
      }
      const kind = letter.toLowerCase();
      if (KINDS.includes(kind) && file < 8) {
        pieces.set(FILES[file] + RANKS[7 - row], (letter === kind ? "b" : "w") + kind);
      }
      file += 1;
    }
  });
  return pieces;
}

/** "white" or "black": whose piece it is. */
export const colorOf = (piece) => (piece[0] === "w" ? "white" : "black");

/** "pawn", "knight" and so on; of a piece ("wp") or a kind ("p"). */
export const kindName = (piece) => t("piece", { kind: piece.at(-1) });

/** "white pawn". */
export const pieceName = (piece) => t(`${colorOf(piece)}-piece`, { kind: piece.at(-1) });

/** Whether this pawn would stand on its last rank. */
export function promotes(piece, to) {
  return (piece === "wp" && to[1] === "8") || (piece === "bp" && to[1] === "1");
}

/** Whether a king is put upon a rook of its own beside it on the rank, which is how Chess960 castles. */
export function kingTakesRook(pieces, from, to) {
  const king = pieces.get(from);
  return king?.[1] === "k" && pieces.get(to) === `${king[0]}r` && from[1] === to[1];
}

/** Eight rows of eight squares as a person on that side sees them, from the top left. */
export function rowsSeenBy(color) {
  const files = [...FILES];
  const ranks = [...RANKS].reverse();
  if (color === "black") {
    files.reverse();
    ranks.reverse();
  }
  return ranks.map((rank) => files.map((file) => file + rank));
}
