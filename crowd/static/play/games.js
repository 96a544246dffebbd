// Games kept by name in this browser, and games as files.

import { t } from "../texts.js";
import { openDialog } from "./ask.js";
import { byId, download, make, makeButton, show } from "../dom.js";
import { fileName, playerTitle, readRecord } from "./record.js";
import { deleteGame, saveGame, savedGames } from "./store.js";
import { pliesText } from "./words.js";

const MAX_FILE_BYTES = 1 << 20;

/** The text of a chosen file; an Error when it is too large. */
export async function fileText(input) {
  const [file] = input.files;
  input.value = "";
  if (file && file.size > MAX_FILE_BYTES) {
    throw new Error(t("file-large"));
  }
  return file ? file.text() : null;
}

export class Games {
  /** `start` takes up a record. */
  constructor(match, start) {
    this.match = match;
    this.start = start;
    this.error = byId("play-games-error");
    byId("play-games-open").addEventListener("click", () => this.open());
    byId("play-save-form").addEventListener("submit", (event) => this.save(event));
    byId("play-file-save").addEventListener("click", () => this.toFile());
    byId("play-file").addEventListener("change", ({ target }) => this.take(async () => readRecord((await fileText(target)) ?? "")));
  }

  open() {
    const { record } = this.match;
    byId("play-save-name").value = `${playerTitle(record, "white")} \u2013 ${playerTitle(record, "black")}`;
    this.error.textContent = "";
    this.list();
    openDialog("play-games");
  }

  save(event) {
    event.preventDefault();
    const kept = saveGame(byId("play-save-name").value.trim(), this.match.kept());
    this.error.textContent = kept ? "" : t("game-no-room");
    this.list();
  }

  list() {
    const games = savedGames();
    byId("play-saved").replaceChildren(...games.map((game) => this.row(game)));
    show(byId("play-saved-empty"), games.length === 0);
  }

  row(game) {
    const when = new Date(game.saved).toLocaleString(document.documentElement.lang);
    const about = make("span", {}, make("strong", { text: game.name }), ` ${pliesText(game.record.moves?.length ?? 0)}, ${when}`);
    const load = () => this.take(async () => readRecord(JSON.stringify(game.record)));
    const forget = () => (deleteGame(game.id), this.list());
    return make(
      "li",
      {},
      about,
      makeButton(t("game-open"), load, { "aria-label": t("game-open-named", { name: game.name }) }),
      makeButton(t("game-delete"), forget, { class: "danger", "aria-label": t("game-delete-named", { name: game.name }) }),
    );
  }

  toFile() {
    const record = this.match.kept();
    download(fileName(record, "json"), "application/json", JSON.stringify(record, null, 1));
  }

  async take(read) {
    try {
      await this.start(await read());
      byId("play-games").close();
    } catch (error) {
      this.error.textContent = error.message;
    }
  }
}
