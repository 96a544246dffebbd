// The board, the players, their clocks and the words about the game, as the match has them.

import { createBoard } from "../board.js";
import { byId, show } from "./dom.js";
import { clockText } from "./clock.js";
import { isPromotion, squaresOf, targets } from "./moves.js";
import { playerName } from "./record.js";
import { claimText, moveInWords, other, resultText, titled } from "./words.js";

const LOW_MS = 20_000;

export class View {
  orientation = "white";
  board = null;
  boardMode = null;

  constructor(match) {
    this.match = match;
  }

  /** Makes the board for a game: the two kinds of castling need boards of their own. */
  async open() {
    const { record } = this.match;
    this.orientation = record.engineSide === "white" ? "black" : "white";
    if (this.board && this.boardMode === record.chess960) {
      await this.board.setOrientation(this.orientation);
      return;
    }
    this.board?.destroy();
    this.board = null;
    this.boardMode = record.chess960;
    this.board = await createBoard(byId("play-board"), {
      fen: this.match.state.fen,
      orientation: this.orientation,
      side: null,
      chess960: record.chess960,
      label: "Board of the game",
      promotion: (from, to) => isPromotion(this.match.state.legal, from, to),
      onMove: (hand) => this.moved(hand),
      onChoose: (square) => this.chosen(square),
    });
  }

  async flip() {
    if (!this.board) {
      return;
    }
    this.orientation = other(this.orientation);
    await this.board.setOrientation(this.orientation);
    this.draw();
  }

  chosen(square) {
    const may = square && this.match.personToMove;
    this.board.highlight("chosen", may ? [square] : []);
    this.board.highlight("legal", may ? targets(this.match.state.legal, square) : []);
  }

  async moved(hand) {
    this.chosen(null);
    show(byId("play-why"), false);
    if (this.match.personToMove && !(await this.match.move(hand))) {
      this.refused(hand);
    }
  }

  /** Says why a move was not played. */
  async refused(hand) {
    const why = await this.match.whyNot(hand);
    const text = why ?? `${hand.from}${hand.to} is not legal here`;
    byId("play-why").textContent = `${text}.`;
    show(byId("play-why"), true);
    this.say(text);
  }

  say(text) {
    byId("play-say").textContent = text;
  }

  /** Draws everything for the ply that is looked at. */
  draw() {
    // A new board is still being made; it is drawn as soon as it is there.
    if (!this.board) {
      return;
    }
    const { match } = this;
    const { state, record, ply } = match;
    const fen = state.fens[ply];
    this.board.setPosition(fen);
    this.board.arrows([]);
    this.board.highlight("last", ply > 0 ? squaresOf(state.moves[ply - 1]) : []);
    this.board.highlight("check", match.isLive && state.check_square ? [state.check_square] : []);
    this.board.highlight("chosen", []);
    this.board.highlight("legal", []);
    this.board.setInteractive(match.personToMove);
    byId("play-fen").textContent = fen;
    byId("play-status").textContent = this.status();
    this.players();
    this.buttons(record);
  }

  players() {
    const { record } = this.match;
    for (const [place, side] of [["top", other(this.orientation)], ["bottom", this.orientation]]) {
      const name = byId(`play-${place}-name`);
      const own = playerName(record, side);
      name.textContent = own === titled(side) ? own : `${titled(side)}: ${own}`;
      name.classList.toggle("is-to-move", !this.match.isOver && side === this.match.sideToMove);
      show(byId(`play-${place}-clock`), Boolean(record.clock));
    }
    this.clocks();
  }

  clocks() {
    const { match } = this;
    if (!match.clock) {
      return;
    }
    for (const [place, side] of [["top", other(this.orientation)], ["bottom", this.orientation]]) {
      const element = byId(`play-${place}-clock`);
      const left = match.timeOf(side);
      element.textContent = clockText(left);
      element.classList.toggle("is-low", left < LOW_MS);
      element.classList.toggle("is-running", match.clock.running === side);
      element.setAttribute("aria-label", `${titled(side)}'s clock`);
    }
  }

  status() {
    const { match } = this;
    const { record, state, ply } = match;
    if (match.isUnsent && ply === state.moves.length) {
      const whose = match.sideToMove === record.engineSide ? "touchstone's" : "Your";
      return `${whose} move waits to be sent.`;
    }
    if (!match.isLive) {
      const last = ply === 0 ? "The first position" : `After ${moveInWords(state.san[ply - 1])}`;
      const how = match.isOver || match.isUnsent ? "" : "; go to the last position to play on";
      return `${last} (${ply} of ${record.moves.length})${how}`;
    }
    if (match.isOver) {
      return `${resultText(record.result)}.`;
    }
    const side = titled(match.sideToMove);
    const check = state.check ? ", in check" : "";
    if (match.thinking) {
      return `touchstone is thinking as ${side}${check} \u2026`;
    }
    const claim = state.claimable && match.personToMove ? ` A draw may be claimed: ${claimText(state.claimable)}.` : "";
    return `${side} to move${check}.${claim}`;
  }

  buttons(record) {
    const { match } = this;
    const over = match.isOver;
    byId("play-undo").disabled = match.undoCount() === 0;
    byId("play-resign").disabled = over;
    show(byId("play-offer"), record.engineSide === null);
    byId("play-offer").disabled = over;
    byId("play-hint").disabled = match.personToMove === null;
    show(byId("play-claim"), Boolean(match.state.claimable && match.personToMove));
  }

  /** Says the last move, and how the game stands. */
  announce() {
    const { state, record } = this.match;
    const count = state.san.length;
    const mover = other(state.side_to_move);
    const move = count > 0 ? `${titled(mover)}: ${moveInWords(state.san[count - 1])}.` : "";
    const end = record.result ? ` ${resultText(record.result)}.` : "";
    const claim = !end && this.match.personToMove && state.claimable ? ` A draw may be claimed: ${claimText(state.claimable)}.` : "";
    this.say(move + end + claim);
  }
}
