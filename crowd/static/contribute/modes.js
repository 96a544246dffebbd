// What the page says in each mode.

import { t } from "../texts.js";

const NAMES = ["calm", "timed", "pair", "missing", "review"];

export const MODES = Object.fromEntries(
  NAMES.map((mode) => [mode, { badge: t(`mode-${mode}`), title: t(`task-title-${mode}`), help: t(`task-help-${mode}`) }]),
);

export const PARTNER = {
  waiting: t("partner-waiting"),
  joined: t("partner-joined"),
  away: t("partner-away"),
  finished: t("partner-finished"),
};
