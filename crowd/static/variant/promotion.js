// The question what a piece becomes, by the card: its letters, and whether it may stay what it is.

import { drawPiece } from "./drawing.js";

/** Resolves to a letter, to "" if the piece stays what it is, or to null when the question is put away. */
export function askPromotion(pieces, piece, to, choices, must) {
  const dialog = document.createElement("dialog");
  dialog.className = "promotion";
  const form = document.createElement("form");
  form.method = "dialog";
  const title = document.createElement("h2");
  title.id = "promotion-title";
  title.textContent = `The ${pieces.name(piece)} on ${to} becomes a…`;
  dialog.setAttribute("aria-labelledby", title.id);
  const row = document.createElement("div");
  row.className = "promotion-choices variant-promotion";
  row.append(...choices.map((choice) => choiceButton(pieces, choice)));
  const rest = document.createElement("div");
  rest.className = "row";
  rest.append(...(must ? [] : [plainButton("stay", `It stays a ${pieces.name(piece)}`)]), plainButton("", "Cancel"));
  form.append(title, row, rest);
  dialog.append(form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      const value = dialog.returnValue;
      resolve(value === "stay" ? "" : value || null);
    });
    dialog.showModal();
  });
}

function choiceButton(pieces, choice) {
  const button = plainButton(choice[1], "");
  button.className = "promotion-choice";
  button.dataset.promotion = choice[1];
  button.setAttribute("aria-label", pieces.name(choice));
  button.append(drawPiece(pieces, choice));
  return button;
}

function plainButton(value, text) {
  const button = document.createElement("button");
  button.value = value;
  button.textContent = text;
  return button;
}
