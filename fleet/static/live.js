// Keeps a page up to date: listens to what changed, loads the page again, and exchanges the parts that carry
// data-live.

const source = document.querySelector("[data-events]");
/** Between two loads of the page, in milliseconds. */
const PAUSE = 2000;

let due = 0;
let last = 0;

const exchange = (fresh) => {
  for (const old of document.querySelectorAll("[data-live]")) {
    const part = fresh.getElementById(old.id);
    // Not under the hands of a person who is at it.
    if (!part || part.innerHTML === old.innerHTML || old.contains(document.activeElement)) {
      continue;
    }
    const open = new Set([...old.querySelectorAll("details[open][id]")].map((one) => one.id));
    old.replaceChildren(...part.childNodes);
    for (const one of old.querySelectorAll("details[id]")) {
      one.open = one.open || open.has(one.id);
    }
  }
};

const load = async () => {
  due = 0;
  last = performance.now();
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok) {
      exchange(new DOMParser().parseFromString(await answer.text(), "text/html"));
    }
  } catch {
    // The network is away; the next event loads the page.
  }
};

const soon = () => {
  if (!due && !document.hidden) {
    due = setTimeout(load, Math.max(50, last + PAUSE - performance.now()));
  }
};

const every = Number(document.querySelector("[data-every]")?.dataset.every ?? 0);
if (every > 0) {
  setInterval(soon, every * 1000);
}

if (source) {
  const stream = new EventSource(source.dataset.events);
  stream.addEventListener("test", soon);
  stream.addEventListener("reload", soon);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      soon();
    }
  });
  addEventListener("pagehide", () => stream.close());
}
