// Kinds of moves, counts and times of a result in words and squares.

import { minutes } from "../contribute/clock.js";

export const KINDS = {
  ordinary: "Ordinary",
  capture: "Captures",
  king: "King",
  castling: "Castling",
  "en-passant": "En passant",
  promotion: "Promotion",
};

/** Whole seconds that have passed, as "2:05". */
export const timeOf = (ms) => minutes(Math.floor(ms / 1000) * 1000);

/** "found", "missed" or "wrong" for each move of a kind. */
export function squaresOf({ legal, found, wrong }) {
  return [...Array(found).fill("found"), ...Array(legal - found).fill("missed"), ...Array(wrong).fill("wrong")];
}
