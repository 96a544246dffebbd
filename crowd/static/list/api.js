// The talk with the server. Every failure is one of few kinds, so that the page can say in words what to do.

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
