// What was done to a list and must reach the server: numbered, kept in the browser, sent in batches, tried again until
// it is acknowledged. Sending something twice does no harm, so nothing is taken off before the server has said so.

import { ApiError } from "./api.js";
import { merge } from "./events.js";

const BATCH = 50;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait before try number `tries` (from 0); `chance` in 0..1 keeps many browsers from knocking at once. */
export function waitBefore(tries, retryAfterMs, chance = Math.random()) {
  const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10));
  return Math.max(retryAfterMs ?? 0, grown * (0.5 + chance / 2));
}

export class Queue {
  /**
   * `task`: { token, events, acknowledged, finishing }, changed in place.
   * `api`: sendEvents, sendFinish, list. `begin()` gets a token for a task that has none yet. `save()` is called before
   * anything is sent, `changed()` when what is shown may differ, `finished(result)` at the end, `refused(error)` when
   * trying again cannot help.
   */
  constructor(task, api, { begin, save, changed, finished, refused }) {
    Object.assign(this, { task, api, begin, save, changed, finished, refused });
    this.tries = 0;
    this.busy = false;
    this.stopped = false;
    this.trouble = null;
    this.timer = null;
    this.online = () => this.wake();
    globalThis.addEventListener?.("online", this.online);
  }

  /** How many events the server has not acknowledged. */
  get waiting() {
    return this.task.events.length - this.task.acknowledged;
  }

  add(op, move, atMs) {
    const events = this.task.events;
    const at = Math.max(Math.round(atMs), events.at(-1)?.at_ms ?? 0);
    events.push({ seq: events.length + 1, op, move, at_ms: at });
    this.keep();
    this.wake();
  }

  finish() {
    this.task.finishing = true;
    this.keep();
    this.wake();
  }

  /** Tries at once. */
  wake() {
    clearTimeout(this.timer);
    this.timer = null;
    void this.pump();
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    globalThis.removeEventListener?.("online", this.online);
  }

  keep() {
    this.save();
    this.changed();
  }

  async pump() {
    if (this.busy || this.stopped) {
      return;
    }
    this.busy = true;
    let error = null;
    try {
      while (!this.stopped && (this.waiting > 0 || this.task.finishing)) {
        await this.sendOnce();
        this.tries = 0;
        this.trouble = null;
        // At the end there is nothing to keep any more.
        if (!this.stopped) {
          this.keep();
        }
      }
    } catch (caught) {
      error = caught;
    }
    this.busy = false;
    if (error) {
      await this.failed(error);
    }
  }

  async sendOnce() {
    const { task } = this;
    if (task.token === null) {
      await this.begin();
    }
    const next = task.events.slice(task.acknowledged, task.acknowledged + BATCH);
    if (task.finishing && this.waiting <= BATCH) {
      const answer = await this.api.sendFinish(task.token, next, task.events.length);
      task.acknowledged = task.events.length;
      this.stop();
      this.finished(answer);
      return;
    }
    const { acknowledged } = await this.api.sendEvents(task.token, next);
    if (!(acknowledged > task.acknowledged)) {
      throw new ApiError("server", "the server acknowledged nothing");
    }
    task.acknowledged = Math.min(task.events.length, acknowledged);
  }

  async failed(error) {
    if (this.stopped) {
      return;
    }
    this.trouble = error;
    if (error.kind === "gap" && error.expected >= 1 && error.expected <= this.task.events.length) {
      this.task.acknowledged = error.expected - 1;
      this.later(error);
    } else if (error.kind === "conflict") {
      await this.rejoin(error);
    } else if (error.passes || error.kind === "gap") {
      this.later(error);
    } else {
      this.stop();
      this.refused(error);
    }
    this.changed();
  }

  later(error) {
    this.timer = setTimeout(() => this.wake(), waitBefore(this.tries, error.retryAfterMs));
    this.tries += 1;
  }

  /** The server has other events under our numbers (another window, say): its own stay, ours follow. */
  async rejoin(error) {
    try {
      const { events } = await this.api.list(this.task.token);
      Object.assign(this.task, merge(events, this.task.events, this.task.acknowledged));
      this.keep();
      this.later(error);
    } catch (other) {
      if (other.passes) {
        this.later(other);
      } else {
        this.stop();
        this.refused(other);
      }
    }
  }
}
