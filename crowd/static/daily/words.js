// Kinds of moves, counts and times of a result in words and squares.

import { minutes } from "../contribute/clock.js";
import { t } from "../texts.js";

/** "Captures", "Castling" and so on. */
export const kindTitle = (kind) => t("move-kind", { kind });

/** Whole seconds that have passed, as "2:05". */
export const timeOf = (ms) => minutes(Math.floor(ms / 1000) * 1000);

/** "found", "missed" or "wrong" for each move of a kind. */
export function squaresOf({ legal, found, wrong }) {
  return [...Array(found).fill("found"), ...Array(legal - found).fill("missed"), ...Array(wrong).fill("wrong")];
}

/** What happened to a request that has no answer. */
export function failureText({ kind, message }) {
  return ["network", "server", "busy"].includes(kind) ? t(`fail-${kind}`) : t("fail-other", { why: message });
}

/** A day such as "2026-11-26" in words. */
export function dateOf(day) {
  const { lang } = document.documentElement;
  const form = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(lang === "en" ? "en-GB" : lang, form);
}
