// Steps through a game: buttons, moves and arrow keys exchange the board of the page. Without this script each of
// them is a link to the position.

const viewer = document.getElementById("game");
const SIGNS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const FILES = "abcdefgh";

if (viewer) {
  const svg = viewer.querySelector("svg.board");
  const moves = [...viewer.querySelectorAll("#moves a")];
  const squares = [...svg.querySelectorAll("g")];
  let ply = Number(viewer.dataset.ply);

  const show = (wanted) => {
    ply = Math.max(0, Math.min(moves.length - 1, wanted));
    const { fen, uci, eval: score, white, black, time } = moves[ply].dataset;
    const rows = fen.split(" ")[0].split("/");
    const letters = rows.flatMap((row) => [...row].flatMap((one) => (/\d/.test(one) ? Array(Number(one)).fill("") : [one])));
    squares.forEach((square, index) => {
      const letter = letters[index] ?? "";
      const name = `${FILES[index % 8]}${8 - Math.floor(index / 8)}`;
      square.classList.toggle("moved", uci.length >= 4 && (uci.slice(0, 2) === name || uci.slice(2, 4) === name));
      const text = square.querySelector("text");
      text.textContent = SIGNS[letter.toLowerCase()] ?? "";
      text.setAttribute("class", letter && letter === letter.toUpperCase() ? "white" : "black");
    });
    svg.setAttribute("aria-label", `The position ${fen}`);
    for (const [index, move] of moves.entries()) {
      if (index === ply) {
        move.setAttribute("aria-current", "true");
      } else {
        move.removeAttribute("aria-current");
      }
    }
    const list = document.getElementById("moves");
    const at = moves[ply];
    list.scrollTop = at.offsetTop - list.offsetTop - list.clientHeight / 2;
    document.getElementById("at-move").textContent = at.textContent.trim();
    document.getElementById("at-eval").textContent = score || "–";
    document.getElementById("at-time").textContent = time || "–";
    document.getElementById("at-white").textContent = white || "–";
    document.getElementById("at-black").textContent = black || "–";
    history.replaceState(null, "", `?ply=${ply}`);
  };

  const STEPS = { first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => moves.length - 1 };
  const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

  viewer.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-step], #moves a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    show(link.dataset.step ? STEPS[link.dataset.step]() : moves.indexOf(link));
  });
  document.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) {
      return;
    }
    event.preventDefault();
    show(STEPS[step]());
  });
  viewer.dataset.ready = "true";
}
