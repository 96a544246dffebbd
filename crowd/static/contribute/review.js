// Second look: one move after the other, drawn as an arrow and said in words, yes or no.

import { id, make, say } from "./dom.js";
import { answersOf } from "./events.js";
import { longForm, partsOf } from "./words.js";
import { t } from "../texts.js";

export class Questions {
  /** `owner` is the task: its board, its answers. */
  constructor(owner) {
    this.owner = owner;
    this.moves = owner.task.questions ?? [];
    const answers = this.answers();
    const open = this.moves.findIndex((move) => !answers.has(move));
    this.at = open < 0 ? this.moves.length - 1 : open;
    id("yes").onclick = () => this.answer("yes");
    id("no").onclick = () => this.answer("no");
    id("back").onclick = () => this.goTo(this.at - 1);
    this.draw();
  }

  answers() {
    return answersOf(this.owner.task.events);
  }

  get move() {
    return this.moves[this.at];
  }

  answer(op) {
    if (!this.move) {
      return;
    }
    this.owner.answer(this.move, op);
    if (this.at + 1 < this.moves.length) {
      this.goTo(this.at + 1);
    } else {
      this.show();
      say(t("question-last"));
      id("finish").focus();
    }
  }

  goTo(index) {
    this.at = Math.max(0, Math.min(this.moves.length - 1, index));
    this.draw();
    this.show();
    id("question").focus();
  }

  draw() {
    const { board, pieces, position } = this.owner;
    if (!this.move) {
      id("question").textContent = t("question-none");
      return;
    }
    board.arrows([{ ...partsOf(this.move), kind: "question" }]);
    const side = t(position.side_to_move);
    const text = longForm(pieces, this.move, position.chess960);
    const move = make("span", text, { class: "whole" });
    id("question").replaceChildren(`${t("question-can", { side })} `, move, `: ${this.owner.spoken(this.move)}?`);
  }

  show() {
    const answers = this.answers();
    const given = answers.get(this.move);
    id("progress").textContent = t("question-progress", {
      at: this.at + 1,
      of: this.moves.length,
      n: answers.size,
    });
    for (const op of ["yes", "no"]) {
      id(op).setAttribute("aria-pressed", String(given === op));
      id(op).disabled = Boolean(this.owner.task.finishing) || !this.move;
    }
    id("back").disabled = this.at <= 0;
  }

  finishText() {
    const given = this.answers().size;
    const open = this.moves.length - given;
    const rest = open > 0 ? [t("finish-answers-open", { n: open })] : [];
    return [t("finish-answers-text", { n: given }), ...rest, t("finish-answers-fixed")].join(" ");
  }
}
