// The page where lists are made: which list comes, and what is shown after it.

import { t } from "../texts.js";
import * as api from "./api.js";
import { ClassRun } from "./class.js";
import { id, message, noMessage } from "./dom.js";
import * as kept from "./kept.js";
import { ResultView } from "./result.js";
import { Task, unbegun } from "./task.js";

const data = JSON.parse(id("data").content.textContent);
const campaign = data.campaign ?? null;

class Page {
  constructor() {
    this.known = data.known;
    this.class = data.class ? new ClassRun(data.class, this) : null;
  }

  start() {
    if (this.class) {
      this.class.start();
    } else if (data.result) {
      this.result(data.result, data.result.list);
    } else if (data.list) {
      this.task(data.list);
    } else if (data.today) {
      this.today(data.today);
    } else {
      void this.next();
    }
  }

  /** The board of the day; the server knows of the list when its first move is made. */
  today({ day, position, list }) {
    const wish = { purpose: "daily" };
    this.task(list ?? unbegun(position, "daily"), { name: `today-${day}`, wish });
  }

  /** Gets a session, if the browser has none, and begins a list. */
  async begin(wish) {
    if (!this.known) {
      await api.enter();
      this.known = true;
    }
    return api.begin(wish);
  }

  /** The next list; of the purpose that the person has chosen, or that the server chooses. */
  async next(purpose = null) {
    noMessage();
    try {
      const list = await this.begin(this.class ? this.class.wish() : { purpose, campaign });
      this.task(list);
    } catch (error) {
      this.failed(error, () => this.next(purpose));
    }
  }

  task(list, { name, wish } = {}) {
    this.view?.close?.();
    noMessage();
    this.view = new Task(list, {
      name,
      begin: () => this.begin(wish),
      finished: (result, token) => this.result(result, token),
      skipped: () => void this.next(),
      lost: (error, token) => this.lost(error, token ?? error.token),
    });
    this.class?.showSteps(list.number);
    void this.view.open();
  }

  result(result, token) {
    this.view?.board?.destroy();
    this.class?.finished(result);
    const next = this.class ? t(this.class.isOver() ? "all-results" : "next-position") : t("next-position");
    this.view = new ResultView(result, token, {
      next: [next, () => (this.class?.isOver() ? this.class.end() : this.next())],
      offered: (purpose) => this.next(purpose),
    });
    void this.view.open();
  }

  /** A list that goes on no more: finished elsewhere, over, or somebody else's. */
  async lost(error, token) {
    if (error.kind === "stranger") {
      this.known = false;
    }
    if (error.kind === "frozen" && token) {
      try {
        this.result(await api.result(token), token);
        return;
      } catch {
        // What was wrong is told below.
      }
    }
    this.failed(error, () => this.next());
  }

  failed(error, again) {
    kept.forget();
    if (this.class?.refused(error)) {
      return;
    }
    const texts = { nothing: "nothing-left", tooManyLeft: "too-many-left", gone: "list-gone", stranger: "list-stranger" };
    const text = error.passes ? t("unreachable") : t(texts[error.kind] ?? "list-gone");
    const isEnd = error.kind === "nothing" || error.kind === "tooManyLeft";
    id("making").hidden = true;
    message(error.passes ? "warn" : "bad", text, isEnd ? [] : [[t("try-again"), again]]);
    id("messages").focus();
  }
}

new Page().start();
