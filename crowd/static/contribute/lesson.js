// What a finished list teaches: the moves that were missed and those that are not legal, as arrows on the board, each
// with its reason.

import { boardOf } from "./boards.js";
import { id, make } from "./dom.js";
import { piecesOf } from "../board/squares.js";
import { longForm, partsOf } from "./words.js";
import { t } from "../texts.js";

let board = null;

/** Takes the board of the lesson before away. */
export function clearLesson() {
  board?.destroy();
  board = null;
  id("lesson-board").replaceChildren();
  id("lesson-board").className = "";
  id("lesson").classList.remove("split");
  id("lesson-side").hidden = true;
}

/** Shows what was found, missed and wrong of a list whose answer is known. */
export async function showLesson({ position, mode }, { found, missed, wrong }) {
  const pieces = piecesOf(position.fen);
  const name = (shown) => shown.san ?? longForm(pieces, shown.move, position.chess960);
  const arrow = (kind) => (shown) => ({ ...partsOf(shown.move), kind });
  const all = [...missed.map(arrow("good")), ...wrong.map(arrow("question"))];
  const explained = (title, moves, kind) => {
    if (moves.length === 0) {
      return [];
    }
    const list = make("ul", "", { class: "lesson" });
    list.append(...moves.map((shown) => item(name(shown), reason(shown.why ?? ""), () => board?.arrows([arrow(kind)(shown)]), () => board?.arrows(all))));
    return [make("h2", t(title, { n: moves.length })), list];
  };
  const right = make("ul", "", { class: "moves" });
  right.append(...found.map((shown) => make("li", name(shown))));
  const legal = found.length + missed.length;
  const score = mode === "review" ? [] : [make("p", t("lesson-found", { found: found.length, n: legal }))];
  const parts = [
    ...score,
    ...explained("lesson-missed", missed, "good"),
    ...explained("lesson-illegal", wrong, "question"),
    make("h2", t("lesson-right", { n: found.length })),
    right,
  ];
  if (all.length > 0) {
    id("lesson").classList.add("split");
    id("lesson-side").hidden = false;
    id("lesson-legend").textContent = [
      missed.length > 0 ? t("legend-missed") : "",
      wrong.length > 0 ? t("legend-illegal") : "",
      all.length > 1 ? t("legend-alone") : "",
    ].join(" ");
    board = await boardOf(position, id("lesson-board"), {
      orientation: position.side_to_move,
      side: null,
      interactive: false,
      label: t("lesson-board"),
    });
    board.arrows(all);
  }
  return parts;
}

/** The reason without the move and the verdict, which stand before it already. */
function reason(why) {
  const text = why.replace(/^\S+ is (?:il)?legal: /, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A move, which is pointed at by mouse, touch or keyboard, and its reason. */
function item(text, why, pointed, left) {
  const row = make("li");
  const button = make("button", text, { type: "button", class: "mono" });
  for (const [event, act] of [["pointerenter", pointed], ["focus", pointed], ["click", pointed], ["pointerleave", left], ["blur", left]]) {
    button.addEventListener(event, act);
  }
  row.append(button, make("span", why));
  return row;
}
