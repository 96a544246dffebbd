// What is said of moves, scores and results, in words.

const PIECES = { N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };
const SAN = /^([NBRQK]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([NBRQ]))?([+#]?)$/;
const REASONS = {
  checkmate: "by checkmate",
  stalemate: "by stalemate",
  "insufficient-material": "because neither side can mate",
  "fivefold-repetition": "by fivefold repetition",
  "seventy-five-moves": "by the seventy-five-move rule",
  "threefold-repetition": "by threefold repetition, claimed",
  "fifty-moves": "by the fifty-move rule, claimed",
  resignation: "by resignation",
  agreement: "by agreement",
  time: "on time",
  "time-lone-king": "because the flag fell and the other side has only its king",
};

export const SIDES = ["white", "black"];
export const other = (side) => (side === "white" ? "black" : "white");
export const titled = (word) => word[0].toUpperCase() + word.slice(1);

const ending = (mark) => ({ "+": ", check", "#": ", checkmate" })[mark] ?? "";

/** "knight takes f6, check" for "Nxf6+". */
export function moveInWords(san) {
  const castling = /^O-O(-O)?([+#]?)$/.exec(san);
  if (castling) {
    return `castles ${castling[1] ? "queenside" : "kingside"}${ending(castling[2])}`;
  }
  const parts = SAN.exec(san);
  if (!parts) {
    return san;
  }
  const [, piece, origin, takes, square, promotion, mark] = parts;
  const from = origin && piece ? ` from ${origin}` : "";
  const becomes = promotion ? `, becomes a ${PIECES[promotion]}` : "";
  return `${PIECES[piece] ?? "pawn"}${from}${takes ? " takes" : ""} ${square}${becomes}${ending(mark)}`;
}

/** "+0.35", "−1.20", "mate in 3 for White". */
export function scoreText(score) {
  if (score.mate !== undefined) {
    return `mate in ${Math.abs(score.mate)} for ${score.mate > 0 ? "White" : "Black"}`;
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
  const who = { "1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw" }[result] ?? "The game is not decided";
  return `${who} ${REASONS[reason] ?? ""}`.trim();
}

/** What the tag Termination says of a reason. */
export const termination = (reason) => (reason?.startsWith("time") ? "time forfeit" : reason ? "normal" : "unterminated");

/** "threefold repetition". */
export const claimText = (claim) => ({ "threefold-repetition": "threefold repetition", "fifty-moves": "fifty moves" })[claim];

/** "1 ply", "41 plies". */
export const pliesText = (count) => (count === 1 ? "1 ply" : `${count} plies`);
