// After Finish: thanks, the points of a pair, and the result where it is known already.

import * as api from "./api.js";
import { id, make, say, showSection } from "./dom.js";
import { clearLesson, showLesson } from "./lesson.js";
import { showNews } from "./news.js";
import { address } from "./place.js";
import { t } from "../texts.js";

const PARTNER_EVERY_MS = 5000;
const PARTNER_TRIES = 120;

/** Shows the end of a task. `answer` is what finishing was answered with, or null when that is not known. */
export async function showDone(task, answer) {
  showSection("done");
  const finished = task.mode === "review" ? "done-answers" : "done-list";
  id("done-text").textContent = answer ? t(finished, { n: answer.moves }) : t(`${finished}-plain`);
  id("next").href = address(task.mode);
  id("result-link").href = `/results/${encodeURIComponent(task.token)}`;
  id("result").replaceChildren(make("p", t("result-later"), { class: "muted" }));
  id("agreement").hidden = true;
  clearLesson();
  void showNews();
  id("done-title").focus();
  say(id("done-text").textContent);
  await showResult(task);
  if (task.mode === "pair") {
    await waitForPartner(task, answer);
  }
}

async function showResult(task) {
  try {
    const result = await api.result(task.token);
    if (result.state === "known") {
      await showKnown(task, result);
    } else if (result.state === "held") {
      id("result").replaceChildren(make("p", t("result-held"), { class: "notice warn" }));
      say(t("result-held"));
    } else if (result.state === "closed") {
      id("result").replaceChildren(make("p", t("result-closed"), { class: "notice" }));
      say(t("result-closed"));
    }
  } catch {
    // The page of the list shows it whenever it is known.
  }
}

async function showKnown(task, result) {
  const { points, late, found, missed, wrong } = result;
  const text = late ? t("result-late") : t("result-points", { n: points });
  const lesson = await showLesson(task, result);
  id("result").replaceChildren(make("p", text, { class: late ? "notice" : "notice good" }), ...lesson);
  const right = t("result-right", { n: found.length });
  say(t("result-said", { right, missed: missed.length, wrong: wrong.length, points: t("points", { n: points }) }));
}

function showAgreement(agreement) {
  const box = id("agreement");
  const { both, one, points } = agreement;
  const text = [t("agreement-both", { n: both }), t("agreement-one", { one }), t("agreement-points", { n: points })].join(" ");
  box.replaceChildren(make("p", text));
  box.hidden = false;
  say(box.textContent);
}

/** Finishing again does no harm and returns the agreement once the other one has finished. */
async function waitForPartner(task, answer) {
  let agreement = answer?.agreement ?? null;
  if (!agreement) {
    id("agreement").replaceChildren(make("p", t("partner-later")));
    id("agreement").hidden = false;
  }
  for (let tries = 0; !agreement && tries < PARTNER_TRIES; tries += 1) {
    await new Promise((wake) => setTimeout(wake, PARTNER_EVERY_MS));
    try {
      const again = await api.sendFinish(task.token, [], task.events.length);
      agreement = again.agreement;
    } catch (error) {
      if (!error.passes) {
        return;
      }
    }
  }
  if (agreement) {
    showAgreement(agreement);
  }
}
