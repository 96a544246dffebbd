// The texts of the page's language, which the server writes from its file (crowd/lang). Where the main part of a page is
// in another language than the page around it, its scripts speak that one.

const language = document.querySelector("main")?.lang || document.documentElement.lang || "en";
const { default: texts } = await import(`./lang/${language}.js`);
const plurals = new Intl.PluralRules(language);

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
