// The game that is played: it owns the record, the server's word on it, the clocks and the opponent's turn. Views
// listen to "change" (its detail says of what) and "trouble" (the server has no answer; `retry` in its detail tries
// again).

import { askMove, askState } from "./api.js";
import { Clock, flagResult } from "./clock.js";
import { findMove } from "./moves.js";

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
    const mayMove = !this.isOver && this.isLive && !this.asking && this.sideToMove !== this.record.engineSide;
    return mayMove ? this.sideToMove : null;
  }

  /** Plays a person's move. Gives the legal move, or null where it is none. */
  async move(hand) {
    const found = this.personToMove && findMove(this.state.legal, hand);
    if (found) {
      await this.play(found.move);
    }
    return found || null;
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
  async undo() {
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
    await this.refresh("undone");
  }

  undoCount() {
    const played = this.record.moves.length;
    if (!this.record.engineSide) {
      return Math.min(1, played);
    }
    // A move that the server has not yet seen is the person's own.
    const count = this.isUnsent || this.sideToMove === this.record.engineSide ? 1 : 2;
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

  /** Whether the last move is one that the server has not yet seen. */
  get isUnsent() {
    return this.record.moves.length > this.state.moves.length;
  }

  goTo(ply) {
    this.ply = Math.max(0, Math.min(this.state.moves.length, ply));
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

  async play(text) {
    const side = this.sideToMove;
    // Both clocks stand still until White's first move; the first move of a game costs nothing.
    if (this.clock?.running) {
      this.clock.moved(side, now());
    }
    this.record.moves.push(text);
    if (this.clock) {
      this.record.times[this.record.moves.length] = this.clock.times(now());
    }
    await this.refresh("moved");
  }

  /** Asks for the word on the game as it is now. */
  async refresh(event) {
    this.asking = new AbortController();
    const { signal } = this.asking;
    const asked = this.record;
    try {
      const state = await this.patiently(() => askState(asked), signal);
      if (signal.aborted || asked !== this.record) {
        return;
      }
      this.asking = null;
      this.take(state);
      this.ply = this.record.moves.length;
      this.notify(event);
      this.goOn();
    } catch (error) {
      if (!signal.aborted) {
        this.trouble(error, () => this.refresh(event));
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

  /** Lets the clock of the side to move run, and the opponent think, whichever there is. */
  goOn() {
    if (this.isOver) {
      return;
    }
    if (this.clock && this.record.moves.length > 0) {
      this.clock.run(this.sideToMove, now());
    }
    if (this.sideToMove === this.record.engineSide) {
      this.letThink();
    }
  }

  async letThink() {
    const asking = new AbortController();
    this.asking = asking;
    this.thinking = true;
    this.notify("thinking");
    try {
      const wish = { level: this.record.level, clock: this.clock?.forServer(now()) ?? null };
      const answer = await this.patiently(() => askMove(this.record, wish, asking.signal), asking.signal);
      if (!asking.signal.aborted) {
        this.thinking = false;
        await this.play(answer.move);
      }
    } catch (error) {
      if (!asking.signal.aborted) {
        this.thinking = false;
        this.trouble(error, () => this.goOn());
      }
    }
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
    this.dispatchEvent(new CustomEvent("trouble", { detail: { error, retry } }));
    this.notify("stopped");
  }

  /** Gives up whatever is under way. */
  quiet() {
    this.asking?.abort();
    this.asking = null;
    this.thinking = false;
    this.clock?.stop(now());
  }

  notify(what) {
    this.dispatchEvent(new CustomEvent("change", { detail: what }));
  }
}
