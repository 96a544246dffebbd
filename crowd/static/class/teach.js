// The teacher's page: links to copy, tables to sort, and new results by themselves. Without this script the page is the
// same after a reload.

import { byId, say } from "../dom.js";
import { t } from "../texts.js";

const EVERY_MS = 5000;
const PATIENCE_MS = 10_000;

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(byId(button.dataset.copy).href);
      button.textContent = t("teach-copied");
      say(t("teach-link-copied"));
    } catch {
      button.textContent = t("teach-copy-failed");
    }
  });
}
byId("students-link").textContent = byId("students-link").href;

/** The column by which each table is sorted, and whether from the top: they outlive a refresh. */
const orders = new Map();

const numberOf = (cell) => Number(cell.dataset.sort ?? cell.textContent);

function sort(table, column, isDown) {
  const rows = [...table.tBodies[0].rows];
  const text = (row) => row.cells[column].textContent.trim();
  rows.sort((one, other) => {
    const order = column === 0 ? text(one).localeCompare(text(other)) : numberOf(one.cells[column]) - numberOf(other.cells[column]);
    return isDown ? -order : order;
  });
  table.tBodies[0].append(...rows);
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    if (at === column) head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
}

/** Makes the heads of the tables buttons that sort. */
function makeSortable() {
  for (const table of document.querySelectorAll("[data-sortable]")) {
    const name = table.dataset.sortable;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => {
        const before = orders.get(name);
        const isDown = before?.column === column ? !before.isDown : column > 0;
        orders.set(name, { column, isDown });
        sort(table, column, isDown);
      });
      head.append(button);
    });
    const order = orders.get(name);
    if (order && order.column < table.tHead.rows[0].cells.length) {
      sort(table, order.column, order.isDown);
    }
  }
}

/** What a person may be at: the same elements are there after a refresh, since students have none. */
const focusable = () => [...byId("results").querySelectorAll("a, button, [tabindex]")];

/** Shows other results in the same order, and leaves the focus and what is scrolled where they are. */
function replace(results) {
  const at = focusable().indexOf(document.activeElement);
  const left = [...document.querySelectorAll(".table-scroll")].map((box) => box.scrollLeft);
  byId("results").replaceChildren(...results.childNodes);
  makeSortable();
  document.querySelectorAll(".table-scroll").forEach((box, index) => box.scrollTo(left[index] ?? 0, 0));
  if (at >= 0) {
    focusable()[at]?.focus({ preventScroll: true });
  }
}

let shown = byId("results").innerHTML;

/** Fetches this page again, and shows its results if they have changed. */
async function refresh() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(location.pathname, { credentials: "same-origin", headers: { Accept: "text/html" }, signal: AbortSignal.timeout(PATIENCE_MS) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const results = page.getElementById("results");
      if (answer.ok && results && results.innerHTML !== shown) {
        shown = results.innerHTML;
        replace(results);
      }
    } catch {
      // The next round asks again.
    }
  }
  setTimeout(refresh, EVERY_MS);
}

makeSortable();
setTimeout(refresh, EVERY_MS);
