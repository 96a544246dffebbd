// The result of one list of a class or a quiz, which is the lesson.

import { createBoard } from "../board.js";
import { counted, id, make, say } from "../contribute/dom.js";
import { Result, kindsTable } from "../daily/result.js";
import { timeOf } from "../daily/words.js";

export class Lesson extends Result {
  async open() {
    const { number, fen, kinds } = this.result;
    this.board = await createBoard(id("board"), {
      fen,
      orientation: this.side,
      side: null,
      interactive: false,
      label: `Position ${number}, ${this.side} to move`,
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
    score.append(make("strong", String(found.length)), ` of ${counted(legal, "move")}`);
    const facts = [];
    if (missed.length + wrong.length === 0) facts.push("All of them!");
    if (wrong.length > 0) facts.push(`${wrong.length} not legal`);
    if (took !== null) facts.push(`in ${timeOf(took)}${late ? ", after the time" : ""}`);
    if (facts.length > 0) score.append(make("span", facts.join(", "), { class: "score-facts" }));
    box.append(score);
    return box;
  }

  close() {
    this.board.destroy();
    id("board").className = "";
  }
}
