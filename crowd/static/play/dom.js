// Short words for the document.

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
