// A question before something that cannot be taken back.

import { id } from "./dom.js";

/** Asks in the page's own dialog; resolves to whether the answer is yes. `stay` and `go` are the two answers. */
export function confirmed({ title, text, stay, go }) {
  const dialog = id("confirm");
  id("confirm-title").textContent = title;
  id("confirm-text").textContent = text;
  dialog.querySelector("[value=no]").textContent = stay;
  dialog.querySelector("[value=yes]").textContent = go;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
