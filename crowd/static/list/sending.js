// The way of a list to the server: its events, what this browser keeps of them, the requests, and the queue that tries
// again until all is acknowledged. Nothing of the page.

/** The moves on the list, in the order in which they were added. */
export function movesOf(events) {
  const moves = new Set();
  for (const { op, move } of events) {
    if (op === "add") moves.add(move);
    if (op === "remove") moves.delete(move);
  }
  return [...moves];
}

/** The answers of a second look, from move to "yes" or "no"; the last counts. */
export function answersOf(events) {
  const answers = new Map();
  for (const { op, move } of events) {
    if (op === "yes" || op === "no") answers.set(move, op);
  }
  return answers;
}

/** What undo would take back, the last at the end: an event that undid the one before it is gone with it. */
function undoStack(events) {
  const stack = [];
  for (const { op, move } of events) {
    const top = stack.at(-1);
    if (top && top.move === move && top.op !== op) {
      stack.pop();
    } else {
      stack.push({ op, move });
    }
  }
  return stack;
}

/** What takes the last step back, or null when there is none. */
export function undoing(events) {
  const last = undoStack(events).at(-1);
  return last ? { op: last.op === "add" ? "remove" : "add", move: last.move } : null;
}

const same = (one, other) => one && other && one.op === other.op && one.move === other.move;

/**
 * Joins what the server has with what this browser still had to send. What the server has stays as it is; of ours,
 * that which it lacks comes after, with new numbers.
 */
export function merge(server, local, acknowledged) {
  const ours = local.filter((event) => event.seq > acknowledged && !same(server[event.seq - 1], event));
  const rest = ours.map((event, index) => ({ ...event, seq: server.length + index + 1 }));
  return { events: [...server, ...rest], acknowledged: server.length };
}

const PREFIX = "crowd-list-";

/** Reads what is kept under a name, or null. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps it, as far as the browser lets pages keep something. */
export function keep(name, { events, acknowledged, finishing }) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify({ events, acknowledged, finishing }));
  } catch {
    // Then a reload loses what was not sent; the page goes on.
  }
}

/** Forgets all that is kept. */
export function forget() {
  try {
    for (const key of Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))) {
      localStorage.removeItem(key);
    }
  } catch {
    // There is nothing to forget.
  }
}

/** Calls `changed()` when another window of this browser keeps something else under the name; returns what ends it. */
export function watchKept(name, changed) {
  const listen = ({ key }) => key === PREFIX + name && changed();
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}

const ROOT = "/api/v1";
const PATIENCE_MS = 10_000;

/**
 * What went wrong. Of its kinds "network", "server" and "busy" pass; the others are "gone" (its time is over),
 * "conflict", "gap", "frozen", "stranger" (no session), "unknown" (no such list), "nothing" (no position left),
 * "tooManyLeft" (no skip left today), "allFinished" (of a class) and "refused".
 */
export class ApiError extends Error {
  constructor(kind, detail, extra = {}) {
    super(detail);
    this.kind = kind;
    Object.assign(this, extra);
  }

  /** Whether the same request may succeed later, unchanged. */
  get passes() {
    return this.kind === "network" || this.kind === "server" || this.kind === "busy";
  }
}

const KINDS = {
  "no-session": "stranger",
  "unknown-list": "unknown",
  "nothing-left": "nothing",
  "too-many-left": "tooManyLeft",
  "class-finished": "allFinished",
  gap: "gap",
  conflict: "conflict",
  frozen: "frozen",
  expired: "gone",
  "too-many-requests": "busy",
  busy: "busy",
};

/** The name of a problem's kind. */
const slugOf = (problem) => String(problem.type ?? "").split("/").at(-1);

/** Which kind of failure an answer is. */
function kindOf(status, problem) {
  return KINDS[slugOf(problem)] ?? (status === 429 ? "busy" : status >= 500 ? "server" : "refused");
}

async function readJson(response) {
  try {
    return await response.json();
  } catch {
    return {};
  }
}

async function failure(response) {
  const problem = await readJson(response);
  const detail = problem.detail ?? problem.title ?? `the server answered ${response.status}`;
  const seconds = Number.parseFloat(response.headers.get("Retry-After") ?? "");
  return new ApiError(kindOf(response.status, problem), detail, {
    slug: slugOf(problem),
    expected: problem.expected,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
  });
}

async function call(method, path, body) {
  const headers = { "Accept-Language": document.documentElement.lang };
  const request = { method, credentials: "same-origin", headers, signal: AbortSignal.timeout(PATIENCE_MS) };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(ROOT + path, request);
  } catch {
    throw new ApiError("network", "the server cannot be reached");
  }
  if (!response.ok) {
    throw await failure(response);
  }
  return readJson(response);
}

const of = (token) => `/lists/${encodeURIComponent(token)}`;

/** Gives the browser a session, unless it has one. */
export const enter = () => call("POST", "/session", {});
export const leave = () => call("DELETE", "/session");
/** Begins a list: `wish` has purpose, campaign, class and number, as far as they matter. */
export const begin = (wish) => call("POST", "/lists", wish);
export const list = (token) => call("GET", of(token));
export const sendEvents = (token, events) => call("POST", `${of(token)}/events`, { events });
export const sendFinish = (token, events, count) => call("POST", `${of(token)}/finish`, { events, count });
export const sendSkip = (token) => call("POST", `${of(token)}/skip`, {});
export const result = (token) => call("GET", `${of(token)}/result`);
export const seen = (token) => call("PUT", `${of(token)}/seen`, {});
export const join = (code, name) => call("POST", `/classes/${code}/students`, { name });
export const student = (code) => call("GET", `/classes/${code}/me`);

const BATCH = 50;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait before try number `tries` (from 0); `chance` in 0..1 keeps many browsers from knocking at once. */
export function waitBefore(tries, retryAfterMs, chance = Math.random()) {
  const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10));
  return Math.max(retryAfterMs ?? 0, grown * (0.5 + chance / 2));
}

export class Queue {
  /**
   * `task`: { token, events, acknowledged, finishing }, changed in place.
   * `begin()` gets a token for a task that has none yet. `save()` is called before
   * anything is sent, `changed()` when what is shown may differ, `finished(result)` at the end, `refused(error)` when
   * trying again cannot help.
   */
  constructor(task, { begin, save, changed, finished, refused }) {
    Object.assign(this, { task, begin, save, changed, finished, refused });
    this.tries = 0;
    this.busy = false;
    this.stopped = false;
    this.trouble = null;
    this.timer = null;
    this.online = () => this.wake();
    globalThis.addEventListener?.("online", this.online);
  }

  /** How many events the server has not acknowledged. */
  get waiting() {
    return this.task.events.length - this.task.acknowledged;
  }

  add(op, move, atMs) {
    const events = this.task.events;
    const at = Math.max(Math.round(atMs), events.at(-1)?.at_ms ?? 0);
    events.push({ seq: events.length + 1, op, move, at_ms: at });
    this.keep();
    this.wake();
  }

  finish() {
    this.task.finishing = true;
    this.keep();
    this.wake();
  }

  /** Tries at once. */
  wake() {
    clearTimeout(this.timer);
    this.timer = null;
    void this.pump();
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    globalThis.removeEventListener?.("online", this.online);
  }

  keep() {
    this.save();
    this.changed();
  }

  async pump() {
    if (this.busy || this.stopped) {
      return;
    }
    this.busy = true;
    let error = null;
    try {
      while (!this.stopped && (this.waiting > 0 || this.task.finishing)) {
        await this.sendOnce();
        this.tries = 0;
        this.trouble = null;
        // At the end there is nothing to keep any more.
        if (!this.stopped) {
          this.keep();
        }
      }
    } catch (caught) {
      error = caught;
    }
    this.busy = false;
    if (error) {
      await this.failed(error);
    }
  }

  async sendOnce() {
    const { task } = this;
    if (task.token === null) {
      await this.begin();
    }
    const next = task.events.slice(task.acknowledged, task.acknowledged + BATCH);
    if (task.finishing && this.waiting <= BATCH) {
      const answer = await sendFinish(task.token, next, task.events.length);
      task.acknowledged = task.events.length;
      this.stop();
      this.finished(answer);
      return;
    }
    const { acknowledged } = await sendEvents(task.token, next);
    if (!(acknowledged > task.acknowledged)) {
      throw new ApiError("server", "the server acknowledged nothing");
    }
    task.acknowledged = Math.min(task.events.length, acknowledged);
  }

  async failed(error) {
    if (this.stopped) {
      return;
    }
    this.trouble = error;
    if (error.kind === "gap" && error.expected >= 1 && error.expected <= this.task.events.length) {
      this.task.acknowledged = error.expected - 1;
      this.later(error);
    } else if (error.kind === "conflict") {
      await this.rejoin(error);
    } else if (error.passes || error.kind === "gap") {
      this.later(error);
    } else {
      this.stop();
      this.refused(error);
    }
    this.changed();
  }

  later(error) {
    this.timer = setTimeout(() => this.wake(), waitBefore(this.tries, error.retryAfterMs));
    this.tries += 1;
  }

  /** The server has other events under our numbers (another window, say): its own stay, ours follow. */
  async rejoin(error) {
    try {
      const { events } = await list(this.task.token);
      Object.assign(this.task, merge(events, this.task.events, this.task.acknowledged));
      this.keep();
      this.later(error);
    } catch (other) {
      if (other.passes) {
        this.later(other);
      } else {
        this.stop();
        this.refused(other);
      }
    }
  }
}
