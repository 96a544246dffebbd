// What a diagram of a variant says: pieces on squares and in pockets, read from a position by its card; moves in words.
// Nothing here knows which moves are legal.

import { askPromotion } from "./promotion.js";

const SIDES = { w: "white", b: "black" };
const DROP = /^([A-Za-z])@([a-l]\d{1,2})$/;
const STEP = /^([a-l]\d{1,2})[-–x:]?([a-l]\d{1,2})(?:=?\(?([A-Za-z])\)?)?$/;

export const fileOf = (square) => square.charCodeAt(0) - 97;
export const rankOf = (square) => Number(square.slice(1)) - 1;
export const squareAt = (file, rank) => String.fromCharCode(97 + file) + (rank + 1);

/** The pieces of a position, by square: "wn" is White's piece with the letter n. */
export class VariantPieces {
  constructor(card, fen) {
    this.card = card;
    this.squares = new Map();
    const [field, side] = fen.split(" ").filter(Boolean);
    const [board, pocket = ""] = field.split("[");
    this.side = SIDES[side] ?? "white";
    board.split("/").forEach((row, index) => {
      let file = 0;
      for (const [part] of row.matchAll(/\d+|[A-Za-z]/g)) {
        if (/\d/.test(part)) {
          file += Number(part);
        } else {
          this.squares.set(squareAt(file, card.ranks - 1 - index), pieceOf(part));
          file += 1;
        }
      }
    });
    this.pocket = [...pocket].filter((letter) => /[A-Za-z]/.test(letter)).map(pieceOf);
  }

  /** The piece on a square, or the one that a drop ("N@") takes from the pocket. */
  get(square) {
    return square?.endsWith("@") ? this.side[0] + square[0].toLowerCase() : this.squares.get(square);
  }

  has(square) {
    return this.squares.has(square);
  }

  kind(piece) {
    return this.card.pieces.find(({ letter }) => letter === piece[1]);
  }

  /** "knight". */
  name(piece) {
    return this.kind(piece)?.name ?? "piece";
  }

  /** How many of each kind a side may drop: [["wn", 2], …]. */
  held(side) {
    const counts = new Map();
    for (const piece of this.pocket.filter((piece) => SIDES[piece[0]] === side)) {
      counts.set(piece, (counts.get(piece) ?? 0) + 1);
    }
    return [...counts];
  }

  /** What the piece may become there, and whether it must, or null. */
  promotion({ from, to }) {
    const piece = this.squares.get(from);
    const { promotion } = (piece && this.kind(piece)) || {};
    const rank = piece?.[0] === "b" ? this.card.ranks - rankOf(to) : rankOf(to) + 1;
    return promotion?.ranks.includes(rank) ? promotion : null;
  }

  /** Asks what the piece becomes: a letter, "" if it stays what it is, null when the question is put away. */
  askPromotion(move) {
    const { to, must } = this.promotion(move);
    const piece = this.squares.get(move.from);
    const choices = [...to].map((letter) => piece[0] + letter);
    return askPromotion(this, piece, move.to, choices, must);
  }

  /** "Na10–b12", "e7–e8=K", "N@f3". */
  longForm(move) {
    const { from, to, promotion } = partsOf(move);
    if (from.endsWith("@")) {
      return move;
    }
    const piece = this.squares.get(from);
    const letter = piece && piece[1] !== "p" ? piece[1].toUpperCase() : "";
    return `${letter}${from}${this.taken(from, to) ? "x" : "–"}${to}${promotion ? `=${promotion.toUpperCase()}` : ""}`;
  }

  /** "knight from g1 to f3, taking the pawn", "knight dropped on f3". */
  spokenForm(move) {
    const { from, to, promotion } = partsOf(move);
    const piece = this.get(from);
    const name = piece ? this.name(piece) : "piece";
    if (from.endsWith("@")) {
      return `${name} dropped on ${to}`;
    }
    const taken = this.taken(from, to);
    const becomes = promotion ? `, becoming a ${this.name(piece[0] + promotion)}` : "";
    return `${name} from ${from} to ${to}${taken ? `, taking the ${this.name(taken)}` : ""}${becomes}`;
  }

  taken(from, to) {
    const [one, other] = [this.squares.get(from), this.squares.get(to)];
    return one && other && one[0] !== other[0] ? other : null;
  }

  /** Reads a typed move, as san.js does for chess: { moves, error }. */
  readTyped(text, side) {
    const fail = (error) => ({ moves: [], error });
    const typed = text.replace(/\s+/g, "").replace(/[+#!?]+$/, "");
    const drop = DROP.exec(typed);
    if (drop) {
      const letter = drop[1].toUpperCase();
      if (!this.held(side).some(([piece]) => piece[1] === letter.toLowerCase())) {
        return fail(`There is no ${letter} in ${side}’s pocket.`);
      }
      return this.onBoard([drop[2]]) ?? { moves: [{ from: `${letter}@`, to: drop[2], promotion: null }], error: null };
    }
    const step = STEP.exec(typed) ?? STEP.exec(typed.toLowerCase());
    if (!step) {
      return fail(`“${text.trim()}” is not read as a move. Write e2e4, e7e8q or N@f3.`);
    }
    const [, from, to, letter] = step;
    const piece = this.squares.get(from);
    if (from === to) {
      return fail(`A move goes to another square than ${from}.`);
    }
    if (!piece || SIDES[piece[0]] !== side) {
      return this.onBoard([from, to]) ?? fail(`There is no ${side} piece on ${from}.`);
    }
    const promotion = letter?.toLowerCase() ?? null;
    if (promotion && !this.promotion({ from, to })?.to.includes(promotion)) {
      return fail(`The ${this.name(piece)} does not become “${letter}” on ${to}.`);
    }
    return this.onBoard([from, to]) ?? { moves: [{ from, to, promotion }], error: null };
  }

  /** The error for a square beyond the board, or null. */
  onBoard(squares) {
    const { files, ranks } = this.card;
    const off = squares.find((square) => fileOf(square) >= files || rankOf(square) < 0 || rankOf(square) >= ranks);
    return off ? { moves: [], error: `${off} is not on this board.` } : null;
  }
}

const pieceOf = (sign) => (sign === sign.toUpperCase() ? "w" : "b") + sign.toLowerCase();

/** A move's text in its parts: "a10b12q" is a10, b12, q; "N@f3" is N@, f3. */
export function partsOf(move) {
  const [, from, to, promotion] = /^([A-Z]@|[a-l]\d{1,2})([a-l]\d{1,2})([a-z]?)$/.exec(move) ?? [];
  return { from: from ?? "", to: to ?? "", promotion: promotion || null };
}
