// A position while it is set up: pieces, side, rights, as a FEN and back. Nothing here asks whether it is legal.

import { FILES, RANKS, piecesOf } from "../board.js";

const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The letter of a FEN for "wp", "bk" and so on. */
const letter = ([color, kind]) => (color === "w" ? kind.toUpperCase() : kind);

/** The piece that a letter means, or null. */
export function pieceOf(text) {
  return /^[KQRBNPkqrbnp]$/.test(text) ? (text === text.toUpperCase() ? "w" : "b") + text.toLowerCase() : null;
}

/** Takes a FEN apart. Fields that are missing or strange are as on an empty board. */
export function readSetup(fen) {
  const [, side, castling = "-", ep = "-", halfmoves, number] = fen.trim().split(/\s+/);
  return {
    pieces: piecesOf(fen.trim() || EMPTY),
    side: side === "b" ? "b" : "w",
    castling: castling === "-" ? "" : castling,
    ep,
    halfmoves: halfmoves ?? "0",
    number: number ?? "1",
  };
}

function rankText(pieces, rank) {
  let text = "";
  let empty = 0;
  for (const file of FILES) {
    const piece = pieces.get(file + rank);
    if (piece) {
      text += (empty || "") + letter(piece);
      empty = 0;
    } else {
      empty += 1;
    }
  }
  return text + (empty || "");
}

export function writeSetup({ pieces, side, castling, ep, halfmoves, number }) {
  const board = [...RANKS].reverse().map((rank) => rankText(pieces, rank));
  return [board.join("/"), side, castling || "-", ep || "-", halfmoves, number].join(" ");
}

export const emptySetup = () => readSetup(EMPTY);

/** The squares that a pawn may just have passed over, with this side to move. */
export const epSquares = (side) => [...FILES].map((file) => file + (side === "w" ? "6" : "3"));
