// The hand that moves pieces, the same for both makes of board: whose pieces may be lifted, when a click upon
// another own piece changes the choice, and the question of promotion. The page is informed of every move and decides:
// a move stays where the page sets the position that it leads to.

import { colorOf, kingTakesRook, piecesOf, promotes } from "./squares.js";
import { askPromotion } from "./promotion.js";

export class Hand {
  /** `squareElement` finds the element of a square, beside which the question of promotion is asked. */
  constructor(settings, squareElement) {
    this.settings = settings;
    this.squareElement = squareElement;
    this.side = settings.interactive ? settings.side : null;
    this.setPosition(settings.fen);
  }

  setPosition(fen) {
    this.pieces = piecesOf(fen);
  }

  /** Whether the piece on this square may be lifted now. */
  mayLift(square) {
    const piece = this.pieces.get(square);
    return Boolean(piece && this.side && (this.side === "both" || this.side === colorOf(piece)));
  }

  /**
   * Whether the second click (not a drag) means "rather this piece". A king and then its rook is castling where
   * castling is written so.
   */
  changesChoice(from, to) {
    const one = this.pieces.get(from);
    const other = this.pieces.get(to);
    if (!one || !other || one[0] !== other[0]) {
      return false;
    }
    return !(this.settings.chess960 && kingTakesRook(this.pieces, from, to));
  }

  /** Notifies the page that a piece was lifted (a square) or put back (null). */
  chosen(square) {
    this.settings.onChoose(square);
  }

  /** Whether this move needs the question which piece a pawn becomes. */
  asks(from, to) {
    const piece = this.pieces.get(from);
    const { promotion } = this.settings;
    return Boolean(piece) && promotes(piece, to) && (promotion === "always" || promotion(from, to));
  }

  /** Notifies the page of a move: at once, or after the question which piece a pawn becomes. */
  async moved(from, to) {
    if (!this.pieces.has(from) || from === to) {
      return;
    }
    let promotion = null;
    if (this.asks(from, to)) {
      promotion = await askPromotion(colorOf(this.pieces.get(from)), to, this.squareElement(to));
      if (!promotion) {
        return;
      }
    }
    this.settings.onMove({ from, to, promotion });
  }
}
