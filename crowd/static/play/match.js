// The game that is played: it owns the record, the server's word on it, the clocks and the opponent's turn. Views
// listen to "change" (its detail says of what) and "trouble" (the server has no answer; `retry` in its detail tries
// again).
//
// A legal move is shown at once: the server has said where each leads. What the next player may do is known when the
// server has answered; until then the state is foreseen, and a move is kept as a premove.

import { askMove, askState } from "./api.js";
import { Clock, flagResult } from "./clock.js";
import { foreseen, shortened } from "./foresee.js";
import { findMove } from "./moves.js";
import { other } from "./words.js";

const BUSY_TRIES = 3;
const now = () => performance.now();
const wait = (seconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(seconds, 10) * 1000);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)));
  });

export class Match extends EventTarget {
  record = null;
  state = null;
  clock = null;
  /** The ply that is looked at; the last one is the game's. */
  ply = 0;
  thinking = false;
  asking = null;
  /** Whether the server has no answer, and nothing goes on until it is asked again. */
  isStopped = false;
  /** The hand's move that is played as soon as it is legal, or null. */
  premove = null;
  /** Whether the last move was a premove. */
  wasPremove = false;

  /** Takes up a game; throws NoAnswer, with the game before it still there, when the server refuses it. */
  async open(record) {
    const state = await askState(record);
    this.quiet();
    // The server writes FEN and moves in one form; from now on they are kept so.
    this.record = { ...record, fen: record.fen && state.fens[0], chess960: state.chess960, moves: state.moves };
    this.clock = record.clock ? new Clock(record.clock, record.times.at(-1)) : null;
    this.take(state);
    this.ply = state.moves.length;
    this.notify("opened");
    this.goOn();
  }

  get isOver() {
    return this.record.result !== null;
  }

  get isLive() {
    return this.ply === this.record.moves.length;
  }

  get sideToMove() {
    return this.state.side_to_move;
  }

  /** The side that a person may move now, or null. */
  get personToMove() {
    const mayMove = !this.isOver && this.isLive && !this.state.isForeseen && this.sideToMove !== this.record.engineSide;
    return mayMove ? this.sideToMove : null;
  }

  /** The side whose pieces a person may lift, for a move or a premove, or null. */
  get handSide() {
    if (this.isOver || !this.isLive) {
      return null;
    }
    return this.record.engineSide ? other(this.record.engineSide) : this.sideToMove;
  }

  /** Plays a person's move. Gives the legal move, or null where it is none. */
  move(hand) {
    const found = this.personToMove && findMove(this.state.legal, hand);
    if (found) {
      this.wasPremove = false;
      this.play(found);
    }
    return found || null;
  }

  /** Keeps a move for when it is this side's turn; null for none. */
  setPremove(hand) {
    this.premove = hand;
    this.notify("premoved");
  }

  /** Why a move is not legal, as the server says it. */
  async whyNot({ from, to, promotion }) {
    const moves = [...this.record.moves, from + to + (promotion ?? "")];
    try {
      await askState({ ...this.record, moves });
      return null;
    } catch (error) {
      return error.kind === "refused" ? error.message.replace(/^move \d+: /, "") : null;
    }
  }

  /** Takes the last move back; against the opponent, also its answer. */
  undo() {
    const count = this.undoCount();
    if (count === 0) {
      return;
    }
    this.quiet();
    this.record.moves.length -= count;
    this.record.result = null;
    if (this.clock) {
      this.record.times.length = this.record.moves.length + 1;
      this.clock = new Clock(this.record.clock, this.record.times.at(-1));
    }
    this.state = shortened(this.state, this.record.moves.length);
    this.ply = this.record.moves.length;
    this.notify("undone");
    this.confirm();
  }

  undoCount() {
    const played = this.record.moves.length;
    if (!this.record.engineSide) {
      return Math.min(1, played);
    }
    const count = this.sideToMove === this.record.engineSide ? 1 : 2;
    return played >= count ? count : 0;
  }

  end(result) {
    if (!this.isOver) {
      this.quiet();
      this.record.result = result;
      this.notify("ended");
    }
  }

  resign(side) {
    this.end({ result: side === "white" ? "0-1" : "1-0", reason: "resignation" });
  }

  agreeDraw() {
    this.end({ result: "1/2-1/2", reason: "agreement" });
  }

  claimDraw() {
    if (this.state.claimable) {
      this.end({ result: "1/2-1/2", reason: this.state.claimable });
    }
  }

  goTo(ply) {
    this.ply = Math.max(0, Math.min(this.state.moves.length, ply));
    this.premove = null;
    this.notify("looked");
  }

  /** Looks at the clocks; a fallen flag ends the game. */
  tick() {
    const side = this.clock?.fallen(now());
    if (side && !this.isOver) {
      this.end(flagResult(side, this.state.lone_kings));
    }
  }

  /** What is left on a clock, at the ply that is looked at. */
  timeOf(side) {
    if (this.isLive) {
      return this.clock.remaining(side, now());
    }
    return this.record.times[this.ply]?.[side] ?? this.record.clock.base;
  }

  /** The record with the clocks as they are, for keeping. */
  kept() {
    if (this.clock && !this.isOver) {
      this.record.times[this.record.moves.length] = this.clock.times(now());
    }
    return this.record;
  }

  // What follows is between the parts of a match.

  /** Plays a legal move of the state. */
  play(found) {
    this.push(found.move);
    this.take(foreseen(this.state, found));
    this.notify("moved");
    this.goOn();
  }

  /** Plays the opponent's move; the server has sent the game after it. */
  reply({ move, state }) {
    this.push(move);
    this.take(state);
    this.notify("moved");
    this.goOn();
  }

  /** Adds a move to the record, and stops its player's clock. */
  push(text) {
    // Both clocks stand still until White's first move; the first move of a game costs nothing.
    if (this.clock?.running) {
      this.clock.moved(this.sideToMove, now());
    }
    this.record.moves.push(text);
    if (this.clock) {
      this.record.times[this.record.moves.length] = this.clock.times(now());
    }
    this.ply = this.record.moves.length;
  }

  /** Asks for the server's word on the game as it is now. */
  confirm() {
    this.inquire(
      () => askState(this.record),
      (state) => {
        const wasOver = this.isOver;
        this.take(state);
        this.notify(this.isOver && !wasOver ? "ended" : "known");
        this.goOn();
      },
    );
  }

  /** Asks the server, patiently; `take` gets the answer, unless the game has gone another way. */
  async inquire(ask, take) {
    const asking = new AbortController();
    this.asking = asking;
    this.isStopped = false;
    try {
      const answer = await this.patiently(() => ask(asking.signal), asking.signal);
      if (!asking.signal.aborted) {
        this.asking = null;
        this.thinking = false;
        take(answer);
      }
    } catch (error) {
      if (asking.signal.aborted) {
        return;
      }
      this.thinking = false;
      if (error.kind === "over") {
        // The last move has ended the game in a way that only the server sees.
        this.confirm();
      } else {
        this.trouble(error, () => this.goOn());
      }
    }
  }

  take(state) {
    this.state = state;
    if (state.outcome && !this.isOver) {
      this.record.result = state.outcome;
    }
    if (this.isOver) {
      this.clock?.stop(now());
    }
  }

  /** Lets the clock of the side to move run; the opponent thinks, the server confirms, or a premove is played. */
  goOn() {
    if (this.isOver) {
      return;
    }
    const isEngine = this.sideToMove === this.record.engineSide;
    // A person's time runs only when the moves are known.
    if (this.clock && this.record.moves.length > 0 && (isEngine || !this.state.isForeseen)) {
      this.clock.run(this.sideToMove, now());
    }
    if (isEngine) {
      this.letThink();
    } else if (this.state.isForeseen) {
      this.confirm();
    } else {
      this.playPremove();
    }
  }

  playPremove() {
    const hand = this.premove;
    if (!hand || !this.personToMove) {
      return;
    }
    this.premove = null;
    const found = findMove(this.state.legal, hand);
    if (found) {
      this.wasPremove = true;
      this.play(found);
    } else {
      this.notify("premoved");
    }
  }

  letThink() {
    this.thinking = true;
    this.wasPremove = false;
    const ask = (signal) => {
      const wish = { level: this.record.level, clock: this.clock?.forServer(now()) ?? null };
      return askMove(this.record, wish, signal);
    };
    this.inquire(ask, (answer) => this.reply(answer));
    this.notify("thinking");
  }

  /** Asks again a few times while the server is busy. */
  async patiently(ask, signal) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        if (error.kind !== "busy" || tries === BUSY_TRIES) {
          throw error;
        }
        await wait(error.retryAfter, signal);
      }
    }
  }

  /** No answer: nobody's time runs until it is tried again. */
  trouble(error, retry) {
    this.clock?.stop(now());
    this.isStopped = true;
    this.dispatchEvent(new CustomEvent("trouble", { detail: { error, retry } }));
    this.notify("stopped");
  }

  /** Gives up whatever is under way. */
  quiet() {
    this.asking?.abort();
    this.asking = null;
    this.thinking = false;
    this.isStopped = false;
    this.premove = null;
    this.clock?.stop(now());
  }

  notify(what) {
    this.dispatchEvent(new CustomEvent("change", { detail: what }));
  }
}
