// Pieces of a card as SVG: its path, or its letter in a disc. Markup is never taken from the card.

const SVG = "http://www.w3.org/2000/svg";

export function svgElement(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

/** A piece ("wn") on a field of 40 by 40. */
export function drawPiece(pieces, piece) {
  const side = piece[0] === "w" ? "white" : "black";
  const svg = svgElement("svg", { viewBox: "0 0 40 40", "aria-hidden": "true", class: `variant-piece piece-${side}` });
  const path = pieces.kind(piece)?.path;
  if (path) {
    svg.append(svgElement("path", { d: path, "fill-rule": "evenodd" }));
  } else {
    const letter = svgElement("text", { x: 20, y: 27 });
    letter.textContent = piece[1].toUpperCase();
    svg.append(svgElement("circle", { cx: 20, cy: 20, r: 14 }), letter);
  }
  return svg;
}
