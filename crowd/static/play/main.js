// The page of the game: joins the match with what is seen of it.

import { t } from "../texts.js";
import { askMove } from "./api.js";
import { ask, wireClosing } from "./ask.js";
import { byId, show } from "../dom.js";
import { Editor } from "./editor.js";
import { EvalBar } from "./evalbar.js";
import { Games } from "./games.js";
import { Log } from "./log.js";
import { Match } from "./match.js";
import { squaresOf } from "./moves.js";
import { wireNewGame } from "./newgame.js";
import { Pgn } from "./pgn.js";
import { newRecord } from "./record.js";
import { Review } from "./review.js";
import { Sounds } from "./sounds.js";
import { choices, currentGame, keepCurrent } from "./store.js";
import { View } from "./view.js";
import { moveInWords, other } from "./words.js";

const TICK_MS = 100;
const HINT_LEVEL = 9;

const match = new Match();
const view = new View(match);
const log = new Log(match);
const bar = new EvalBar(match);
const sounds = new Sounds(match);

const start = (record) => match.open(record);
const keep = () => match.record && keepCurrent(match.kept());

/** What leaves a message about the game as it is. */
const PASSING = ["stopped", "premoved", "known", "thinking"];

match.addEventListener("change", ({ detail }) => {
  if (detail === "opened") {
    show(byId("play"), true);
    view.open();
  }
  if (!["stopped", "looked", "premoved"].includes(detail)) {
    show(byId("play-trouble"), false);
  }
  if (!PASSING.includes(detail)) {
    show(byId("play-why"), false);
  }
  view.draw();
  if (["opened", "moved", "undone"].includes(detail)) {
    log.fill();
  } else {
    log.mark();
  }
  if (["moved", "ended"].includes(detail) || (detail === "known" && match.state.claimable)) {
    view.announce();
  } else if (["looked", "undone", "opened"].includes(detail)) {
    view.say(byId("play-status").textContent);
  }
  sounds.hear(detail);
  if (!["thinking", "stopped", "premoved"].includes(detail)) {
    bar.turn(view.orientation);
    bar.update();
  }
  keep();
});

function troubleText(error) {
  const texts = { offline: "game-offline", busy: "game-busy" };
  return t(texts[error.kind] ?? "game-no-answer", { why: error.message });
}

match.addEventListener("trouble", ({ detail: { error, retry } }) => {
  byId("play-trouble-text").textContent = troubleText(error);
  byId("play-retry").onclick = () => (show(byId("play-trouble"), false), retry());
  show(byId("play-trouble"), true);
  view.say(byId("play-trouble-text").textContent);
});

addEventListener("online", () => !byId("play-trouble").hidden && byId("play-retry").click());
addEventListener("pagehide", keep);
setInterval(() => {
  match.tick();
  if (match.record) {
    view.clocks();
  }
}, TICK_MS);

byId("play-undo").addEventListener("click", () => match.undo());
byId("play-flip").addEventListener("click", () => {
  view.flip();
  bar.turn(view.orientation);
});
byId("play-claim").addEventListener("click", () => {
  match.claimDraw();
  byId("play-new").focus();
});

byId("play-resign").addEventListener("click", async () => {
  const side = match.record.engineSide ? other(match.record.engineSide) : match.sideToMove;
  const question = match.record.engineSide ? t("game-resign-ask") : t("game-resigns", { side });
  if (await ask(question, [["", t("game-play-on"), ""], ["yes", t("game-resign"), "danger"]])) {
    match.resign(side);
    byId("play-new").focus();
  }
});

byId("play-offer").addEventListener("click", async () => {
  const question = t("game-offers", { side: match.sideToMove });
  if (await ask(question, [["", t("game-play-on"), ""], ["yes", t("game-agree"), "primary"]])) {
    match.agreeDraw();
  }
});

byId("play-hint").addEventListener("click", async () => {
  const { record, ply } = match;
  const count = record.moves.length;
  try {
    const hint = await askMove(record, { level: HINT_LEVEL });
    // The game may have gone on meanwhile.
    if (match.record === record && record.moves.length === count && match.ply === ply) {
      const [from, to] = squaresOf(hint.move);
      view.board.arrows([{ from, to, kind: "good" }]);
      view.say(t("game-hint-is", { move: moveInWords(hint.san) }));
      byId("play-why").textContent = t("game-hint-is", { move: hint.san });
      show(byId("play-why"), true);
    }
  } catch (error) {
    byId("play-why").textContent = t("game-no-hint", { why: error.message });
    show(byId("play-why"), true);
  }
});

wireClosing();
wireNewGame(start);
new Games(match, start);
new Pgn(match, start);
new Editor(match);
new Review(match, bar, log);

/** The game of somebody who is here for the first time. */
const firstGame = () => newRecord({ engineSide: "black", level: choices().level });

/** Begins a game from the position that the address names; false where it names none, or none that can be played. */
async function startAsked() {
  const asked = new URLSearchParams(location.search);
  const fen = asked.get("fen");
  if (!fen) {
    return false;
  }
  history.replaceState(null, "", location.pathname);
  const side = fen.trim().split(/\s+/)[1] === "b" ? { engineSide: "white" } : {};
  try {
    await start({ ...firstGame(), ...side, fen, chess960: asked.get("chess960") === "true" });
    return true;
  } catch (error) {
    if (error.kind !== "refused") {
      throw error;
    }
    return false;
  }
}

/** Takes up the game that was on the board, or a first one when the server refuses it. */
async function takeUp() {
  if (await startAsked()) {
    return;
  }
  const kept = currentGame();
  try {
    await start(kept ?? firstGame());
  } catch (error) {
    if (!kept || error.kind !== "refused") {
      throw error;
    }
    await start(firstGame());
  }
}

async function begin() {
  show(byId("play-away"), false);
  try {
    await takeUp();
  } catch (error) {
    byId("play-away-text").textContent = troubleText(error);
    show(byId("play-away"), true);
  }
}

byId("play-again").addEventListener("click", begin);
begin();
