// The state of a game after a legal move, before the server has answered: what the server has said of the move. The next
// player's moves are not known yet, so there are none.

import { piecesOf } from "../board.js";

/** The side to move in a FEN. */
export const sideOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : "white");

/** The state at the end of these moves; their SAN says whether it is check or mate. */
function endOf(state, { moves, san, fens }) {
  const fen = fens.at(-1);
  const side = sideOf(fen);
  const mark = san.at(-1)?.at(-1);
  const check = mark === "+" || mark === "#";
  const king = [...piecesOf(fen)].find(([, piece]) => piece === `${side[0]}k`);
  const won = { result: side === "white" ? "0-1" : "1-0", reason: "checkmate" };
  return {
    ...state,
    moves,
    san,
    fens,
    fen,
    side_to_move: side,
    legal: [],
    check,
    check_square: check ? king?.[0] : null,
    claimable: null,
    outcome: mark === "#" ? won : null,
    // After mate there is nothing more to be known.
    isForeseen: mark !== "#",
  };
}

/** After a legal move of the state. */
export function foreseen(state, { move, san, fen }) {
  return endOf(state, { moves: [...state.moves, move], san: [...state.san, san], fens: [...state.fens, fen] });
}

/** After the first `count` of its moves. */
export function shortened(state, count) {
  const [moves, san] = [state.moves, state.san].map((list) => list.slice(0, count));
  return endOf(state, { moves, san, fens: state.fens.slice(0, count + 1) });
}
