// The board of the day: covered, listed, scored.

import { call, enter } from "../contribute/api.js";
import { id, message, noMessage, say } from "../contribute/dom.js";
import { Game } from "./game.js";
import { Result } from "./result.js";
import { failureText } from "./words.js";
import { t } from "../texts.js";

const root = id("daily");
const bodyOf = async (answer) => (await answer).body;

/** Shows the parts that belong to one of "cover", "listing" and "result". */
function show(stage) {
  root.dataset.stage = stage;
  id("cover").hidden = stage !== "cover";
  id("intro").hidden = stage !== "cover";
  id("board").hidden = stage === "cover";
  for (const name of ["tools", "listing", "clock"]) {
    id(name).hidden = stage !== "listing";
  }
  for (const name of ["shown", "result", "lesson"]) {
    id(name).hidden = stage !== "result";
  }
}

async function start() {
  noMessage();
  id("start").disabled = true;
  try {
    await enter();
    const given = await bodyOf(call("POST", "/daily/start"));
    show("listing");
    const game = new Game(given, (moves) => finish(game, moves));
    await game.open();
    id("daily-title").focus({ preventScroll: true });
    say(t("board-shown", { side: given.side_to_move }));
  } catch (error) {
    failed(error, start);
  } finally {
    id("start").disabled = false;
  }
}

async function finish(game, moves) {
  noMessage();
  try {
    const result = await bodyOf(call("POST", "/daily/finish", { day: game.day, moves }));
    game.close();
    await showResult(result);
    id("daily-title").focus();
  } catch (error) {
    game.resume();
    failed(error, () => finish(game, moves));
  }
}

async function showResult(result) {
  show("result");
  if (result.missed.length + result.wrong.length === 0) {
    id("daily-title").textContent = t("all-found");
  }
  await new Result(result).open();
}

/** The board of today that was finished before. */
async function finished() {
  try {
    const { result } = await bodyOf(call("GET", "/daily"));
    if (result) {
      await showResult(result);
    }
  } catch (error) {
    failed(error, finished);
  }
}

function failed(error, again) {
  message(error.passes ? "warn" : "bad", failureText(error), [[t("try-again"), again]]);
  id("messages").focus();
}

id("start").addEventListener("click", start);
id("cover").addEventListener("click", ({ target }) => target === id("start") || id("start").click());
if (root.dataset.progress === "finished") {
  void finished();
} else if (root.dataset.progress === "open") {
  // Its time goes on, so nobody is asked again.
  void start();
} else {
  // Before this line a click would be lost.
  id("start").disabled = false;
}
