// What a finished list shows: how much of it was right in one line, each missed and each illegal move with its reason and
// one arrow, what the list was good for, and the way on.

import { createBoard, piecesOf } from "../board.js";
import { t } from "../texts.js";
import * as api from "./api.js";
import { id, make, makeButton, say } from "./dom.js";
import { longForm, partsOf } from "./words.js";

const PARTNER_EVERY_MS = 5000;
const PARTNER_TRIES = 120;

/** "two rook moves and an en passant", of these moves; by piece, but for what people overlook most. */
export function inWords(moves, pieces) {
  const special = { castling: "castling", "en-passant": "passant", promotion: "promotion" };
  const groups = new Map();
  for (const { move, kind } of moves) {
    const group = special[kind] ?? pieces.get(partsOf(move).from)?.[1] ?? "p";
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const named = [...groups].sort(([, one], [, other]) => other - one);
  const words = named.map(([kind, n]) => t("moves-of-kind", { kind, n, number: t("number", { n }) }));
  const last = words.pop();
  return words.length === 0 ? (last ?? "") : t("and", { some: words.join(", "), last });
}

/** The line above the board. */
function headline(result, pieces) {
  const { state, purpose, found, missed, wrong } = result;
  if (state !== "known") {
    return t(purpose === "review" ? "answers-sent" : "list-sent", { n: result.moves });
  }
  if (purpose === "review") {
    return t("answers-right", { n: result.moves - missed.length - wrong.length, of: result.moves });
  }
  const of = found.length + missed.length;
  const illegal = wrong.length > 0 ? ` ${t("and-illegal", { n: wrong.length })}` : "";
  if (missed.length === 0) {
    return t("found-all", { n: of }) + illegal;
  }
  return t("found-some", { n: found.length, of, missed: inWords(missed, pieces) }) + illegal;
}

/** What the list was good for. */
function goodFor(result) {
  const { state, purpose, late, day, points } = result;
  if (state === "held") return [t("result-held")];
  if (state === "hidden") return [t("result-hidden")];
  if (state === "closed") return [t("result-closed")];
  if (state === "waiting") return [result.lacking ? t("result-lacking", { n: result.lacking }) : t("result-waiting")];
  if (late) return [t(purpose === "daily" || purpose === "class" ? "result-too-late" : "result-late")];
  if (day) {
    const others = day.others === 0 ? t("day-first") : t("day-beaten", { beaten: day.beaten, others: day.others });
    return [others, t("day-streak", { n: day.streak })];
  }
  return purpose === "class" ? [] : [t("result-points", { n: points })];
}

const reasonOf = (why = "") => {
  const text = why.replace(/^\S+ is (?:il)?legal: /, "");
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

export class ResultView {
  /** `next` is the button's text and what it does; `offered(purpose)` begins what the server offers. */
  constructor(result, token, { next, offered }) {
    Object.assign(this, { result, token, next, offered });
    this.pieces = piecesOf(result.position.fen);
  }

  async open() {
    const { result } = this;
    const { fen, side_to_move: side, chess960 } = result.position;
    id("making").hidden = true;
    id("questions").hidden = true;
    id("result").hidden = false;
    id("board").replaceChildren();
    this.board = createBoard(id("board"), { fen, chess960, orientation: side, side: null, interactive: false, label: t("board-label-turn", { side }) });
    this.show();
    id("task-title").focus({ preventScroll: true });
    scrollTo({ top: 0 });
    say([id("task-title").textContent, ...goodFor(result)].join(" "));
    // Whatever happens to this request, the worst is that the result is shown once more.
    api.seen(this.token).catch(() => {});
    if (result.purpose === "pair" && !result.agreement) {
      void this.waitForPartner();
    }
  }

  show() {
    const { result } = this;
    id("task-title").textContent = headline(result, this.pieces);
    const way = make("p", "", { class: "row task-foot" });
    way.append(makeButton(this.next[0], this.next[1], { class: "primary", id: "next" }));
    if (result.offer) {
      way.append(makeButton(t(`offer-${result.offer}`), () => this.offered(result.offer)));
    }
    const good = goodFor(result).map((line) => make("p", line, { class: "good-for" }));
    const agreement = result.agreement ? [make("p", t("agreement", result.agreement), { class: "good-for" })] : [];
    const why = make("p", "", { class: "why", "aria-live": "polite" });
    const groups = result.state === "known" ? this.groups(why) : [];
    id("result").replaceChildren(way, why, ...good, ...agreement, ...groups);
  }

  /** The moves that were missed and those that are not legal, as buttons; one of them at a time has an arrow. */
  groups(why) {
    const { missed, wrong, found } = this.result;
    const pressed = (button, shown, kind) => {
      const isOn = button.getAttribute("aria-pressed") !== "true";
      for (const other of id("result").querySelectorAll("[aria-pressed]")) {
        other.setAttribute("aria-pressed", "false");
      }
      button.setAttribute("aria-pressed", String(isOn));
      this.board.arrows(isOn ? [{ ...partsOf(shown.move), kind }] : []);
      why.textContent = isOn ? reasonOf(shown.why) : "";
    };
    const group = (title, moves, kind) => {
      if (moves.length === 0) {
        return [];
      }
      const list = make("ul", "", { class: `chips ${kind}` });
      for (const shown of moves) {
        const button = make("button", this.name(shown), { type: "button", "aria-pressed": "false" });
        button.addEventListener("click", () => pressed(button, shown, kind));
        const item = make("li");
        item.append(button);
        list.append(item);
      }
      return [make("h2", t(title, { n: moves.length })), list];
    };
    const right = make("details");
    const list = make("ul", "", { class: "moves" });
    list.append(...found.map((shown) => make("li", this.name(shown))));
    right.append(make("summary", t("lesson-right", { n: found.length })), list);
    const parts = [...group("lesson-missed", missed, "good"), ...group("lesson-illegal", wrong, "bad")];
    return [...parts, ...(found.length > 0 ? [right] : [])];
  }

  name(shown) {
    return shown.san ?? longForm(this.pieces, shown.move, this.result.position.chess960);
  }

  async waitForPartner() {
    for (let tries = 0; tries < PARTNER_TRIES && !this.result.agreement && !this.closed; tries += 1) {
      await new Promise((wake) => setTimeout(wake, PARTNER_EVERY_MS));
      try {
        this.result = await api.result(this.token);
      } catch (error) {
        if (!error.passes) {
          return;
        }
      }
    }
    if (!this.closed && this.result.agreement) {
      this.show();
    }
  }

  close() {
    this.closed = true;
    this.board?.destroy();
  }
}
