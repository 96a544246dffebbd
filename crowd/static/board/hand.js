// The hand that moves pieces, the same for both makes of board: whose pieces may be lifted, when a click upon
// another own piece changes the choice, and the question of promotion. A move never stays on the board;
// the page is informed and decides.

import { colorOf, kingTakesRook, piecesOf, promotes } from "./squares.js";
import { askPromotion } from "./promotion.js";

export class Hand {
  constructor(settings, picture) {
    this.settings = settings;
    this.picture = picture;
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

  /** Notifies the page of a move, after asking for the piece where a pawn reaches its last rank. */
  async moved(from, to) {
    const piece = this.pieces.get(from);
    if (!piece || from === to) {
      return;
    }
    let promotion = null;
    const ask = this.settings.promotion === "always" || this.settings.promotion(from, to);
    if (promotes(piece, to) && ask) {
      promotion = await askPromotion(colorOf(piece), to, this.picture);
      if (!promotion) {
        return;
      }
    }
    this.settings.onMove({ from, to, promotion });
  }
}
