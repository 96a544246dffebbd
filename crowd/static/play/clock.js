// Two clocks, of which one or none runs. Times are given in and out in milliseconds; `now` is the caller's.

import { other } from "./words.js";

export class Clock {
  /** `setting`: { base, increment } in ms. `times`: what is left, as kept with the game. */
  constructor(setting, times) {
    this.setting = setting;
    this.left = { white: times?.white ?? setting.base, black: times?.black ?? setting.base };
    this.running = null;
    this.since = 0;
  }

  /** What a side has left. */
  remaining(side, now) {
    const spent = this.running === side ? now - this.since : 0;
    return Math.max(0, this.left[side] - spent);
  }

  times(now) {
    return { white: this.remaining("white", now), black: this.remaining("black", now) };
  }

  stop(now) {
    this.left = this.times(now);
    this.running = null;
  }

  run(side, now) {
    this.stop(now);
    this.running = side;
    this.since = now;
  }

  /** A side has moved: its clock stops and gains the increment. */
  moved(side, now) {
    this.stop(now);
    this.left[side] += this.setting.increment;
  }

  /** The side whose flag has fallen, or null. */
  fallen(now) {
    return this.running && this.remaining(this.running, now) === 0 ? this.running : null;
  }

  /** As the server takes it. */
  forServer(now) {
    const { increment } = this.setting;
    const { white, black } = this.times(now);
    return { white_ms: Math.round(white), black_ms: Math.round(black), winc: increment, binc: increment };
  }
}

/** "4:05", and below twenty seconds "0:09.3". */
export function clockText(ms) {
  const tenths = Math.ceil(ms / 100);
  if (tenths < 200) {
    return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const tail = `${String(minutes % 60).padStart(hours ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}

/** What a result on time is: a loss, or a draw when the other side has only its king. */
export function flagResult(side, loneKings) {
  if (loneKings[other(side)]) {
    return { result: "1/2-1/2", reason: "time-lone-king" };
  }
  return { result: side === "white" ? "0-1" : "1-0", reason: "time" };
}
