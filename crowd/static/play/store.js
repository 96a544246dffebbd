// What the browser keeps: the game on the board, games with names, choices. Storage may be forbidden or full.

import { readRecord } from "./record.js";

const CURRENT = "crowd-play-current";
const GAMES = "crowd-play-games";
const CHOICES = "crowd-play-choices";
const MAX_GAMES = 100;

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Whether it could be kept. */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The game that was on the board, or null. */
export function currentGame() {
  try {
    return readRecord(localStorage.getItem(CURRENT) ?? "");
  } catch {
    return null;
  }
}

export const keepCurrent = (record) => write(CURRENT, record);

/** The games with names, newest first: { id, name, saved, record }. */
export function savedGames() {
  const games = read(GAMES);
  return Array.isArray(games) ? games.filter((game) => typeof game?.name === "string" && game.record) : [];
}

export function saveGame(name, record) {
  const saved = new Date().toISOString();
  const one = { id: `${saved}-${Math.random()}`, name, saved, record };
  return write(GAMES, [one, ...savedGames()].slice(0, MAX_GAMES));
}

export function deleteGame(id) {
  return write(GAMES, savedGames().filter((game) => game.id !== id));
}

export const choices = () => ({ bar: true, sound: true, ...read(CHOICES) });
export const keepChoices = (changes) => write(CHOICES, { ...choices(), ...changes });
