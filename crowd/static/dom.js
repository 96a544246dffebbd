// Short words for the document. Text is always set as text, never as markup.

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** Makes an element: attributes by name, `text` for its text, `on` for listeners; then its children. */
export function make(name, { text, on = {}, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  if (text !== undefined) {
    element.textContent = text;
  }
  for (const [event, listener] of Object.entries(on)) {
    element.addEventListener(event, listener);
  }
  element.append(...children);
  return element;
}

/** A button that does something. */
export const makeButton = (text, act, attributes = {}) => make("button", { type: "button", text, on: { click: act }, ...attributes });

/** Says something to screen readers. The same text twice is said twice. */
export function say(text) {
  const region = byId("say");
  region.textContent = region.textContent === text ? `${text}\u00A0` : text;
}

/** Shows a message in place of the one before; with buttons: [[text, act], …]. */
export function message(kind, text, buttons = []) {
  const box = make("div", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status" }, make("p", { text }));
  if (buttons.length > 0) {
    box.append(make("p", { class: "row" }, ...buttons.map(([label, act]) => makeButton(label, act))));
  }
  byId("messages").replaceChildren(box);
  box.scrollIntoView({ block: "nearest" });
}

/** Takes the message away. */
export const noMessage = () => byId("messages").replaceChildren();

/** Shows or hides, for everybody. */
export function show(element, isShown) {
  element.hidden = !isShown;
}

/** Hands a text to the browser as a file. */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
