// The result of one list of a class or a quiz, which is the lesson.

import { createBoard } from "../board.js";
import { id, make, say } from "../contribute/dom.js";
import { Result, kindsTable } from "../daily/result.js";
import { timeOf } from "../daily/words.js";
import { t } from "../texts.js";

export class Lesson extends Result {
  async open() {
    const { number, fen, kinds } = this.result;
    this.board = await createBoard(id("board"), {
      fen,
      orientation: this.side,
      side: null,
      interactive: false,
      label: `${t("position-n", { n: number })}, ${t("results-turn", { side: this.side })}`,
    });
    this.choices();
    id("result").replaceChildren(this.summary(), kindsTable(kinds));
    id("lesson").replaceChildren(...this.lesson());
    say(id("result").querySelector(".score").textContent);
  }

  summary() {
    const { found, legal, wrong, missed, took_ms: took, late } = this.result;
    const box = make("div", "", { class: "card summary" });
    const score = make("p", "", { class: "score" });
    score.append(make("strong", String(found.length)), ` ${t("score-of", { n: legal })}`);
    const facts = [];
    if (missed.length + wrong.length === 0) facts.push(t("all-found"));
    if (wrong.length > 0) facts.push(t("wrong-n", { n: wrong.length }));
    if (took !== null) facts.push(t("took", { time: timeOf(took) }));
    if (took !== null && late) facts.push(t("after-time"));
    if (facts.length > 0) score.append(make("span", facts.join(", "), { class: "score-facts" }));
    box.append(score);
    return box;
  }

  close() {
    this.board.destroy();
    id("board").className = "";
  }
}
