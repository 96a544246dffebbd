// From what a hand did on the board to a legal move, and back.

/** The legal move that goes from one square to another; castling in either of its forms. */
export function findMove(legal, { from, to, promotion }) {
  const text = from + to + (promotion ?? "");
  return legal.find((one) => one.move === text) ?? legal.find((one) => one.also === text);
}

/** Whether a pawn may promote by going so. */
export const isPromotion = (legal, from, to) => legal.some(({ move }) => move.length === 5 && move.startsWith(from + to));

/** Where the piece on a square may go. */
export function targets(legal, square) {
  const texts = legal.flatMap(({ move, also }) => (also ? [move, also] : [move]));
  return [...new Set(texts.filter((text) => text.startsWith(square)).map((text) => text.slice(2, 4)))];
}

/** The two squares of a move. */
export const squaresOf = (move) => [move.slice(0, 2), move.slice(2, 4)];
