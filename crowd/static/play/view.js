// The board, the players, their clocks and the words about the game, as the match has them.

import { createBoard, faceOf } from "../board.js";
import { t } from "../texts.js";
import { byId, make, show } from "../dom.js";
import { clockText } from "./clock.js";
import { material, materialInWords } from "./material.js";
import { isPromotion, squaresOf, targets } from "./moves.js";
import { playerTitle } from "./record.js";
import { claimText, moveInWords, other, resultText } from "./words.js";

const LOW_MS = 20_000;

export class View {
  orientation = "white";
  board = null;
  boardMode = null;
  /** The square of the piece in hand, or null. */
  held = null;

  constructor(match) {
    this.match = match;
    byId("play-board").addEventListener("pointerdown", () => this.dropPremove(), true);
    addEventListener("keydown", ({ key, target }) => key === "Escape" && !target.closest?.("dialog") && this.dropPremove());
  }

  /** Makes the board for a game: the two kinds of castling need boards of their own. */
  open() {
    const { record } = this.match;
    this.orientation = record.engineSide === "white" ? "black" : "white";
    if (this.board && this.boardMode === record.chess960) {
      this.board.setOrientation(this.orientation);
      return;
    }
    this.board?.destroy();
    this.held = null;
    this.boardMode = record.chess960;
    this.board = createBoard(byId("play-board"), {
      fen: this.match.state.fen,
      orientation: this.orientation,
      side: null,
      chess960: record.chess960,
      label: t("game-board-label"),
      // Of a premove it is not known yet whether it will be legal.
      promotion: (from, to) => !this.match.personToMove || isPromotion(this.match.state.legal, from, to),
      onMove: (hand) => this.moved(hand),
      onChoose: (square) => this.chosen(square),
    });
  }

  flip() {
    this.orientation = other(this.orientation);
    this.board.setOrientation(this.orientation);
    this.draw();
  }

  chosen(square) {
    this.held = square;
    this.board.highlight("chosen", square ? [square] : []);
    this.board.highlight("legal", square && this.match.personToMove ? targets(this.match.state.legal, square) : []);
  }

  moved(hand) {
    const { match } = this;
    this.chosen(null);
    show(byId("play-why"), false);
    if (match.personToMove) {
      if (!match.move(hand)) {
        this.refused(hand);
      }
    } else if (match.handSide) {
      match.setPremove(hand);
      this.say(t("game-premove", hand));
    }
  }

  dropPremove() {
    if (this.match.premove) {
      this.match.setPremove(null);
      this.say(t("game-premove-cancelled"));
    }
  }

  /** Says why a move was not played. */
  async refused(hand) {
    const why = await this.match.whyNot(hand);
    const text = why ?? t("game-not-legal", { move: hand.from + hand.to });
    byId("play-why").textContent = `${text}.`;
    show(byId("play-why"), true);
    this.say(text);
  }

  say(text) {
    byId("play-say").textContent = text;
  }

  /** Draws everything for the ply that is looked at. */
  draw() {
    const { match } = this;
    const { state, record, ply } = match;
    const fen = state.fens[ply];
    this.board.setPosition(fen);
    this.board.arrows([]);
    this.board.highlight("last", ply > 0 ? squaresOf(state.moves[ply - 1]) : []);
    this.board.highlight("check", match.isLive && state.check_square ? [state.check_square] : []);
    this.board.highlight("premove", match.premove ? [match.premove.from, match.premove.to] : []);
    this.board.setInteractive(match.handSide);
    this.chosen(match.handSide && this.held);
    byId("play-fen").textContent = fen;
    byId("play-status").textContent = this.status();
    this.players();
    this.buttons(record);
  }

  players() {
    const { record, state, ply } = this.match;
    const count = material(state.fens, ply);
    for (const [place, side] of [["top", other(this.orientation)], ["bottom", this.orientation]]) {
      const name = byId(`play-${place}-name`);
      const own = playerTitle(record, side);
      name.textContent = own === t(side) ? own : `${t(side)}: ${own}`;
      name.classList.toggle("is-to-move", !this.match.isOver && side === this.match.sideToMove);
      byId(`play-${place}-strength`).textContent = record.engineSide === side ? strengthOf(record.level) : "";
      show(byId(`play-${place}-clock`), Boolean(record.clock));
      drawTaken(byId(`play-${place}-taken`), count[side], side === "white" ? count.ahead : -count.ahead);
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
      element.setAttribute("aria-label", t("game-clock-of", { side }));
    }
  }

  status() {
    const { match } = this;
    const { record, state, ply } = match;
    if (match.isStopped && state.isForeseen && match.isLive) {
      return t("game-waits");
    }
    if (!match.isLive) {
      const last = ply === 0 ? t("game-at-first") : t("game-after", { move: moveInWords(state.san[ply - 1]) });
      const at = t("results-share", { found: ply, of: record.moves.length });
      return `${last} (${at})${match.isOver ? "" : t("game-go-last")}`;
    }
    if (match.isOver) {
      return `${resultText(record.result)}.`;
    }
    const side = match.sideToMove;
    const check = state.check ? t("game-in-check") : "";
    if (match.thinking) {
      return `${t("game-thinking", { side })}${check} \u2026`;
    }
    const claim = state.claimable && match.personToMove ? ` ${t("game-may-claim", { claim: claimText(state.claimable) })}` : "";
    return `${t("results-turn", { side })}${check}.${claim}`;
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

  /** Says the last move, with the one before it where it was a premove, and how the game stands. */
  announce() {
    const { match } = this;
    const { state, record } = match;
    const spoken = state.san.slice(match.wasPremove ? -2 : -1).map((san, index, shown) => {
      const mover = (shown.length - index) % 2 === 1 ? other(state.side_to_move) : state.side_to_move;
      return `${t(mover)}: ${moveInWords(san)}.`;
    });
    if (record.result) {
      spoken.push(`${resultText(record.result)}.`);
    } else if (match.personToMove && state.claimable) {
      spoken.push(t("game-may-claim", { claim: claimText(state.claimable) }));
    }
    this.say(spoken.join(" "));
  }
}

/** The strength of a level as the form of a new game has it: "920 Elo". */
function strengthOf(level) {
  return byId("play-level").querySelector(`[value="${level}"]`).dataset.strength;
}

/** Shows what a player has taken, and by how many points that player is ahead. */
function drawTaken(element, taken, ahead) {
  const faces = taken.map((piece, index) => {
    const face = faceOf(piece);
    face.classList.toggle("is-first", piece !== taken[index - 1]);
    return face;
  });
  const lead = ahead > 0 ? [make("span", { text: `+${ahead}` })] : [];
  element.replaceChildren(...faces, ...lead);
  const words = materialInWords(taken, ahead);
  show(element, words !== "");
  element.setAttribute("aria-label", words);
}
