// The texts of the page's language that its scripts need, which the server writes into the page from its file (crowd/lang).

const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");
const plurals = new Intl.PluralRules(document.documentElement.lang || "en");

/** The text of this name, with values for its variables. Numbers choose among forms by the language's plurals. */
export function t(name, values = {}) {
  return written(texts[name] ?? name, values);
}

/** A text is a string, or parts: strings, variables, and choices by a variable. */
function written(text, values) {
  if (typeof text === "string") {
    return text;
  }
  const part = (of) => {
    if (typeof of === "string") {
      return of;
    }
    if (of.by === undefined) {
      return String(values[of.name]);
    }
    const value = values[of.by];
    const forms = [String(value), typeof value === "number" ? plurals.select(value) : of.other, of.other];
    return written(of.among[forms.find((form) => Object.hasOwn(of.among, form))], values);
  };
  return text.map(part).join("");
}
