// The positions of a class or a quiz, one after the other: listed, scored, and summed up in the end.

import { id, make, message, noMessage, say } from "../contribute/dom.js";
import { failureText } from "../daily/words.js";
import { t } from "../texts.js";
import { Lesson } from "./lesson.js";
import { Sheet } from "./sheet.js";

export class Run {
  /**
   * `source` is where positions come from:
   *   count, hasLimit, atEnd          number of positions; whether their time is limited; whether answers come in the end
   *   answers                         Map from number to { finished, found, wrong, legal, late }; counts may be missing
   *   start(number), finish(number, moves), result(number)     as the server answers them; a result may be null
   *   key(number)                     under what a list is kept in this browser
   *   end(box)                        adds to what is shown in the end
   *   refused(error)                  true if it has dealt with a failure
   */
  constructor(source) {
    this.source = source;
    id("next").addEventListener("click", () => this.next());
    id("start").addEventListener("click", () => this.open());
  }

  /** Shows the parts of one of "ready", "listing", "result" and "end". */
  show(stage) {
    id("run").hidden = false;
    id("run").dataset.stage = stage;
    id("ready").hidden = stage !== "ready";
    id("grid").hidden = stage !== "listing" && stage !== "result";
    for (const name of ["tools", "listing", "clock"]) {
      id(name).hidden = stage !== "listing";
    }
    for (const name of ["shown", "result", "lesson", "onward"]) {
      id(name).hidden = stage !== "result";
    }
    id("end").hidden = stage !== "end";
    this.steps(stage);
  }

  /** One dot for each position. Finished ones lead to their results, where those are shown. */
  steps(stage) {
    const dots = [];
    for (let number = 1; number <= this.source.count; number += 1) {
      const answer = this.source.answers.get(number);
      const isHere = number === this.number && stage !== "end";
      const name = t("position-n", { n: number });
      const item = make("li");
      const canLook = answer?.finished && answer.legal !== undefined && answer.legal !== null && stage !== "listing";
      const dot = make(canLook ? "button" : "span", String(number), { class: answer?.finished ? "step done" : "step" });
      if (canLook) {
        dot.type = "button";
        dot.setAttribute("aria-label", t("step-result", { position: name }));
        dot.addEventListener("click", () => this.look(number));
      } else {
        dot.append(make("span", ` ${t(answer?.finished ? "day-finished" : "step-open")}`, { class: "visually-hidden" }));
      }
      if (isHere) {
        dot.setAttribute("aria-current", "step");
      }
      if (canLook && answer.found === answer.legal && answer.wrong === 0) {
        dot.classList.add("perfect");
      }
      item.append(dot);
      dots.push(item);
    }
    id("steps").replaceChildren(...dots);
  }

  title(text) {
    id("run-title").textContent = text;
    id("run-title").focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** The first position that is not finished, or the end. */
  next() {
    this.leave();
    const numbers = Array.from({ length: this.source.count }, (_, at) => at + 1);
    const open = numbers.find((number) => !this.source.answers.get(number)?.finished);
    if (open === undefined) {
      this.end();
      return;
    }
    this.number = open;
    if (this.source.hasLimit && !this.source.answers.has(open)) {
      this.show("ready");
      id("ready-text").textContent = t("ready-clock");
      this.title(t("position-of", { n: open, of: this.source.count }));
    } else {
      void this.open();
    }
  }

  async open() {
    noMessage();
    id("start").disabled = true;
    try {
      const given = await this.source.start(this.number);
      this.source.answers.set(this.number, { finished: false });
      this.show("listing");
      this.sheet = new Sheet(given, (moves) => this.finish(moves), this.source.key(this.number));
      await this.sheet.open();
      this.title(t("position-of", { n: this.number, of: this.source.count }));
      say(t("position-shown", { n: this.number, side: given.side_to_move }));
    } catch (error) {
      this.failed(error, () => this.open());
    } finally {
      id("start").disabled = false;
    }
  }

  async finish(moves) {
    noMessage();
    try {
      const result = await this.source.finish(this.number, moves);
      this.sheet.close();
      this.sheet = null;
      this.source.answers.set(this.number, { finished: true, ...countsOf(result) });
      if (result && !this.source.atEnd) {
        await this.showResult(result);
      } else {
        this.next();
      }
    } catch (error) {
      this.sheet.resume();
      this.failed(error, () => this.sheet.end());
    }
  }

  async look(number) {
    noMessage();
    try {
      const result = await this.source.result(number);
      this.leave();
      this.number = number;
      await this.showResult(result);
    } catch (error) {
      this.failed(error, () => this.look(number));
    }
  }

  async showResult(result) {
    this.show("result");
    const isOver = [...this.source.answers.values()].filter((answer) => answer.finished).length >= this.source.count;
    id("next").textContent = t(isOver ? "all-results" : "next-position");
    this.lesson = new Lesson(result);
    await this.lesson.open();
    this.title(t("position-of", { n: this.number, of: this.source.count }));
  }

  leave() {
    this.lesson?.close();
    this.lesson = null;
  }

  async end() {
    await this.source.refresh?.();
    this.number = null;
    this.show("end");
    this.title(t("run-finished"));
    const answers = [...this.source.answers.entries()].sort(([one], [other]) => one - other);
    const known = answers.filter(([, answer]) => Number.isInteger(answer.legal));
    const sum = (name) => known.reduce((total, [, answer]) => total + answer[name], 0);
    const box = make("div", "", { class: "card summary" });
    if (known.length > 0) {
      const score = make("p", "", { class: "score" });
      score.append(make("strong", String(sum("found"))), ` ${t("score-of", { n: sum("legal") })}`);
      const wrong = sum("wrong");
      if (wrong > 0) score.append(make("span", t("wrong-n", { n: wrong }), { class: "score-facts" }));
      box.append(score);
      const list = make("ol", "", { class: "scores" });
      list.append(...known.map(([number, answer]) => this.scoreOf(number, answer)));
      box.append(list);
    } else {
      box.append(make("p", t("run-thanks")));
    }
    id("end").replaceChildren(box);
    this.source.end?.(id("end"), { found: sum("found"), legal: sum("legal") });
    say(box.querySelector("p").textContent);
  }

  scoreOf(number, { found, wrong, legal, late }) {
    const item = make("li");
    const button = make("button", t("position-n", { n: number }), { type: "button", class: "quiet" });
    button.addEventListener("click", () => this.look(number));
    const parts = [t("results-share", { found, of: legal })];
    if (wrong > 0) parts.push(t("wrong-n", { n: wrong }));
    if (late) parts.push(t("after-time"));
    item.append(button, make("span", parts.join(", ")), make("meter", "", { min: 0, max: Math.max(1, legal), value: Math.max(0, found - wrong), "aria-hidden": "true" }));
    return item;
  }

  failed(error, again) {
    if (this.source.refused?.(error)) {
      return;
    }
    message(error.passes ? "warn" : "bad", failureText(error), [[t("try-again"), again]]);
    id("messages").focus();
  }
}

/** What is kept of a result. */
export const countsOf = (result) => (result ? { found: result.found.length, wrong: result.wrong.length, legal: result.legal, late: result.late } : {});
