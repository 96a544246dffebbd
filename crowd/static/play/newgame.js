// The form of a new game.

import { t } from "../texts.js";
import { askStart } from "./api.js";
import { closeDialog, openDialog } from "./ask.js";
import { byId, make, show } from "../dom.js";
import { newRecord } from "./record.js";
import { choices, keepChoices } from "./store.js";
import { SIDES, other } from "./words.js";

const form = () => byId("play-new-form");

/** Shows the fields that belong to what is chosen. */
function arrange() {
  byId("play-new-error").replaceChildren();
  const chosen = new FormData(form());
  show(byId("play-new-engine"), chosen.get("opponent") === "engine");
  show(byId("play-number-field"), chosen.get("start") === "chess960");
  show(byId("play-fen-field"), chosen.get("start") === "fen");
  show(byId("play-clock-fields"), chosen.get("clock") === "custom");
}

function clockOf(chosen) {
  const text = chosen.get("clock");
  if (text === "custom") {
    const [minutes, seconds, increment] = ["minutes", "seconds", "increment"].map((name) => Number(chosen.get(name)));
    const base = minutes * 60 + seconds;
    if (base === 0) {
      throw new Error(t("game-clock-empty"));
    }
    return { base: base * 1000, increment: increment * 1000 };
  }
  const [base, increment] = text.split("+").map(Number);
  return text ? { base: base * 1000, increment: increment * 1000 } : null;
}

async function startOf(chosen) {
  if (chosen.get("start") === "standard") {
    return { fen: null, chess960: false };
  }
  if (chosen.get("start") === "fen") {
    const fen = chosen.get("fen").trim();
    if (!fen) {
      throw new Error(t("game-fen-empty"));
    }
    return { fen, chess960: chosen.get("free") !== null };
  }
  const number = chosen.get("number") || Math.floor(Math.random() * 960);
  return { fen: (await askStart(number)).fen, chess960: true };
}

function engineSideOf(chosen) {
  if (chosen.get("opponent") === "person") {
    return null;
  }
  const color = chosen.get("color");
  return color === "random" ? SIDES[Math.floor(Math.random() * 2)] : other(color);
}

async function recordOf(chosen) {
  const level = Number(chosen.get("level"));
  keepChoices({ level });
  return newRecord({ ...(await startOf(chosen)), engineSide: engineSideOf(chosen), level, clock: clockOf(chosen) });
}

/** "placement, offset 0: White has no king" without where it is, with a large letter first. */
function inWords(fault) {
  const text = fault.replace(/^[\w ]+, offset \d+: /, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Each fault in a line of its own; the server finds them in English. */
export function tellFaults(element, error) {
  const faults = error.faults ?? [error.message];
  const lang = error.faults && error.kind !== "offline" ? "en" : null;
  element.replaceChildren(...faults.map((fault) => make("p", { text: inWords(fault), lang })));
}

/** Wires the form; `start` takes a record up and throws what is wrong with it. */
export function wireNewGame(start) {
  byId("play-level").value = choices().level ?? 3;
  form().addEventListener("change", arrange);
  byId("play-new").addEventListener("click", () => openNewGame());
  form().addEventListener("submit", async (event) => {
    event.preventDefault();
    const error = byId("play-new-error");
    error.replaceChildren();
    try {
      await start(await recordOf(new FormData(form())));
      closeDialog("play-new-dialog");
    } catch (fault) {
      tellFaults(error, fault);
    }
  });
}

/** Opens the form, with a FEN if one is given. */
export function openNewGame(fen = null, chess960 = false) {
  if (fen !== null) {
    byId("play-start").value = "fen";
    byId("play-fen-input").value = fen;
    byId("play-free").checked = chess960;
  }
  arrange();
  openDialog("play-new-dialog");
}
