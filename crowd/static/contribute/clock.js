// Time since a position was shown, and what is left of a limit.

/** "1:05". */
export function minutes(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Clock {
  /** `limitMs` is null where nobody is hurried; `shown(left)` is called each quarter of a second, `ended()` once. */
  constructor(shownAt, limitMs, { shown, ended }) {
    Object.assign(this, { shownAt, limitMs, shown, ended });
    if (limitMs !== null) {
      this.timer = setInterval(() => this.tick(), 250);
      this.tick();
    }
  }

  /** Milliseconds since the position was shown. */
  now() {
    const passed = Math.max(0, Date.now() - this.shownAt);
    return this.limitMs === null ? passed : Math.min(passed, this.limitMs);
  }

  tick() {
    const left = this.limitMs - (Date.now() - this.shownAt);
    this.shown(Math.max(0, left));
    if (left <= 0) {
      this.stop();
      this.ended();
    }
  }

  stop() {
    clearInterval(this.timer);
  }
}
