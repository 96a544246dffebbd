// Lists of games, and a board to play through them. The games are in the element `data`, packed by
// `report/run/html/games.rs`; what is shown is in the fragment of the address: `#game=17&ply=40`,
// or a list, such as `#of=0&vs=1&result=won`.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = id => document.getElementById(id);
  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const html = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

  // Rules: enough to replay moves that are known to be legal, and to write them as SAN.
  // A square is file + 8 * rank; a board is an array of the letters of FEN, "" where it is empty.

  const nameOf = square => "abcdefgh"[square & 7] + ((square >> 3) + 1);
  const isWhite = piece => piece < "a";

  function parse(fen) {
    const [rows, side, castling, ep, half, full] = fen.split(" ");
    const board = Array(64).fill("");
    rows.split("/").forEach((row, down) => {
      let file = 0;
      for (const one of row) {
        if (one < "9") file += Number(one);
        else board[(7 - down) * 8 + file++] = one;
      }
    });
    // Squares of the rooks that may castle.
    const rooks = [...castling].filter(one => one !== "-").map(one => {
      const [king, rook, row] = isWhite(one) ? ["K", "R", 0] : ["k", "r", 56];
      const at = board.indexOf(king), letter = one.toLowerCase();
      const files = [0, 1, 2, 3, 4, 5, 6, 7].map(file => row + file).filter(square => board[square] === rook);
      if (letter === "k") return files.filter(square => square > at).pop();
      if (letter === "q") return files.filter(square => square < at).shift();
      return row + letter.charCodeAt(0) - 97;
    });
    const epSquare = ep === "-" ? -1 : ep.charCodeAt(0) - 97 + 8 * (Number(ep[1]) - 1);
    return { board, white: side === "w", rooks, ep: epSquare, half: Number(half), full: Number(full) };
  }

  function fenOf({ board, white, rooks, ep, half, full }) {
    let rows = "";
    for (let rank = 7; rank >= 0; rank--) {
      const row = board.slice(8 * rank, 8 * rank + 8).map(piece => piece || " ").join("");
      rows += row.replace(/ +/g, empty => empty.length) + (rank ? "/" : "");
    }
    // As X-FEN: a rook that is not the outermost has the letter of its file.
    const rights = [["K", 1], ["K", -1], ["k", 1], ["k", -1]].map(([king, step]) => {
      const at = board.indexOf(king), rook = isWhite(king) ? "R" : "r";
      const square = rooks.find(one => board[one] === rook && (one - at) * step > 0);
      if (square === undefined) return "";
      let isOutermost = true;
      for (let beyond = square + step; beyond >> 3 === at >> 3; beyond += step) {
        if (board[beyond] === rook) isOutermost = false;
      }
      const letter = isOutermost ? (step > 0 ? "k" : "q") : nameOf(square)[0];
      return isWhite(king) ? letter.toUpperCase() : letter;
    });
    return [rows, white ? "w" : "b", rights.join("") || "-", ep < 0 ? "-" : nameOf(ep), half, full].join(" ");
  }

  /** Whether the piece on a square attacks another one. */
  function attacks(board, from, to) {
    const dx = (to & 7) - (from & 7), dy = (to >> 3) - (from >> 3);
    const [ax, ay] = [Math.abs(dx), Math.abs(dy)];
    const piece = board[from].toLowerCase();
    if (piece === "p") return ax === 1 && dy === (isWhite(board[from]) ? 1 : -1);
    if (piece === "n") return ax * ay === 2;
    if (piece === "k") return Math.max(ax, ay) === 1;
    const isStraight = !dx !== !dy, isDiagonal = ax === ay && ax > 0;
    if (!(isStraight && piece !== "b") && !(isDiagonal && piece !== "r")) return false;
    const step = Math.sign(dx) + 8 * Math.sign(dy);
    for (let at = from + step; at !== to; at += step) if (board[at]) return false;
    return true;
  }

  const inCheck = (board, white) => {
    const king = board.indexOf(white ? "K" : "k");
    return board.some((piece, at) => piece && isWhite(piece) !== white && attacks(board, at, king));
  };

  /** The side of a castling move: 1 for the king's, -1 for the queen's, 0 for another move. */
  function castles({ board }, { from, to }) {
    const piece = board[from];
    if (piece.toLowerCase() !== "k") return 0;
    const takesRook = board[to] === (isWhite(piece) ? "R" : "r");
    return takesRook || Math.abs(to - from) === 2 ? Math.sign(to - from) : 0;
  }

  function play(position, move) {
    const { white } = position, { from, to } = move;
    const board = position.board.slice(), piece = board[from], letter = piece.toLowerCase();
    const side = castles(position, move), row = from & 56;
    let isCapture = false;
    board[from] = "";
    if (side) {
      const takesRook = position.board[to].toLowerCase() === "r";
      board[takesRook ? to : row + (side > 0 ? 7 : 0)] = "";
      board[row + (side > 0 ? 6 : 2)] = piece;
      board[row + (side > 0 ? 5 : 3)] = white ? "R" : "r";
    } else {
      isCapture = board[to] !== "" || (letter === "p" && to === position.ep);
      if (letter === "p" && to === position.ep) board[to + (white ? -8 : 8)] = "";
      board[to] = move.promotion ? (white ? move.promotion.toUpperCase() : move.promotion) : piece;
    }
    const isOwn = square => isWhite(position.board[square]) === white;
    return {
      board,
      white: !white,
      rooks: position.rooks.filter(rook => rook !== from && rook !== to && !(letter === "k" && isOwn(rook))),
      ep: letter === "p" && Math.abs(to - from) === 16 ? (from + to) / 2 : -1,
      half: letter === "p" || isCapture ? 0 : position.half + 1,
      full: position.full + (white ? 0 : 1),
      isCapture,
    };
  }

  function san(position, move, next, isMate) {
    const { board, white } = position, { from, to } = move;
    const end = isMate ? "#" : inCheck(next.board, !white) ? "+" : "";
    const side = castles(position, move);
    if (side) return (side > 0 ? "O-O" : "O-O-O") + end;
    const target = (next.isCapture ? "x" : "") + nameOf(to), name = nameOf(from);
    if (board[from].toLowerCase() === "p") {
      const promotion = move.promotion ? "=" + move.promotion.toUpperCase() : "";
      return (next.isCapture ? name[0] : "") + target + promotion + end;
    }
    // Others of its kind that could go there too.
    const rivals = board.flatMap((piece, at) => {
      const can = at !== from && piece === board[from] && attacks(board, at, to);
      return can && !inCheck(play(position, { from: at, to }).board, white) ? [nameOf(at)] : [];
    });
    let which = "";
    if (rivals.length) {
      if (rivals.every(one => one[0] !== name[0])) which = name[0];
      else if (rivals.every(one => one[1] !== name[1])) which = name[1];
      else which = name;
    }
    return board[from].toUpperCase() + which + target + end;
  }

  /** All positions of a game, each with the move that led to it. */
  function replay(game) {
    const squares = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const moves = [...game.moves.matchAll(/(?:\*([qrbn]))?(.)(.)/g)];
    const positions = [parse(game.fen)];
    moves.forEach(([, promotion, from, to], ply) => {
      const before = positions[ply], move = { from: squares.indexOf(from), to: squares.indexOf(to), promotion };
      if (!before || !before.board[move.from]) return;
      const after = play(before, move);
      const isLast = ply === moves.length - 1;
      after.san = san(before, move, after, isLast && game.end === "checkmate");
      after.move = [move.from, move.to];
      positions.push(after);
    });
    for (const position of positions) position.fen = fenOf(position);
    return positions;
  }

  // Lists of games.

  const results = ["0-1", "½-½", "1-0"];
  const engine = index => data.engines[index] ?? "?";
  const pointsOf = (game, who) => (game.white === who ? game.points : 2 - game.points);
  const plays = (game, who) => game.white === who || game.black === who;
  const games = new Map(data.games.map(game => [game.n, game]));
  const endOf = game => (game.fault ? `${engine(game.fault.engine)}: ${game.fault.kind}` : game.end);

  /** The games of a list, and what they are, from the parts of the fragment. */
  function chosen(query) {
    const tests = [], words = [];
    const add = (name, say, test) => {
      const value = query.get(name);
      if (value === null) return;
      tests.push(game => test(game, value));
      words.push(say(value));
    };
    const of = Number(query.get("of"));
    add("of", who => `of ${engine(who)}`, game => plays(game, of));
    add("vs", who => `against ${engine(who)}`, (game, who) => plays(game, Number(who)));
    add("color", color => `with ${color}`, (game, color) => (color === "White" ? game.white : game.black) === of);
    add("result", result => ({ won: "won", drawn: "drawn", lost: "lost" })[result] ?? "",
      (game, result) => pointsOf(game, of) === { lost: 0, drawn: 1, won: 2 }[result]);
    add("white", result => `White ${result}`,
      (game, result) => game.points === { lost: 0, drawn: 1, won: 2 }[result]);
    add("pair", points => `in pairs with ${Number(points) / 2} of 2 points`, (game, points) => {
      const other = games.get(game.n % 2 ? game.n + 1 : game.n - 1);
      return other && pointsOf(game, of) + pointsOf(other, of) === Number(points);
    });
    add("end", end => `ended by ${end}`, (game, end) => game.end === end);
    add("fault", kind => (kind === "any" ? "ended by a fault" : `ended by ${kind}`),
      (game, kind) => game.fault && (kind === "any" || game.fault.kind === kind));
    add("by", who => `of ${engine(who)}`, (game, who) => game.fault && game.fault.engine === Number(who));
    add("round", round => `of round ${round}`, (game, round) => game.round === Number(round));
    add("opening", opening => `from ${opening}`, (game, opening) => game.opening === opening);
    const list = data.games.filter(game => tests.every(test => test(game)));
    return { list, title: words.length ? `Games ${words.filter(Boolean).join(", ")}` : "All games" };
  }

  const heads = ["Game", "White", "Black", "Result", "Ended by", "Plies", "Opening"];

  function row(game) {
    const cells = [
      html("a", { href: `#game=${game.n}` }, `${game.n}`), engine(game.white), engine(game.black),
      results[game.points], endOf(game), `${game.plies}`, game.opening,
    ];
    const cell = (content, index) => index
      ? html("td", { role: "cell", "data-label": heads[index], class: "text" }, html("span", {}, content))
      : html("th", { role: "rowheader", scope: "row" }, content);
    return html("tr", { role: "row", id: `row-${game.n}` }, ...cells.map(cell));
  }

  function showList({ list, title }, isAsked) {
    const counted = `${title}: ${list.length}`;
    byId("list-title").textContent = data.games.length < data.total ? `${counted} of those in this page` : counted;
    byId("all").hidden = title === "All games";
    const body = byId("list-rows"), more = byId("more");
    body.replaceChildren();
    let shown = 0;
    const show = count => {
      body.append(...list.slice(shown, shown + count).map(row));
      shown = Math.min(list.length, shown + count);
      more.hidden = shown === list.length;
      more.textContent = `Show more (${list.length - shown})`;
    };
    more.onclick = () => show(200);
    show(isAsked ? 50 : 10);
  }

  // The board.

  const shapes = {
    p: "M22.5 8a6 6 0 0 1 3.9 10.6c4.6 2.8 3.3 8.9 7.6 13.400v6H11v-6c4.3-4.5 3-10.6 7.6-13.400A6 6 0 0 1 22.5 8z",
    r: "M10 38v-5h3.500V18.500L10 15.500V8h5.500v3.500h4V8h6v3.500h4V8H35v7.500l-3.5 3V33H35v5zM13.5 18.500h18M13.5 33h18",
    n: "M12 38v-4c1-8 9-9 9.5-16l-7 5.5-3.7-1.2-.8-4L16.5 9l1-4.500L21 8c9 .5 14 8 14 18v12zM18.5 13.300v.4",
    b: "M20 9a2.6 2.6 0 1 1 5 0c4.5 3.8 7 7.5 7 12 0 3.5-2 6.5-4.2 8.700L29 33h5v5H11v-5h5l1.2-3.300C15 27.5 13 24.5 13 21c0-4.5 2.5-8.2 7-12zM22.5 15v8M18.5 19h8M17.2 29.700h10.6",
    q: "M11 38v-5l2.5-3L7 13.500l8.5 7.500L17 8.5 22.5 20 28 8.500l1.5 12.5 8.5-7.500L31.5 30l2.5 3v5zM13.5 30h18M11 33.500h23",
    k: "M11 38v-5l1.5-2c-6-4-7-9-4.5-12.5 3.3-4 9-2.5 12.5 2V12h-4V8.500h4V5h4v3.500h4V12h-4v8.500c3.5-4.5 9.2-6 12.5-2 2.5 3.5 1.5 8.5-4.5 12.500l1.5 2v5zM12.5 31h20M11 34h23",
  };
  const kinds = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

  let open = null;

  function drawBoard(position) {
    const { board, move } = position;
    const place = square => {
      const [file, rank] = [square & 7, square >> 3];
      return open.flipped ? [(7 - file) * 45, rank * 45] : [file * 45, (7 - rank) * 45];
    };
    const parts = [];
    for (let square = 0; square < 64; square++) {
      const [x, y] = place(square);
      const color = (square ^ (square >> 3)) & 1 ? "light" : "dark";
      parts.push(svg("rect", { class: color, x, y, width: 45, height: 45 }));
      const edge = (name, dx, dy) =>
        parts.push(svg("text", { class: `edge on-${color}`, x: x + dx, y: y + dy }, name));
      if (x === 0) edge(nameOf(square)[1], 2, 10);
      if (y === 315) edge(nameOf(square)[0], 37, 43);
    }
    for (const square of move ?? []) {
      const [x, y] = place(square);
      parts.push(svg("rect", { class: "moved", x: x + 1.5, y: y + 1.5, width: 42, height: 42 }));
    }
    board.forEach((piece, square) => {
      if (!piece) return;
      const [x, y] = place(square);
      parts.push(svg("path", {
        class: isWhite(piece) ? "white piece" : "black piece",
        d: shapes[piece.toLowerCase()],
        transform: `translate(${x} ${y})`,
        "data-piece": piece + nameOf(square),
      }));
    });
    const said = board.flatMap((piece, square) => piece
      ? [`${isWhite(piece) ? "White" : "Black"} ${kinds[piece.toLowerCase()]} ${nameOf(square)}`] : []);
    byId("board").setAttribute("aria-label", said.join(", "));
    byId("board").replaceChildren(...parts);
  }

  // Curves of both sides, by ply.

  const left = 34, right = 394, top = 6, bottom = 104;
  const squeeze = pawns => pawns / (Math.abs(pawns) + 3);
  const fixed = number => `${Number(number.toPrecision(2))}`;

  function curves(id, title, values, scale, ticks) {
    const count = Math.max(1, open.positions.length - 1);
    const x = ply => left + (right - left) * ply / count;
    const y = value => bottom - (bottom - top) * scale(value);
    const parts = [svg("title", {}, title)];
    if (open.game.book) {
      parts.push(svg("rect", { class: "bookplies", x: left, y: top, width: x(open.game.book) - left, height: bottom - top }));
    }
    for (const tick of ticks) {
      parts.push(svg("path", { class: tick ? "grid" : "zero", d: `M${left} ${y(tick)}H${right}` }));
      parts.push(svg("text", { x: left - 4, y: y(tick) + 4, "text-anchor": "end" }, fixed(tick)));
    }
    for (const [side, name] of [[0, "line a"], [1, "line b"]]) {
      let path = "";
      values.forEach((value, index) => {
        if (value === null || open.isBlack(index) !== Boolean(side)) return;
        path += `${path ? "L" : "M"}${x(open.game.book + index + 1).toFixed(1)} ${y(value).toFixed(1)}`;
      });
      // A single move is a dot.
      parts.push(svg("path", { class: name, d: path.includes("L") ? path : path && path + "h.1", "stroke-linecap": "round" }));
    }
    parts.push(svg("path", { class: "now", d: `M0 ${top}V${bottom}` }));
    parts.push(svg("text", { x: left, y: 120 }, "0"), svg("text", { x: right, y: 120, "text-anchor": "end" }, `ply ${count}`));
    const chart = byId(id);
    chart.setAttribute("aria-label", title);
    chart.replaceChildren(...parts);
    chart.onclick = event => {
      const box = chart.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width * 400 - left) / (right - left);
      go(Math.round(at * count));
    };
    chart.parentElement.hidden = values.every(value => value === null);
    open.marks.push(ply => chart.querySelector(".now").setAttribute("transform", `translate(${x(ply).toFixed(1)} 0)`));
  }

  function drawCurves() {
    const { score, clock, time } = open.game;
    open.marks = [];
    const pawns = score.map(cp => (cp === null ? null : Math.abs(cp) > 90000 ? Math.sign(cp) * 1000 : cp / 100));
    curves("scores", "Score in pawns, as White sees it", pawns, value => (squeeze(value) + 1) / 2, [-9, -3, 0, 3, 9]);
    const hasClock = clock.some(left => left !== null);
    const seconds = (hasClock ? clock.map(left => (left === null ? null : left / 100)) : time.map(ms => ms / 1000));
    const most = Math.max(0.001, ...seconds);
    const title = hasClock ? "Time left on the clock, in seconds" : "Time of each move, in seconds";
    byId("clocks-title").textContent = title;
    curves("clocks", title, seconds, value => Math.max(0, value) / most, [0, most / 2, most]);
    byId("white-name").textContent = `${engine(open.game.white)} (White)`;
    byId("black-name").textContent = `${engine(open.game.black)} (Black)`;
  }

  function scoreText(cp) {
    if (cp === null || cp === undefined) return "";
    if (Math.abs(cp) > 90000) return cp > 0 ? `#${100000 - cp}` : `#-${100000 + cp}`;
    return (cp < 0 ? "−" : "+") + (Math.abs(cp) / 100).toFixed(2);
  }

  /** What is known of the move that led to a position. */
  function facts(ply) {
    if (ply === 0) return open.game.book ? "start of the book moves" : "first position";
    const { book, score, depth, time, clock } = open.game, index = ply - book - 1;
    const parts = [open.numbered(ply)];
    if (index < 0) return parts.concat("book move").join(" · ");
    if (score[index] !== null && score[index] !== undefined) parts.push(`score ${scoreText(score[index])}`);
    if (depth[index]) parts.push(`depth ${depth[index]}`);
    parts.push(`${(time[index] / 1000).toFixed(3)} s`);
    if (clock[index] !== null && clock[index] !== undefined) parts.push(`${(clock[index] / 100).toFixed(2)} s left`);
    return parts.join(" · ");
  }

  function go(ply) {
    const last = open.positions.length - 1;
    open.ply = Math.min(last, Math.max(0, ply));
    const position = open.positions[open.ply];
    drawBoard(position);
    for (const mark of open.marks) mark(open.ply);
    byId("facts").textContent = facts(open.ply);
    byId("fen").textContent = position.fen;
    for (const [id, isEnd] of [["first", open.ply === 0], ["previous", open.ply === 0], ["next", open.ply === last], ["last", open.ply === last]]) {
      byId(id).disabled = isEnd;
    }
    for (const one of byId("moves").querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
    const current = byId("moves").querySelector(`[data-ply="${open.ply}"]`);
    if (current) {
      current.setAttribute("aria-current", "step");
      const list = byId("moves");
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    history.replaceState(null, "", `#game=${open.game.n}&ply=${open.ply}`);
  }

  function drawMoves() {
    const list = byId("moves");
    list.replaceChildren();
    open.positions.forEach((position, ply) => {
      if (ply === 0) return;
      const before = open.positions[ply - 1];
      if (before.white || ply === 1) list.append(`${before.full}${before.white ? "." : "..."} `);
      const isBook = ply <= open.game.book;
      list.append(html("a", {
        href: `#game=${open.game.n}&ply=${ply}`, "data-ply": ply, title: position.fen, class: isBook ? "book" : "",
      }, position.san), " ");
      if (ply === open.game.book) list.append(html("span", { class: "note" }, "(end of the book)"), " ");
    });
    list.append(html("span", { class: "note" }, `${results[open.game.points]} ${open.game.end}`));
  }

  function showGame(number, ply) {
    const game = games.get(number);
    byId("viewer").hidden = !game;
    byId("missing").hidden = Boolean(game);
    if (!game) {
      byId("missing").textContent = `Game ${number} is not in this page.`;
      return;
    }
    if (!open || open.game !== game) {
      const positions = replay(game);
      open = {
        game, positions, flipped: false, marks: [],
        isBlack: index => !positions[Math.min(positions.length - 1, game.book + index)].white,
        numbered: at => {
          const before = positions[at - 1];
          return `${before.full}${before.white ? "." : "..."} ${positions[at].san}`;
        },
      };
      const names = `${engine(game.white)} – ${engine(game.black)}`;
      byId("game-title").textContent = `Game ${game.n}: ${names} ${results[game.points]}`;
      const about = [`round ${game.round}`, `opening: ${game.opening}`, `ended by ${game.end}`, `${game.plies} plies`];
      byId("about").replaceChildren(about.join(" · "));
      if (game.fault) {
        byId("about").append(` · fault of ${engine(game.fault.engine)}: ${game.fault.kind}, ${game.fault.detail}`);
        if (game.fault.href) byId("about").append(" · ", html("a", { href: game.fault.href }, "transcript"));
      }
      drawMoves();
      drawCurves();
    }
    go(ply ?? (game.fault ? open.positions.length : 0));
  }

  const actions = {
    first: () => go(0), previous: () => go(open.ply - 1), next: () => go(open.ply + 1),
    last: () => go(open.positions.length), flip: () => { open.flipped = !open.flipped; go(open.ply); },
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", f: "flip" };
  byId("viewer").addEventListener("keydown", event => {
    const id = event.ctrlKey || event.altKey || event.metaKey ? undefined : keys[event.key];
    if (!id) return;
    event.preventDefault();
    actions[id]();
  });

  function route(isFirst) {
    const query = new URLSearchParams(location.hash.slice(1));
    const isGame = query.has("game"), isList = [...query.keys()].some(key => key !== "game" && key !== "ply");
    const wasOpen = open && !byId("viewer").hidden;
    if (isGame) {
      const number = Number(query.get("game")), isSame = wasOpen && open.game.n === number;
      showGame(number, query.has("ply") ? Number(query.get("ply")) : undefined);
      if (!isSame) byId(byId("viewer").hidden ? "missing" : "viewer").focus();
      if (isFirst) showList(chosen(new URLSearchParams()), false);
      return;
    }
    byId("viewer").hidden = byId("missing").hidden = true;
    showList(chosen(query), isList);
    if (isList) byId("list").focus();
  }

  byId("games").hidden = data.games.length === 0;
  addEventListener("hashchange", () => route(false));
  route(true);
})();
