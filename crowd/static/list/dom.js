// Small helps for the page. Text is always set as text, never as markup.

/** The element with this id. */
export const id = (name) => document.getElementById(name);

/** A new element with text and attributes. */
export function make(name, text = "", attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  return element;
}

/** A button that does something. */
export function makeButton(text, act, attributes = {}) {
  const button = make("button", text, { type: "button", ...attributes });
  button.addEventListener("click", act);
  return button;
}

/** Says something to screen readers. The same text twice is said twice. */
export function say(text) {
  const region = id("say");
  region.textContent = region.textContent === text ? `${text}\u00A0` : text;
}

/** Shows a message in place of the one before; with buttons: [[text, act], …]. */
export function message(kind, text, buttons = []) {
  const box = make("div", "", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status" });
  box.append(make("p", text));
  if (buttons.length > 0) {
    const row = make("p", "", { class: "row" });
    row.append(...buttons.map(([label, act]) => makeButton(label, act)));
    box.append(row);
  }
  id("messages").replaceChildren(box);
  box.scrollIntoView({ block: "nearest" });
}

/** Takes the message away. */
export const noMessage = () => id("messages").replaceChildren();
