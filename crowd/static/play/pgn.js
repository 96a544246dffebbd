// The game as PGN, and games from PGN.

import { t } from "../texts.js";
import { askPgn, readPgn } from "./api.js";
import { openDialog } from "./ask.js";
import { byId, download, make, makeButton } from "../dom.js";
import { fileText } from "./games.js";
import { fileName, newRecord, tagsOf } from "./record.js";
import { pliesText } from "./words.js";

const value = (game, name) => game.tags.find((tag) => tag.name === name)?.value;
const known = (text) => (text && text !== "?" ? text : null);

/** "Ada – Bob, 2026.01.31, 1-0, 41 plies". */
function title(game) {
  const players = `${known(value(game, "White")) ?? t("white")} \u2013 ${known(value(game, "Black")) ?? t("black")}`;
  const place = [value(game, "Event"), value(game, "Date")].map(known).filter(Boolean);
  return [players, ...place, game.result, pliesText(game.moves.length)].join(", ");
}

/** A record of a game that was read. */
function recordOf(game) {
  const record = newRecord({ fen: game.fen, chess960: game.chess960, moves: game.moves });
  const result = game.result === "*" ? null : { result: game.result, reason: "" };
  return { ...record, tags: game.tags, result };
}

export class Pgn {
  /** `start` takes up a record. */
  constructor(match, start) {
    this.match = match;
    this.start = start;
    this.text = byId("play-pgn-text");
    this.said = byId("play-pgn-said");
    this.faults = byId("play-pgn-faults");
    byId("play-pgn-open").addEventListener("click", () => this.open());
    byId("play-pgn-copy").addEventListener("click", () => this.copy());
    byId("play-pgn-save").addEventListener("click", () => download(fileName(match.record, "pgn"), "application/x-chess-pgn", this.text.value));
    byId("play-pgn-read").addEventListener("click", () => this.read(byId("play-pgn-input").value));
    byId("play-pgn-file").addEventListener("change", ({ target }) => this.readFile(target));
  }

  async open() {
    this.said.textContent = "";
    this.faults.replaceChildren();
    this.text.value = "";
    byId("play-pgn-games").replaceChildren();
    openDialog("play-pgn");
    const { record } = this.match;
    try {
      const { pgn } = await askPgn(record, tagsOf(record), record.result?.result ?? "*");
      this.text.value = pgn;
    } catch (error) {
      this.showFaults([error.message]);
    }
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text.value);
      this.said.textContent = t("pgn-copied");
    } catch {
      this.text.select();
      this.said.textContent = t("pgn-copy-failed");
    }
  }

  async readFile(input) {
    try {
      const text = await fileText(input);
      if (text !== null) {
        await this.read(text);
      }
    } catch (error) {
      this.showFaults([error.message]);
    }
  }

  /** One game is taken up at once; of several, one is chosen. */
  async read(text) {
    this.showFaults([]);
    byId("play-pgn-games").replaceChildren();
    try {
      const { games, faults, more } = await readPgn(text);
      const none = games.length + faults.length === 0 ? [t("pgn-none")] : [];
      this.showFaults([...none, ...faults, ...(more ? [t("pgn-more")] : [])]);
      if (games.length === 1 && faults.length === 0) {
        await this.take(games[0]);
      } else {
        byId("play-pgn-games").replaceChildren(...games.map((game) => this.row(game)));
      }
    } catch (error) {
      this.showFaults([error.message]);
    }
  }

  row(game) {
    const text = title(game);
    const open = makeButton(t("game-open"), () => this.take(game), { "aria-label": t("game-open-named", { name: text }) });
    return make("li", {}, make("span", { text }), open);
  }

  async take(game) {
    try {
      await this.start(recordOf(game));
      byId("play-pgn").close();
    } catch (error) {
      this.showFaults([error.message]);
    }
  }

  showFaults(faults) {
    this.faults.replaceChildren(...faults.map((fault) => make("p", { text: fault })));
  }
}
