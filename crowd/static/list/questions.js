// The second look: one move after the other, possible or not.

import { t } from "../texts.js";
import { id, make, makeButton, say } from "./dom.js";
import { answersOf } from "./events.js";
import { partsOf } from "./words.js";

export class Questions {
  /** `task` has the list with its questions, the board and the way to the server. */
  constructor(task) {
    this.task = task;
    this.moves = task.list.questions;
    this.at = Math.max(0, this.moves.findIndex((move) => !this.answers().has(move)));
    this.text = make("p", "", { class: "question" });
    this.progress = make("p", "", { class: "small muted" });
    this.yes = makeButton(t("answer-yes"), () => this.answer("yes"), { class: "primary" });
    this.no = makeButton(t("answer-no"), () => this.answer("no"), { class: "primary" });
    this.back = makeButton(t("answer-back"), () => this.go(-1), { class: "quiet" });
    this.finish = makeButton(t("that-is-all"), () => task.askToFinish(), { class: "quiet" });
    const skip = makeButton(t("skip-position"), () => task.skip(), { class: "quiet" });
    const row = (...buttons) => {
      const made = make("p", "", { class: "row" });
      made.append(...buttons);
      return made;
    };
    id("questions").replaceChildren(this.text, row(this.yes, this.no), this.progress, row(this.back, this.finish, skip));
    this.draw();
  }

  answers() {
    return answersOf(this.task.state.events);
  }

  get move() {
    return this.moves[this.at];
  }

  answer(op) {
    this.task.act(op, this.move);
    if (this.at + 1 < this.moves.length) {
      this.go(1);
    } else {
      void this.task.askToFinish();
    }
  }

  go(step) {
    this.at = Math.min(this.moves.length - 1, Math.max(0, this.at + step));
    this.draw();
  }

  draw() {
    this.text.textContent = t("question", { move: this.task.spoken(this.move) });
    this.task.board.arrows([{ ...partsOf(this.move), kind: "question" }]);
    say(this.text.textContent);
    this.show();
  }

  show() {
    const given = this.answers().get(this.move);
    this.progress.textContent = t("question-progress", { at: this.at + 1, of: this.moves.length, n: this.answers().size });
    this.yes.setAttribute("aria-pressed", String(given === "yes"));
    this.no.setAttribute("aria-pressed", String(given === "no"));
    this.back.disabled = this.at === 0;
    for (const button of [this.yes, this.no, this.finish]) {
      button.disabled = this.task.state.finishing;
    }
  }

  finishText() {
    const open = this.moves.length - this.answers().size;
    const rest = open > 0 ? [t("finish-answers-open", { n: open })] : [];
    return [t("finish-answers-text", { n: this.answers().size }), ...rest, t("finish-answers-fixed")].join(" ");
  }
}
