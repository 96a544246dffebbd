// A quiz for one person. Which positions it has follows from its number, which is in the address; the server keeps
// nothing of it, this browser keeps the results until the tab is closed.

import { call } from "../contribute/api.js";
import { id, make, message } from "../contribute/dom.js";
import { t } from "../texts.js";
import { Run, countsOf } from "./run.js";

const { theme } = id("messages").dataset;
const query = new URLSearchParams(location.search);
const given = Number.parseInt(query.get("seed") ?? "", 10);
const seed = Number.isInteger(given) ? given : crypto.getRandomValues(new Uint32Array(1))[0];
const address = `/quiz?theme=${theme}&seed=${seed}`;
history.replaceState(null, "", address);
const KEY = `crowd-quiz-${theme}-${seed}`;
const bodyOf = async (answer) => (await answer).body;

class QuizSource {
  constructor(positions) {
    this.positions = positions;
    this.count = positions.length;
    this.hasLimit = false;
    this.results = new Map(read());
    this.answers = new Map([...this.results].map(([number, result]) => [number, { finished: true, ...countsOf(result) }]));
  }

  start(number) {
    return { number, elapsed_ms: 0, ...this.positions[number - 1] };
  }

  async finish(number, moves) {
    const result = await bodyOf(call("POST", "/quiz/score", { theme, seed, number, moves }));
    this.results.set(number, result);
    try {
      sessionStorage.setItem(KEY, JSON.stringify([...this.results]));
    } catch {
      // Then a reload begins again.
    }
    return result;
  }

  result(number) {
    return this.results.get(number);
  }

  key(number) {
    return `${KEY}-${number}`;
  }

  end(box) {
    const row = make("p", "", { class: "row" });
    row.append(
      make("a", t("quiz-another"), { class: "button primary", href: `/quiz?theme=${theme}` }),
      make("a", t("quiz-themes"), { class: "button", href: "/quiz" }),
    );
    box.append(row);
    const line = make("p", `${t("quiz-friend")} `, { class: "muted" });
    line.append(make("a", location.host + address, { href: address }));
    box.append(line);
  }
}

function read() {
  try {
    const results = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(results) ? results : [];
  } catch {
    return [];
  }
}

async function begin() {
  try {
    const { positions } = await bodyOf(call("GET", `/quiz?theme=${theme}&seed=${seed}`));
    run.source = new QuizSource(positions);
    run.next();
  } catch (error) {
    message(error.passes ? "warn" : "bad", error.passes ? t("unreachable") : t("quiz-none", { why: error.message }), [[t("try-again"), begin]]);
    id("messages").focus();
  }
}

const run = new Run(null);
void begin();
