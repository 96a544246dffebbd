// Draws the log-likelihood ratio of a test against its games, from the points that the server has, and goes on as
// points come. Without this script the page shows the picture that the server drew.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 260;
const EDGE = { left: 48, right: 16, top: 14, bottom: 40 };
/** Points of one request. */
const PORTION = 1000;

const element = (name, attributes, text) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
};

/** Round numbers within a range, about `count` of them. */
const ticks = (from, to, count) => {
  const rough = (to - from) / count;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * ten).find((one) => one >= rough);
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to + step / 1e6; at += step) {
    found.push(Number(at.toPrecision(12)));
  }
  return found;
};

const short = (value) => (Math.abs(value) >= 10000 ? `${value / 1000}k` : String(value));

class Graph {
  constructor(figure) {
    this.figure = figure;
    this.address = figure.dataset.points;
    this.bounds = [Number(figure.dataset.lower), Number(figure.dataset.upper)];
    this.points = [];
    this.last = 0;
    this.busy = false;
    this.again = false;
  }

  async update() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      do {
        this.again = false;
        let count;
        do {
          const answer = await fetch(`${this.address}?after=${this.last}&limit=${PORTION}`);
          if (!answer.ok) {
            return;
          }
          const { points } = await answer.json();
          count = points.length;
          for (const point of points) {
            this.points.push([point.games, point.llr]);
            this.last = point.number;
          }
        } while (count === PORTION);
      } while (this.again);
      this.draw();
    } catch {
      // The network is away; the next change draws the graph.
    } finally {
      this.busy = false;
    }
  }

  draw() {
    if (this.points.length === 0) {
      return;
    }
    const { paddingLeft, paddingRight } = getComputedStyle(this.figure);
    const width = Math.max(240, this.figure.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
    const [lower, upper] = this.bounds;
    const values = this.points.map(([, llr]) => llr);
    // One by one: a spread of so many values as arguments would be too much.
    const least = values.reduce((a, b) => Math.min(a, b), lower) - 0.2;
    const most = values.reduce((a, b) => Math.max(a, b), upper) + 0.2;
    const games = Math.max(1, this.points.at(-1)[0]);
    const x = (value) => EDGE.left + (value / games) * (width - EDGE.left - EDGE.right);
    const y = (value) => EDGE.top + ((most - value) / (most - least)) * (HEIGHT - EDGE.top - EDGE.bottom);
    const [, llr] = this.points.at(-1);
    const title = `Log-likelihood ratio after ${games} games: ${llr.toFixed(2)} of ${lower} to ${upper}`;
    const svg = element("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": title });
    const right = width - EDGE.right;
    for (const value of ticks(least, most, 5)) {
      const at = y(value);
      svg.append(element("path", { class: value === 0 ? "zero" : "grid", d: `M${EDGE.left} ${at}H${right}` }));
      svg.append(element("text", { x: EDGE.left - 6, y: at + 4, "text-anchor": "end" }, short(value)));
    }
    for (const value of ticks(0, games, width / 110)) {
      const at = { x: x(value), y: HEIGHT - EDGE.bottom + 16, "text-anchor": "middle" };
      svg.append(element("text", at, short(value)));
    }
    for (const [bound, kind, name] of [[lower, "bad", "H0"], [upper, "good", "H1"]]) {
      const at = y(bound);
      svg.append(element("path", { class: `bound ${kind}`, d: `M${EDGE.left} ${at}H${right}` }));
      const label = { class: "note", x: EDGE.left + 6, y: at < EDGE.top + 14 ? at + 14 : at - 5 };
      svg.append(element("text", label, `${name} at ${bound.toFixed(2)}`));
    }
    const path = this.points.map(([at, value], index) => `${index ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`);
    svg.append(element("path", { class: "line a", d: path.join("") }));
    svg.append(element("circle", { class: "dot a", cx: x(games), cy: y(llr), r: 4 }));
    const name = { x: (EDGE.left + right) / 2, y: HEIGHT - 6, "text-anchor": "middle" };
    svg.append(element("text", name, "games"));
    const middle = (HEIGHT - EDGE.bottom + EDGE.top) / 2;
    svg.append(element("text", { transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle" }, "LLR"));
    this.figure.querySelector("svg")?.replaceWith(svg) ?? this.figure.prepend(svg);
    this.figure.dataset.drawn = String(this.points.length);
  }
}

const figure = document.querySelector("figure[data-points]");
if (figure) {
  const graph = new Graph(figure);
  graph.update();
  document.addEventListener("lab:change", () => graph.update());
  // Not while the page is being laid out, and not for a height that the graph itself has made.
  let width = figure.clientWidth;
  new ResizeObserver(() => {
    if (figure.clientWidth !== width) {
      width = figure.clientWidth;
      requestAnimationFrame(() => graph.draw());
    }
  }).observe(figure);
}
