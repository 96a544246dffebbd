// The talk with the server. Every failure is one of few kinds, so that the page can say in words what to do.

const ROOT = "/api/v1";
const PATIENCE_MS = 10_000;

/**
 * What went wrong. Of its kinds "network", "server" and "busy" pass; the others are "gone" (its time is over),
 * "conflict", "gap", "frozen", "stranger" (no session), "unknown" (no such assignment), "nothing" (no position left),
 * "tooManyLeft" (no skip left today) and "refused".
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
  "unknown-assignment": "unknown",
  "nothing-left": "nothing",
  "too-many-left": "tooManyLeft",
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
    status: response.status,
    slug: slugOf(problem),
    expected: problem.expected,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
  });
}

export async function call(method, path, body, token = null) {
  const headers = { "Accept-Language": document.documentElement.lang };
  const request = { method, credentials: "same-origin", headers, signal: AbortSignal.timeout(PATIENCE_MS) };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  if (token !== null) {
    headers.Authorization = `Bearer ${token}`;
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
  return { status: response.status, body: await readJson(response) };
}

const of = (token) => `/assignments/${encodeURIComponent(token)}`;
const bodyOf = async (answer) => (await answer).body;

export const enter = (name = null) => bodyOf(call("POST", "/session", { name }));
export const me = () => bodyOf(call("GET", "/me"));
export const rename = (name) => bodyOf(call("PATCH", "/me", { name }));
/** Gives { status, body }: 201 for a new one, 200 for one that is given again. */
export const assign = (mode, campaign) => call("POST", "/assignments", { mode, campaign });
export const assignment = (token) => bodyOf(call("GET", of(token)));
export const sendEvents = (token, events) => bodyOf(call("POST", `${of(token)}/events`, { events }));
export const sendFinish = (token, events, count) => bodyOf(call("POST", `${of(token)}/finish`, { events, count }));
export const sendSkip = (token) => bodyOf(call("POST", `${of(token)}/skip`, {}));
export const result = (token) => bodyOf(call("GET", `${of(token)}/result`));
