// What has been taken in a game, and who has more.

import { piecesOf } from "../board.js";
import { t } from "../texts.js";
import { sideOf } from "./foresee.js";
import { other } from "./words.js";

/** The values by which material is compared. */
const WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
const ORDER = "qrbnp";

function counted(pieces) {
  const counts = new Map();
  for (const piece of pieces.values()) {
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return counts;
}

/** What each side has taken up to a ply, largest first, and how many points White is ahead: { white, black, ahead }. */
export function material(fens, ply) {
  const boards = fens.slice(0, ply + 1).map((fen) => counted(piecesOf(fen)));
  const taken = { white: [], black: [] };
  for (let at = 1; at < boards.length; at += 1) {
    const mover = sideOf(fens[at - 1]);
    const theirs = other(mover)[0];
    for (const [piece, count] of boards[at - 1]) {
      if (piece[0] === theirs && (boards[at].get(piece) ?? 0) < count) {
        taken[mover].push(piece);
      }
    }
  }
  let ahead = 0;
  for (const [piece, count] of boards.at(-1)) {
    ahead += (piece[0] === "w" ? 1 : -1) * WORTH[piece[1]] * count;
  }
  for (const pieces of Object.values(taken)) {
    pieces.sort((one, two) => ORDER.indexOf(one[1]) - ORDER.indexOf(two[1]));
  }
  return { ...taken, ahead };
}

/** "Has taken: queen, 2 pawns. 3 points ahead." */
export function materialInWords(taken, ahead) {
  const counts = counted(new Map(taken.entries()));
  const parts = [...counts].map(([piece, count]) => t("pieces-counted", { n: count, kind: piece[1] }));
  const lead = ahead > 0 ? ` ${t("taken-lead", { n: ahead })}` : "";
  return (parts.length > 0 ? t("taken-list", { pieces: parts.join(", ") }) : "") + lead;
}
