// The contribute page: which mode, whose session, the position at hand, and what to say when something fails.

import * as api from "./api.js";
import { id, message, noMessage, say, showSection } from "./dom.js";
import { showDone } from "./done.js";
import { merge, movesOf } from "./events.js";
import { hideNews, showNews } from "./news.js";
import { address, campaign, keepCampaign, mode, slot } from "./place.js";
import { Store } from "./store.js";
import { Task } from "./task.js";
import { piecesOf } from "../board/squares.js";
import { longForm } from "./words.js";
import { t } from "../texts.js";

const store = new Store();

const CHOOSE = [t("another-way"), () => location.assign(address())];
const ANY = [t("any-campaign"), () => location.assign(`/contribute?mode=${mode}`)];
const AGAIN = [t("try-again"), () => begin()];
const NEW = [t("new-position"), () => next()];

/** What is kept of an assignment in this browser. */
function kept(given, events, again) {
  const now = Date.now();
  return {
    token: given.assignment,
    mode: given.mode,
    position: given.position,
    questions: given.questions,
    partner: given.partner,
    time_limit_ms: given.time_limit_ms,
    shownAt: again ? Math.min(now, given.issued_at) : now,
    events,
    acknowledged: events.length,
    finishing: false,
  };
}

/** The task of before: open, `over`, or with the `refusal` that ends it; null when there is none or nothing was done. */
async function resumed() {
  const task = store.read(slot);
  if (!task) {
    return null;
  }
  try {
    const given = await api.assignment(task.token);
    if (given.state === "open") {
      return { ...task, partner: given.partner, ...merge(given.events, task.events, task.acknowledged) };
    }
    store.forget(slot);
    if (given.state === "finished" && task.finishing) {
      return { ...task, over: true };
    }
    return given.state === "expired" ? ended(task, new api.ApiError("gone", "")) : null;
  } catch (error) {
    return error.passes ? task : ended(task, error);
  }
}

const ended = (task, refusal) => (task.events.length > 0 ? { ...task, refusal } : null);

async function fresh() {
  const { status, body } = await api.assign(mode, campaign);
  const again = status === 200;
  const events = again ? (await api.assignment(body.assignment)).events : [];
  const task = kept(body, events, again);
  store.write(slot, task);
  return task;
}

async function begin() {
  noMessage();
  try {
    await api.enter();
  } catch (error) {
    if (!store.read(slot)) {
      failed(error);
      return;
    }
  }
  try {
    const task = (await resumed()) ?? (await fresh());
    if (task.over) {
      await showDone(task, null);
    } else if (task.refusal) {
      refused(task, task.refusal);
    } else {
      await work(task);
    }
  } catch (error) {
    failed(error);
  }
}

/** The task at hand; what another window keeps of the same list is joined with it. */
const atHand = { task: null };
addEventListener("storage", ({ key, newValue }) => {
  if (key === `crowd-task-${slot}`) {
    atHand.task?.joinOther(store.read(slot));
    if (newValue === null && atHand.task) {
      void endedElsewhere(atHand.task);
    }
  }
});

/** Another window keeps the list no longer: if it was finished there, its end is shown here, too. */
async function endedElsewhere(view) {
  try {
    const { state } = await api.assignment(view.task.token);
    if (state === "finished" && !view.closed) {
      store.forget(slot);
      view.close(() => showDone(view.task, null));
    }
  } catch {
    // The next step is answered by the server.
  }
}

function work(task) {
  hideNews();
  const view = new Task(task, {
    save: () => store.write(slot, task),
    finished: (answer) => {
      store.forget(slot);
      void showDone(task, answer);
    },
    refused: (error) => refused(task, error),
    skipped: () => {
      store.forget(slot);
      say(t("skipped"));
      next();
    },
  });
  atHand.task = view;
  return view.open();
}

/** The server will not take this list any further. */
function refused(task, error) {
  if (error.kind === "frozen") {
    store.forget(slot);
    message("warn", t("late-steps"));
    void showDone(task, null);
    return;
  }
  store.forget(slot);
  showSection("none");
  message("bad", `${refusal(error)} ${whatWasListed(task)}`, [NEW, CHOOSE]);
  id("messages").focus();
}

/** So that nothing a person wrote is gone without a trace. */
function whatWasListed(task) {
  const pieces = piecesOf(task.position.fen);
  const moves = movesOf(task.events).map((move) => longForm(pieces, move, task.position.chess960));
  return moves.length > 0 ? t("was-on-list", { moves: moves.join(", ") }) : "";
}

function refusal(error) {
  switch (error.kind) {
    case "gone":
      return t("refused-gone");
    case "stranger":
    case "unknown":
      return t("refused-stranger");
    default:
      return t("refused-other", { why: error.message });
  }
}

/** No position was got. */
function failed(error) {
  showSection("none");
  if (error.kind === "nothing") {
    const nothing = t(campaign === null ? "nothing-left" : "nothing-campaign");
    message("", NOTHING[mode] ?? nothing, campaign === null ? [] : [ANY]);
    choose();
  } else if (error.kind === "busy") {
    const seconds = Math.ceil((error.retryAfterMs ?? 5000) / 1000);
    message("warn", t("busy-wait", { seconds }), [AGAIN]);
  } else if (error.passes) {
    message("warn", t("unreachable"), [AGAIN]);
  } else {
    message("bad", t("no-position", { why: error.message }), [AGAIN, campaign === null ? CHOOSE : ANY]);
  }
  id("messages").focus();
}

const NOTHING = {
  review: t("nothing-review"),
  missing: t("nothing-missing"),
};

async function nameForm() {
  const field = id("name");
  id("name-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    id("name-error").textContent = "";
    try {
      await keepName(field.value.trim());
    } catch (error) {
      id("name-error").textContent = error.message;
    }
  });
  try {
    field.value = (await api.me()).name ?? "";
  } catch {
    // Nobody yet.
  }
}

async function keepName(name) {
  if (name === "") {
    await api.enter();
    message("", t("name-none"));
    return;
  }
  await api.enter();
  await api.rename(name);
  message("good", t("name-kept", { name }));
}

function choose() {
  showSection("choose");
  void nameForm();
  void showNews();
}

/** The next position; nobody's clock starts without a word. */
function next() {
  noMessage();
  if (mode === "timed" && !store.read(slot)) {
    showSection("ready");
  } else {
    void begin();
  }
}

keepCampaign();
id("start").addEventListener("click", () => begin());
if (mode === null) {
  choose();
} else {
  next();
}
