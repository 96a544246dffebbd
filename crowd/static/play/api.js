// The server's part of the game: rules, the opponent, PGN. Every request ends: with an answer, a refusal or a deadline.

import { t } from "../texts.js";

const DEADLINE_MS = 20_000;

/** Why there is no answer. `kind`: "offline", "busy", "refused", "over" or "failed". */
export class NoAnswer extends Error {
  constructor(kind, message, { faults = [], retryAfter = 2 } = {}) {
    super(message);
    this.kind = kind;
    this.faults = faults.length > 0 ? faults : [message];
    this.retryAfter = retryAfter;
  }
}

const KINDS = { 400: "refused", 413: "refused", 422: "refused", 409: "over", 429: "busy", 503: "busy" };

async function refusal(response) {
  const problem = await response.json().catch(() => ({}));
  const message = problem.detail || problem.title || `the server answered ${response.status}`;
  return new NoAnswer(KINDS[response.status] ?? "failed", message, {
    faults: Array.isArray(problem.faults) ? problem.faults : [],
    retryAfter: Number(response.headers.get("Retry-After")) || 2,
  });
}

async function send(path, options, signal) {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await fetch(`/api/v1/play/${path}`, {
      ...options,
      headers: { ...options.headers, "Accept-Language": document.documentElement.lang },
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    if (!response.ok) {
      throw await refusal(response);
    }
    return await response.json();
  } catch (error) {
    if (error instanceof NoAnswer || signal?.aborted) {
      throw error;
    }
    throw new NoAnswer("offline", t("unreachable"));
  }
}

const post = (path, body, signal) =>
  send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }, signal);

/** A game in a request, up to `ply`. */
const gameUpTo = (game, ply = game.moves.length) => ({
  fen: game.fen,
  chess960: game.chess960,
  moves: game.moves.slice(0, ply),
});

export const askState = (game) => post("state", gameUpTo(game));
export const askEval = (game, ply, signal) => post("eval", gameUpTo(game, ply), signal);
export const askMove = (game, wish, signal) => post("move", { ...gameUpTo(game), seed: game.seed, ...wish }, signal);
export const askPgn = (game, tags, result) => post("pgn", { ...gameUpTo(game), tags, result });
export const readPgn = (pgn) => post("pgn/read", { pgn });
export const askStart = (number) => send(`start/${number}`, {});
