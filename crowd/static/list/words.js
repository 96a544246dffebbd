// Moves from and to words, read against the diagram alone.

import { FILES, RANKS, colorOf, kindName, kingTakesRook, promotes } from "../board.js";
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

/** What a FEN says beside its pieces: who may still castle, and the en passant square; nothing if neither. */
export function factsOf(fen) {
  const [, , castling = "-", passant = "-"] = fen.split(" ");
  const facts = [];
  if (castling !== "-") facts.push(`${t("fact-castling")}: ${rightsOf(castling)}`);
  if (passant !== "-") facts.push(`${t("fact-passant")}: ${t("passant-on", { square: passant })}.`);
  return facts.join(" ");
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

/** Whether this move of a pawn ends on its last rank. */
export const asksPromotion = (pieces, { from, to }) => promotes(pieces.get(from) ?? "", to);

/** "white" or "black" of the piece on a square. */
export const sideOf = (pieces, square) => (pieces.has(square) ? colorOf(pieces.get(square)) : null);

// Typed moves: UCI or the form of SAN. What a piece could reach on an empty board is all that is asked; blockers, checks
// and pins are not. More than one reading is given back for the person to choose.

const KINDS = { K: "k", Q: "q", R: "r", B: "b", N: "n" };
const SQUARES = /^([KQRBN])?([a-h][1-8])[-–x:]?([a-h][1-8])(?:=?\(?([qrbnQRBN])\)?)?$/;
const SAN = /^([KQRBN])?([a-h])?([1-8])?[-–x:]?([a-h][1-8])(?:=?\(?([qrbnQRBN])\)?)?$/;
const CASTLING = /^[O0o]-?[O0o](-?[O0o])?$/;

const fail = (error) => ({ moves: [], error });
const file = (square) => FILES.indexOf(square[0]);
const rank = (square) => RANKS.indexOf(square[1]);

/** Whether a piece gets from one square to the other on an empty board (a pawn also aslant). */
export function reaches(piece, from, to) {
  const [dx, dy] = [file(to) - file(from), rank(to) - rank(from)];
  const [wide, high] = [Math.abs(dx), Math.abs(dy)];
  if (wide + high === 0) return false;
  const aslant = wide === high;
  const straight = dx === 0 || dy === 0;
  switch (piece[1]) {
    case "n": return wide * high === 2;
    case "b": return aslant;
    case "r": return straight;
    case "q": return aslant || straight;
    case "k": return Math.max(wide, high) === 1;
    default: return pawnReaches(piece, from, dx, dy);
  }
}

function pawnReaches(piece, from, dx, dy) {
  const ahead = piece[0] === "w" ? dy : -dy;
  const atStart = from[1] === (piece[0] === "w" ? "2" : "7");
  return (ahead === 1 && Math.abs(dx) <= 1) || (ahead === 2 && dx === 0 && atStart);
}

/**
 * Reads a typed move. Gives { moves: [{ from, to, promotion }], error }: none and why, one, or several among which the
 * person chooses. A pawn on its last rank without a letter has promotion null, which is asked for then.
 */
export function readTyped(text, pieces, side, chess960) {
  const typed = text.replace(/\s+/g, "").replace(/e\.?p\.?$/i, "").replace(/[+#!?]+$/, "");
  if (CASTLING.test(typed)) {
    return castling(typed, pieces, side, chess960);
  }
  const squares = SQUARES.exec(typed) ?? SQUARES.exec(typed.toLowerCase());
  if (squares) {
    return bySquares(squares, pieces, side);
  }
  const san = SAN.exec(typed) ?? SAN.exec(typed.charAt(0).toUpperCase() + typed.slice(1));
  if (san) {
    return byPiece(san, pieces, side);
  }
  return fail(t("typed-unread", { text: text.trim() }));
}

function bySquares([, letter, from, to, promotion], pieces, side) {
  const piece = pieces.get(from);
  if (from === to) {
    return fail(t("typed-same", { square: from }));
  }
  if (sideOf(pieces, from) !== side) {
    return fail(t("typed-no-piece", { side, square: from }));
  }
  if (letter && KINDS[letter] !== piece[1]) {
    return fail(t("typed-other-piece", { square: from, kind: piece[1] }));
  }
  return withPromotion([{ from, to }], promotion, pieces);
}

function byPiece([, letter, fromFile, fromRank, to, promotion], pieces, side) {
  const kind = letter ? KINDS[letter] : "p";
  // A pawn's move names its file only when it takes: "e4" is a move along the e-file.
  const wantedFile = fromFile ?? (kind === "p" ? to[0] : null);
  const from = [...pieces.keys()].filter(
    (square) =>
      sideOf(pieces, square) === side &&
      pieces.get(square)[1] === kind &&
      (!wantedFile || square[0] === wantedFile) &&
      (!fromRank || square[1] === fromRank) &&
      reaches(pieces.get(square), square, to),
  );
  if (from.length === 0) {
    const at = `${fromFile ?? ""}${fromRank ?? ""}`;
    return fail(t(at ? "typed-unreachable-from" : "typed-unreachable", { side, kind, from: at, to }));
  }
  return withPromotion(from.sort().map((square) => ({ from: square, to })), promotion, pieces);
}

function withPromotion(moves, letter, pieces) {
  const promotion = letter ? letter.toLowerCase() : null;
  const last = moves.filter((move) => asksPromotion(pieces, move));
  if (promotion && last.length === 0) {
    return fail(t("typed-no-promotion"));
  }
  return { moves: moves.map((move) => ({ ...move, promotion })), error: null };
}

function castling(typed, pieces, side, chess960) {
  const wing = typed.replaceAll("-", "").length === 2 ? 1 : -1;
  const king = [...pieces.keys()].find((square) => sideOf(pieces, square) === side && pieces.get(square)[1] === "k");
  if (!king) {
    return fail(t("typed-no-king", { side }));
  }
  const goals = chess960 ? rooksBeside(king, wing, pieces) : twoSquares(king, wing);
  if (goals.length === 0) {
    return fail(t(chess960 ? "typed-no-rook" : "typed-no-room"));
  }
  return { moves: goals.map((to) => ({ from: king, to, promotion: null })), error: null };
}

function twoSquares(king, wing) {
  const to = FILES[file(king) + 2 * wing];
  return to ? [to + king[1]] : [];
}

function rooksBeside(king, wing, pieces) {
  const rook = `${pieces.get(king)[0]}r`;
  return [...pieces.keys()].filter(
    (square) => pieces.get(square) === rook && square[1] === king[1] && (file(square) - file(king)) * wing > 0,
  );
}
