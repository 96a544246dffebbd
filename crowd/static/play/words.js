// What is said of moves, scores and results, in words.

import { kindName } from "../board.js";
import { t } from "../texts.js";

const SAN = /^([NBRQK]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([NBRQ]))?([+#]?)$/;
const REASONS = [
  "checkmate",
  "stalemate",
  "insufficient-material",
  "fivefold-repetition",
  "seventy-five-moves",
  "threefold-repetition",
  "fifty-moves",
  "resignation",
  "agreement",
  "time",
  "time-lone-king",
];

export const SIDES = ["white", "black"];
export const other = (side) => (side === "white" ? "black" : "white");
/** "White": the name of its tag in PGN. */
export const titled = (word) => word[0].toUpperCase() + word.slice(1);

const ending = (mark) => (mark ? t(mark === "#" ? "san-mate" : "san-check") : "");

/** "knight takes f6, check" for "Nxf6+". */
export function moveInWords(san) {
  const castling = /^O-O(-O)?([+#]?)$/.exec(san);
  if (castling) {
    return t(castling[1] ? "san-long" : "san-short") + ending(castling[2]);
  }
  const parts = SAN.exec(san);
  if (!parts) {
    return san;
  }
  const [, letter, origin, takes, to, promotion, mark] = parts;
  const kind = kindName(letter.toLowerCase() || "p");
  const piece = origin && letter ? t("san-from", { piece: kind, from: origin }) : kind;
  const becomes = promotion ? t("san-becomes", { kind: promotion.toLowerCase() }) : "";
  return t(takes ? "san-takes" : "san-to", { piece, to }) + becomes + ending(mark);
}

/** "+0.35", "−1.20", "mate in 3 for White". */
export function scoreText(score) {
  if (score.mate !== undefined) {
    return t("game-mate", { n: Math.abs(score.mate), side: score.mate > 0 ? "white" : "black" });
  }
  const sign = score.cp > 0 ? "+" : score.cp < 0 ? "\u2212" : "";
  return sign + (Math.abs(score.cp) / 100).toFixed(2);
}

/** Short, for the bar: "0.4", "12", "M3". */
export function scoreShort(score) {
  if (score.mate !== undefined) {
    return `M${Math.abs(score.mate)}`;
  }
  const pawns = Math.abs(score.cp) / 100;
  return pawns < 10 ? pawns.toFixed(1) : pawns.toFixed(0);
}

/** The share of White in the bar, 0 to 1: an S-curve, so that the middle is shown best. */
export function shareOfWhite(score) {
  if (score.mate !== undefined) {
    return score.mate > 0 ? 1 : 0;
  }
  return 1 / (1 + Math.exp(-score.cp / 300));
}

/** The same after the end: all of the bar is the winner's. */
export const shareOfResult = ({ result }) => ({ "1-0": 1, "0-1": 0 })[result] ?? 0.5;

/** "White wins by checkmate". */
export function resultText({ result, reason }) {
  const who = { "1-0": "white", "0-1": "black", "1/2-1/2": "draw" }[result] ?? "none";
  const why = REASONS.includes(reason) ? ` ${t("game-reason", { reason })}` : "";
  return t("game-result", { who }) + why;
}

/** What the tag Termination says of a reason. */
export const termination = (reason) => (reason?.startsWith("time") ? "time forfeit" : reason ? "normal" : "unterminated");

/** "threefold repetition". */
export const claimText = (claim) => t("game-claim", { claim });

/** "1 ply", "41 plies". */
export const pliesText = (count) => t("plies", { n: count });
