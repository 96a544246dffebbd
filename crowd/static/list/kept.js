// What this browser keeps of a list until the server has all of it, so that neither a reload nor a lost network loses a move.

const PREFIX = "crowd-list-";

/** Reads what is kept under a name, or null. */
export function read(name) {
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
export function watch(name, changed) {
  const listen = ({ key }) => key === PREFIX + name && changed();
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}
