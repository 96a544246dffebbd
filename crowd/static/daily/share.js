// What a person may show to others: a picture and a text with kinds and counts, and nothing of the position.

import { id, make, say } from "../contribute/dom.js";
import { dateOf, kindTitle, squaresOf, timeOf } from "./words.js";
import { t } from "../texts.js";

const SIGNS = { found: "🟩", missed: "⬜", wrong: "🟥" };

/** Number of illegal moves, if there are any, and the time, if it is known. */
function factsOf({ wrong, took_ms: took }) {
  const facts = wrong.length > 0 ? [t("wrong-n", { n: wrong.length })] : [];
  return took === null ? facts : [...facts, timeOf(took)];
}

const scoreOf = (result) => [t("results-share", { found: result.found.length, of: result.legal }), ...factsOf(result)].join(", ");

/** The text to share. */
export function shareText(result) {
  const rows = result.kinds.map((kind) => `${squaresOf(kind).map((name) => SIGNS[name]).join("")} ${kindTitle(kind.kind)}`);
  return [t("share-head", { date: dateOf(result.day), score: scoreOf(result) }), ...rows, `${location.origin}/`].join("\n");
}

/** The picture in words. */
function altText(result) {
  const kinds = result.kinds.map(({ kind, legal, found }) => `${kindTitle(kind)} ${t("results-share", { found, of: legal })}`);
  return t("share-picture", { date: dateOf(result.day), score: scoreOf(result), kinds: kinds.join(", ") });
}

const WIDE = 1200;
const HIGH = 630;
/** The names of colours in tokens.css. */
const INK = { paper: "paper", ink: "ink", soft: "ink-soft", found: "squares-found", missed: "squares-missed", wrong: "squares-wrong", dark: "square-dark", light: "square-light" };

/** The colours of the page when it is light, as a canvas reads them: a picture is not seen on the page of who made it. */
function inks() {
  const probe = make("span", "", { hidden: "" });
  probe.style.colorScheme = "light";
  document.body.append(probe);
  const read = ([key, name]) => {
    probe.style.color = `var(--${name})`;
    return [key, getComputedStyle(probe).color];
  };
  const found = Object.fromEntries(Object.entries(INK).map(read));
  probe.remove();
  return found;
}

function draw(canvas, result) {
  const at = canvas.getContext("2d");
  const ink = inks();
  const font = getComputedStyle(document.body).fontFamily;
  const text = (words, x, y, size, { color = ink.ink, weight = 400, align = "left" } = {}) => {
    at.font = `${weight} ${size}px ${font}`;
    at.fillStyle = color;
    at.textAlign = align;
    at.fillText(words, x, y);
    return at.measureText(words).width;
  };
  at.fillStyle = ink.paper;
  at.fillRect(0, 0, WIDE, HIGH);
  // An edge of bare squares: a board, but none of a position.
  for (let row = 0; row * 35 < HIGH; row += 1) {
    for (let column = 0; column < 2; column += 1) {
      at.fillStyle = (row + column) % 2 === 0 ? ink.light : ink.dark;
      at.fillRect(column * 35, row * 35, 35, 35);
    }
  }
  text("Touchstone", 120, 90, 38, { weight: 700 });
  text(dateOf(result.day), WIDE - 60, 90, 32, { color: ink.soft, align: "right" });
  const width = text(String(result.found.length), 116, 225, 130, { weight: 700, color: ink.found });
  text(t("score-of", { n: result.legal }), 116 + width + 24, 225, 52, { weight: 600 });
  text(factsOf(result).join("  ·  "), WIDE - 60, 225, 46, { color: ink.soft, align: "right" });
  const step = Math.min(76, 340 / result.kinds.length);
  const most = Math.max(...result.kinds.map((kind) => squaresOf(kind).length));
  const side = Math.min(step - 14, (WIDE - 60 - 330) / most - 5);
  result.kinds.forEach((kind, row) => {
    const y = 270 + row * step;
    text(kindTitle(kind.kind), 120, y + side / 2 + 10, 28, { weight: 600 });
    squaresOf(kind).forEach((name, column) => {
      at.fillStyle = ink[name];
      at.beginPath();
      at.roundRect(330 + column * (side + 5), y, side, side, 4);
      at.fill();
    });
  });
}

const fileOf = async (canvas, day) => {
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], `touchstone-${day}.png`, { type: "image/png" });
};

/** The picture with its buttons. */
export function sharePanel(result) {
  const panel = make("section", "", { class: "card share", "aria-labelledby": "share-title" });
  const canvas = make("canvas", "", { width: WIDE, height: HIGH, role: "img", "aria-label": altText(result) });
  draw(canvas, result);
  const row = make("div", "", { class: "row" });
  const done = (words) => {
    id("share-note").textContent = words;
    say(words);
  };
  const button = (title, act, name = "") => {
    const made = make("button", title, { type: "button", class: name });
    made.addEventListener("click", () => act().catch((error) => error.name === "AbortError" || done(t("share-failed"))));
    row.append(made);
  };
  if (navigator.share) {
    button(t("share-go"), async () => {
      const files = [await fileOf(canvas, result.day)];
      const text = shareText(result);
      await navigator.share(navigator.canShare?.({ files }) ? { files, text } : { text });
    }, "primary");
  }
  button(t("share-copy"), async () => {
    await navigator.clipboard.writeText(shareText(result));
    done(t("share-copied"));
  });
  button(t("share-save"), async () => {
    const url = URL.createObjectURL(await fileOf(canvas, result.day));
    const link = make("a", "", { href: url, download: `touchstone-${result.day}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    done(t("share-saved"));
  });
  panel.append(make("h2", t("share-title"), { id: "share-title" }), canvas, row, make("p", "", { id: "share-note", class: "small muted" }));
  return panel;
}
