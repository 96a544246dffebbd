// A game as the browser keeps it: in memory, in storage, in a file.

import { t } from "../texts.js";
import { SIDES, termination, titled } from "./words.js";

const VERSION = 1;
const MAX_PLIES = 1000;
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];

/** A new game. `engineSide`: the side of the opponent, null for two people. */
export function newRecord({ fen = null, chess960 = false, engineSide = null, level = 3, clock = null, moves = [] } = {}) {
  return {
    version: VERSION,
    fen,
    chess960,
    moves,
    engineSide,
    level,
    clock,
    seed: Math.floor(Math.random() * 2 ** 32),
    started: new Date().toISOString(),
    // What was left on the clocks after each ply, the first position included.
    times: clock ? [{ white: clock.base, black: clock.base }] : [],
    result: null,
    tags: [],
  };
}

/** The name of a side's player, as in PGN. */
export function playerName(record, side) {
  if (record.engineSide === side) {
    return `touchstone, level ${record.level}`;
  }
  const tag = record.tags.find(({ name }) => name === titled(side));
  return tag?.value || titled(side);
}

/** The same for people. */
export function playerTitle(record, side) {
  if (record.engineSide === side) {
    return t("game-engine", { level: record.level });
  }
  const name = playerName(record, side);
  return name === titled(side) ? t(side) : name;
}

const isTimes = (times) => SIDES.every((side) => Number.isFinite(times?.[side]));

/** Reads a game from a file or storage; an Error says what is wrong. */
export function readRecord(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error(t("file-not-json"));
  }
  if (read?.version !== VERSION) {
    throw new Error(t("file-version", { version: VERSION }));
  }
  return checked(read);
}

function checked(read) {
  if (!Array.isArray(read.moves) || read.moves.length > MAX_PLIES || read.moves.some((m) => typeof m !== "string")) {
    throw new Error(t("file-moves", { n: MAX_PLIES }));
  }
  if (read.fen !== null && typeof read.fen !== "string") {
    throw new Error(t("file-fen"));
  }
  const clock = Number.isFinite(read.clock?.base) && Number.isFinite(read.clock?.increment) ? read.clock : null;
  const known = newRecord({ fen: read.fen, chess960: read.chess960 === true, moves: [...read.moves], clock });
  return { ...known, ...details(read, clock, known) };
}

function details(read, clock, known) {
  const times = Array.isArray(read.times) && read.times.length > 0 && read.times.every(isTimes) ? read.times : known.times;
  return {
    engineSide: SIDES.includes(read.engineSide) ? read.engineSide : null,
    level: Number.isInteger(read.level) && read.level >= 1 && read.level <= 10 ? read.level : known.level,
    seed: Number.isInteger(read.seed) && read.seed >= 0 && read.seed < 2 ** 32 ? read.seed : known.seed,
    started: typeof read.started === "string" && !Number.isNaN(Date.parse(read.started)) ? read.started : known.started,
    times: clock ? times : [],
    result: RESULTS.includes(read.result?.result) ? { result: read.result.result, reason: String(read.result.reason) } : null,
    tags: Array.isArray(read.tags) ? read.tags.filter((tag) => typeof tag?.name === "string" && typeof tag?.value === "string") : [],
  };
}

const dateTag = (started) => started.slice(0, 10).replaceAll("-", ".");

/** The tags of a game: those it was read with, or those that a game of this page gets. */
export function tagsOf(record) {
  const own = [
    ["Event", "Casual game"],
    ["Date", dateTag(record.started)],
    ["Round", "-"],
    ["White", playerName(record, "white")],
    ["Black", playerName(record, "black")],
    ["TimeControl", record.clock ? `${record.clock.base / 1000}+${record.clock.increment / 1000}` : "-"],
    ["Termination", termination(record.result?.reason)],
  ];
  // What the server writes itself must not contradict it.
  const written = ["Result", "FEN", "SetUp", "Variant", "PlyCount"];
  const kept = record.tags.filter(({ name }) => !written.includes(name));
  return kept.length > 0 ? kept : own.map(([name, value]) => ({ name, value }));
}

/** A game for a file's name: "white-black-2026-01-31". */
export function fileName(record, ending) {
  const words = SIDES.map((side) => playerName(record, side).toLowerCase().replace(/[^a-z0-9]+/g, "-"));
  return `${words.join("-vs-").replace(/^-|-$/g, "")}-${record.started.slice(0, 10)}.${ending}`;
}
