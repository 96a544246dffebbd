// The rules card on the page where moves are listed: folded, except for the first time.

const PATIENCE_MS = 10_000;
const SEEN = "crowd-rules-";

/** Shows the rules of a position of a variant; hides them for chess. */
export async function showRules(position) {
  const box = document.getElementById("rules");
  box.hidden = !position.card;
  if (!position.card) {
    return;
  }
  document.getElementById("rules-title").textContent = `The rules of ${position.card.title}`;
  document.getElementById("typed-hint").textContent = "As in e2e4, e7e8q or N@f3.";
  box.open = isFirst(SEEN + position.rules);
  const text = document.getElementById("rules-text");
  try {
    const answer = await fetch(position.rules, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) {
      throw new Error(`the server answered ${answer.status}`);
    }
    // Markup of this site's own template, which escapes what a card says.
    text.innerHTML = await answer.text();
  } catch {
    text.textContent = "The rules cannot be loaded now. They are shown when the page is opened again.";
  }
}

function isFirst(key) {
  try {
    const first = localStorage.getItem(key) === null;
    localStorage.setItem(key, "seen");
    return first;
  } catch {
    return true;
  }
}
