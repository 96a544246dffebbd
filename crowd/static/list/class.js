// A class: joining it, its positions one after the other, and what came of all of them.

import { t } from "../texts.js";
import * as api from "./api.js";
import { id, make, makeButton, message, noMessage, say } from "./dom.js";

export class ClassRun {
  /** `page` begins lists and shows results. */
  constructor({ code, student }, page) {
    Object.assign(this, { code, student, page });
    this.title = id("task-title").textContent;
    this.number = null;
    id("join-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.join();
    });
  }

  start() {
    if (!this.student) {
      this.askToJoin();
    } else if (this.isOver()) {
      void this.end();
    } else {
      this.toList();
      void this.page.next();
    }
  }

  wish() {
    return { purpose: "class", class: this.code };
  }

  askToJoin() {
    id("task").hidden = true;
    id("join").hidden = false;
    id("name").focus();
  }

  toList() {
    id("join").hidden = true;
    id("task").hidden = false;
  }

  async join() {
    id("name-error").textContent = "";
    id("name").removeAttribute("aria-invalid");
    try {
      await api.enter();
      this.page.known = true;
      await api.join(this.code, id("name").value.trim());
      this.student = await api.student(this.code);
      this.start();
    } catch (error) {
      const named = ["bad-name", "nickname-taken", "class-full"].includes(error.slug);
      id("name-error").textContent = named ? t(`join-${error.slug}`) : t(error.passes ? "unreachable" : "class-gone");
      id("name").setAttribute("aria-invalid", "true");
      id("name").focus();
    }
  }

  /** One dot for each position. */
  showSteps(number) {
    this.number = number;
    const answers = new Map(this.student.answers.map((answer) => [answer.number, answer]));
    const dots = Array.from({ length: this.student.positions }, (_, at) => {
      const answer = answers.get(at + 1);
      const dot = make("li", String(at + 1), answer?.finished ? { class: "done" } : {});
      dot.append(make("span", ` ${t(answer?.finished ? "day-finished" : "step-open")}`, { class: "visually-hidden" }));
      if (at + 1 === number) {
        dot.setAttribute("aria-current", "step");
      }
      return dot;
    });
    id("steps").replaceChildren(...dots);
    id("steps").hidden = false;
  }

  /** Notes that the list at hand is finished. */
  finished() {
    const others = this.student.answers.filter((answer) => answer.number !== this.number);
    this.student.answers = [...others, { number: this.number, finished: true }];
    this.showSteps(this.number);
  }

  isOver() {
    return this.student.answers.filter((answer) => answer.finished).length >= this.student.positions;
  }

  /** What came of all positions, each with the way to its result. */
  async end() {
    noMessage();
    try {
      this.student = await api.student(this.code);
    } catch {
      // What is known already is shown.
    }
    this.toList();
    this.showSteps(null);
    id("task-title").textContent = t("run-finished");
    id("board").hidden = true;
    id("making").hidden = true;
    id("result").hidden = false;
    const list = make("ol", "", { class: "scores" });
    list.append(...this.student.answers.toSorted((one, other) => one.number - other.number).map((answer) => this.score(answer)));
    const you = make("p", `${t("class-you-are", { name: this.student.name })} `, { class: "muted" });
    you.append(makeButton(t("class-somebody-else"), () => this.leave(), { class: "quiet" }));
    id("result").replaceChildren(list, you);
    id("task-title").focus({ preventScroll: true });
    say(t("run-finished"));
  }

  score({ number, list, found, wrong, legal, late }) {
    const item = make("li");
    const parts = [Number.isInteger(legal) ? t("results-share", { found, of: legal }) : t("step-sent")];
    if (wrong > 0) parts.push(t("wrong-n", { n: wrong }));
    if (late) parts.push(t("after-time"));
    item.append(make("a", t("position-n", { n: number }), { href: `/results/${encodeURIComponent(list)}` }), make("span", parts.join(", ")));
    return item;
  }

  /** Somebody else uses this browser now: they get a session of their own. */
  async leave() {
    try {
      await api.leave();
      location.reload();
    } catch {
      message("warn", t("unreachable"));
    }
  }

  /** Deals with a failure that is of the class; returns whether it was one. */
  refused(error) {
    if (error.kind === "allFinished") {
      void this.end();
    } else if (error.slug === "not-joined" || error.kind === "stranger") {
      this.askToJoin();
    } else if (error.slug === "no-class") {
      message("bad", t("class-gone"));
    } else {
      return false;
    }
    return true;
  }
}
