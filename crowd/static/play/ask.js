// Dialogs: opened, closed, and questions with a few answers.

import { byId, make } from "../dom.js";

/** Opens a dialog of the page; its buttons with data-close close it. */
export function openDialog(id) {
  const dialog = byId(id);
  if (!dialog.open) {
    dialog.showModal();
  }
  return dialog;
}

export const closeDialog = (id) => byId(id).close();

/** Makes the closing buttons of all dialogs close them. */
export function wireClosing() {
  for (const button of document.querySelectorAll("dialog [data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
}

/** Asks; `answers` is a list of [value, text, class]. Resolves to the value, or to null when it is put away. */
export function ask(question, answers) {
  const dialog = byId("play-question");
  byId("play-question-text").textContent = question;
  const buttons = answers.map(([value, text, kind]) => make("button", { value, text, class: kind }));
  byId("play-question-answers").replaceChildren(...buttons);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue || null), { once: true });
  });
}
