// The question which piece a pawn becomes. It is asked of every pawn that goes to its last rank.

import { kindName } from "./squares.js";

const CHOICES = ["q", "r", "b", "n"];
const GLYPHS = { q: "\u265B", r: "\u265C", b: "\u265D", n: "\u265E" };

function faceOf(color, kind, picture) {
  const face = document.createElement("span");
  face.setAttribute("aria-hidden", "true");
  if (!picture) {
    face.className = `glyph glyph-${color === "w" ? "white" : "black"}`;
    face.textContent = `${GLYPHS[kind]}\uFE0E`;
    return face;
  }
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 40 40");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${color}${kind}`);
  svg.append(use);
  face.append(svg);
  return face;
}

function choiceButton(color, kind, picture) {
  const button = document.createElement("button");
  button.value = kind;
  button.className = "promotion-choice";
  button.dataset.promotion = kind;
  button.setAttribute("aria-label", kindName(kind));
  button.append(faceOf(color, kind, picture));
  return button;
}

function arrowKeys(dialog, event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const buttons = [...dialog.querySelectorAll(".promotion-choice")];
  const letter = CHOICES.indexOf(event.key.toLowerCase());
  if (letter >= 0) {
    dialog.close(CHOICES[letter]);
  } else if (step) {
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  } else {
    return;
  }
  event.preventDefault();
}

/**
 * Asks which piece; resolves to "q", "r", "b", "n", or to null when the question is put away.
 * `picture`: the sprite of the drawn board is on the page.
 */
export function askPromotion(color, to, picture) {
  const dialog = document.createElement("dialog");
  dialog.className = "promotion";
  const form = document.createElement("form");
  form.method = "dialog";
  const title = document.createElement("h2");
  title.id = "promotion-title";
  title.textContent = `The pawn on ${to} becomes a…`;
  dialog.setAttribute("aria-labelledby", title.id);
  const choices = document.createElement("div");
  choices.className = "promotion-choices";
  choices.append(...CHOICES.map((kind) => choiceButton(color[0], kind, picture)));
  const cancel = document.createElement("button");
  cancel.value = "";
  cancel.textContent = "Cancel";
  form.append(title, choices, cancel);
  dialog.append(form);
  document.body.append(dialog);
  dialog.addEventListener("keydown", (event) => arrowKeys(dialog, event));
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(CHOICES.includes(dialog.returnValue) ? dialog.returnValue : null);
    });
    dialog.showModal();
  });
}
