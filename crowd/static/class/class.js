// A student's page: joining, and the positions of the class. The student is known by a token that this browser keeps.

import { call } from "../contribute/api.js";
import { id, make, message, noMessage } from "../contribute/dom.js";
import { t } from "../texts.js";
import { Run } from "./run.js";

const { code } = id("join").dataset;
const KEY = `crowd-class-${code}`;
const bodyOf = async (answer) => (await answer).body;

/** The token of this browser's student; only for this page where storage is forbidden. */
const kept = {
  token: null,
  read() {
    try {
      this.token ??= localStorage.getItem(KEY);
    } catch {
      // Then a reload means to join again.
    }
    return this.token;
  },
  write(token) {
    this.token = token;
    try {
      if (token) localStorage.setItem(KEY, token);
      else localStorage.removeItem(KEY);
    } catch {
      // As above.
    }
  },
};

class ClassSource {
  constructor(state) {
    this.take(state);
  }

  take(state) {
    this.count = state.positions;
    this.hasLimit = state.time_limit_ms !== null;
    this.atEnd = state.at_end;
    this.name = state.name;
    this.answers = new Map(state.answers.map((answer) => [answer.number, answer]));
  }

  ask(method, path, body) {
    return bodyOf(call(method, `/classes/${code}/${path}`, body, kept.read()));
  }

  start(number) {
    return this.ask("POST", "start", { number });
  }

  async finish(number, moves) {
    return (await this.ask("POST", "finish", { number, moves })).result;
  }

  result(number) {
    return this.ask("GET", `results/${number}`);
  }

  async refresh() {
    try {
      this.take(await this.ask("GET", "me"));
    } catch {
      // What is known already is shown.
    }
  }

  key(number) {
    // Not that of the student before, on a shared computer.
    return `${KEY}-${kept.read().slice(0, 8)}-${number}`;
  }

  end(box) {
    const line = make("p", `${t("class-you-are", { name: this.name })} `, { class: "muted" });
    const button = make("button", t("class-somebody-else"), { type: "button", class: "quiet" });
    button.addEventListener("click", () => {
      kept.write(null);
      join();
    });
    line.append(button);
    box.append(line);
  }

  refused(error) {
    if (error.status !== 401 && error.status !== 404) {
      return false;
    }
    kept.write(null);
    join();
    message("bad", t(error.status === 404 ? "class-gone" : "class-stranger"));
    return true;
  }
}

function join() {
  id("run").hidden = true;
  id("join").hidden = false;
  id("name").value = "";
  id("name").focus();
}

async function begin() {
  noMessage();
  try {
    const state = await bodyOf(call("GET", `/classes/${code}/me`, undefined, kept.read()));
    id("join").hidden = true;
    run.source = new ClassSource(state);
    run.next();
  } catch (error) {
    if (!ClassSource.prototype.refused(error)) {
      message("warn", t("unreachable"), [[t("try-again"), begin]]);
      id("messages").focus();
    }
  }
}

/** Why a name was not taken. */
function joinFailure(error) {
  if (["bad-name", "nickname-taken", "class-full"].includes(error.slug)) {
    return t(`join-${error.slug}`);
  }
  return error.passes ? t("unreachable") : t("fail-other", { why: error.message });
}

const run = new Run(null);
id("join-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  id("name-error").textContent = "";
  id("name").removeAttribute("aria-invalid");
  try {
    const { token } = await bodyOf(call("POST", `/classes/${code}/students`, { name: id("name").value.trim() }));
    kept.write(token);
    await begin();
  } catch (error) {
    id("name-error").textContent = joinFailure(error);
    id("name").setAttribute("aria-invalid", "true");
    id("name").focus();
  }
});
if (kept.read()) {
  void begin();
} else {
  join();
}
