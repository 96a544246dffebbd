// One position of a class or a quiz at hand: a list as of the board of the day, with a limit for its time where there is
// one.

import { minutes } from "../contribute/clock.js";
import { id, say } from "../contribute/dom.js";
import { Game, Kept } from "../daily/game.js";
import { t } from "../texts.js";

const SHORT_MS = 15_000;

export class Sheet extends Game {
  /** `key` is under what the list is kept in this browser. */
  constructor(given, finished, key) {
    super(given, finished, new Kept(key));
  }

  showClock() {
    const limit = this.given.time_limit_ms ?? null;
    const clock = id("clock");
    if (limit === null) {
      super.showClock();
      return;
    }
    const left = limit - (performance.now() - this.begunAt);
    clock.textContent = minutes(left);
    const isShort = left <= SHORT_MS;
    if (isShort && !clock.classList.contains("short")) {
      say(t("seconds-left"));
    }
    clock.classList.toggle("short", isShort);
    if (left <= 0) {
      // Once: a list that cannot be sent now is sent again by its button.
      this.given.time_limit_ms = null;
      id("confirm").close("no");
      say(t("time-up"));
      this.end();
    }
  }

  close() {
    id("clock").classList.remove("short");
    super.close();
  }
}
