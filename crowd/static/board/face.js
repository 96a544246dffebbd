// The picture of a piece, the same wherever one is shown: of the drawn board's set where that is installed, else a
// character.

const SPRITE = new URL("../vendor/assets/pieces/standard.svg", import.meta.url).pathname;
const SVG = "http://www.w3.org/2000/svg";
const GLYPHS = { p: "\u265F", n: "\u265E", b: "\u265D", r: "\u265C", q: "\u265B", k: "\u265A" };

/** The picture of a piece ("wp"); hidden from screen readers, which get words. */
export function faceOf(piece) {
  if (document.documentElement.dataset.board !== "cm") {
    const glyph = document.createElement("span");
    glyph.className = `face glyph glyph-${piece[0] === "w" ? "white" : "black"}`;
    glyph.textContent = `${GLYPHS[piece[1]]}\uFE0E`;
    glyph.setAttribute("aria-hidden", "true");
    return glyph;
  }
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("class", "face");
  picture.setAttribute("viewBox", "0 0 40 40");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${SPRITE}#${piece}`);
  picture.append(use);
  return picture;
}
