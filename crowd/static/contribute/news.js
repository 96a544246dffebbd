// A notice when positions that a person has listed were closed since they last looked at their lists.

import * as api from "./api.js";
import { id } from "./dom.js";
import { t } from "../texts.js";

/** Shows the notice if there is news; where nobody is known yet there is none. */
export async function showNews() {
  try {
    const { news } = await api.me();
    id("news").hidden = news === 0;
    id("news-link").textContent = t("news", { n: news });
  } catch {
    hideNews();
  }
}

export function hideNews() {
  id("news").hidden = true;
}
