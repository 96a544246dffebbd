// A position and moves in words, from the diagram alone.

import { colorOf, kindName, kingTakesRook, promotes } from "../board.js";
import { t } from "../texts.js";

const LETTERS = { p: "", n: "N", b: "B", r: "R", q: "Q", k: "K" };

/** The squares of a move, and the piece that a pawn becomes, if any. */
export const partsOf = (move) => ({ from: move.slice(0, 2), to: move.slice(2, 4), promotion: move[4] ?? null });

/** The text of a move from its parts. */
export const textOf = ({ from, to, promotion }) => from + to + (promotion ?? "");

/** Which wing a move castles to ("O-O", "O-O-O"), or null: the king goes two files along its first rank, or takes its rook. */
function castlingOf(pieces, { from, to }, chess960) {
  if (pieces.get(from)?.[1] !== "k") {
    return null;
  }
  const step = to.charCodeAt(0) - from.charCodeAt(0);
  const byTwo = !chess960 && from[0] === "e" && from[1] === to[1] && Math.abs(step) === 2 && "18".includes(from[1]);
  if (byTwo || kingTakesRook(pieces, from, to)) {
    return step > 0 ? "O-O" : "O-O-O";
  }
  return null;
}

/** Castling has one form in standard chess, the king's two squares; a king put upon its rook in the corner means the same. */
export function oneForm(pieces, parts, chess960) {
  const atHome = parts.from === (pieces.get(parts.from)?.[0] === "w" ? "e1" : "e8");
  if (!chess960 && atHome && kingTakesRook(pieces, parts.from, parts.to) && "ah".includes(parts.to[0])) {
    return { ...parts, to: (parts.to[0] === "h" ? "g" : "c") + parts.to[1] };
  }
  return parts;
}

/** "Ng1–f3", "exd5" as "e4xd5", "e7–e8=Q", "O-O". */
export function longForm(pieces, move, chess960) {
  const parts = partsOf(move);
  const castling = castlingOf(pieces, parts, chess960);
  if (castling) {
    return castling;
  }
  const piece = pieces.get(parts.from);
  const other = pieces.get(parts.to);
  const takes = other && piece && other[0] !== piece[0] ? "x" : "–";
  const becomes = parts.promotion ? `=${parts.promotion.toUpperCase()}` : "";
  return `${piece ? LETTERS[piece[1]] : ""}${parts.from}${takes}${parts.to}${becomes}`;
}

/** "knight from g1 to f3", "pawn from e7 to e8, becoming a queen", "castling, king from e1 to g1". */
export function spokenForm(pieces, move, chess960) {
  const { from, to, promotion } = partsOf(move);
  const piece = pieces.get(from);
  if (castlingOf(pieces, { from, to }, chess960)) {
    return t("move-castling", { from, to });
  }
  const other = pieces.get(to);
  const taken = other && piece && other[0] !== piece[0] ? t("move-taking", { kind: other[1] }) : "";
  const becomes = promotion ? t("move-becoming", { kind: promotion }) : "";
  return t("move-spoken", { piece: kindName(piece ?? "?"), from, to }) + taken + becomes;
}

/** What a FEN says beside its pieces: who may still castle, and the en passant square. */
export function factsOf(fen) {
  const [, , castling = "-", passant = "-"] = fen.split(" ");
  const facts = [`${t("fact-castling")}: ${rightsOf(castling)}`, `${t("fact-passant")}: ${passantOf(passant)}`];
  return facts.map((fact) => (fact.endsWith(".") ? fact : `${fact}.`)).join(" ");
}

function rightsOf(field) {
  const white = wingsOf([...field].filter((letter) => "A" <= letter && letter <= "Z"));
  const black = wingsOf([...field].filter((letter) => "a" <= letter && letter <= "z").map((letter) => letter.toUpperCase()));
  return t("rights", { white, black });
}

/** Of one side's letters; Chess960 may name the file of the rook. */
function wingsOf(letters) {
  if (letters.includes("K") && letters.includes("Q")) {
    return t("rights-both");
  }
  const wings = { K: t("rights-king"), Q: t("rights-queen") };
  return letters.map((letter) => wings[letter] ?? t("rights-file", { file: letter.toLowerCase() })).join(", ") || t("rights-none");
}

function passantOf(square) {
  return square === "-" ? t("passant-none") : t("passant-on", { square });
}

/** Whether this move of a pawn ends on its last rank. */
export const asksPromotion = (pieces, { from, to }) => promotes(pieces.get(from) ?? "", to);

/** "white" or "black" of the piece on a square. */
export const sideOf = (pieces, square) => (pieces.has(square) ? colorOf(pieces.get(square)) : null);
