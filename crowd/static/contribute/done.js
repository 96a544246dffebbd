// After Finish: thanks, the points of a pair, and the result where it is known already.

import * as api from "./api.js";
import { counted, id, make, say, showSection } from "./dom.js";
import { clearLesson, showLesson } from "./lesson.js";
import { showNews } from "./news.js";
import { address } from "./place.js";

const PARTNER_EVERY_MS = 5000;
const PARTNER_TRIES = 120;
const LATER = "The result comes when the position closes: when enough people agree about it. It is then under My lists.";

const HELD = "This list was faster than hands are, so it does not count yet. A moderator looks at it.";

const LATE = "The position was closed before your list was finished, and its answer was open to all. So the list does not count and gets no points.";

const CLOSED = "A moderator closed this position without a certain answer. So there are no points against an answer, for anybody.";

/** Shows the end of a task. `answer` is what finishing was answered with, or null when that is not known. */
export async function showDone(task, answer) {
  showSection("done");
  const what = task.mode === "review" ? "answer" : "move";
  const finished = task.mode === "review" ? "Your second look is finished" : "Your list is finished";
  id("done-text").textContent = answer ? `${finished}: ${counted(answer.moves, what)}.` : `${finished}.`;
  id("next").href = address(task.mode);
  id("result-link").href = `/results/${encodeURIComponent(task.token)}`;
  id("result").replaceChildren(make("p", LATER, { class: "muted" }));
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
      id("result").replaceChildren(make("p", HELD, { class: "notice warn" }));
      say(HELD);
    } else if (result.state === "closed") {
      id("result").replaceChildren(make("p", CLOSED, { class: "notice" }));
      say(CLOSED);
    }
  } catch {
    // The page of the list shows it whenever it is known.
  }
}

async function showKnown(task, result) {
  const { points, late, found, missed, wrong } = result;
  const text = late ? LATE : `The answer for this position is known. You get ${counted(points, "point")}.`;
  const lesson = await showLesson(task, result);
  id("result").replaceChildren(make("p", text, { class: late ? "notice" : "notice good" }), ...lesson);
  say(`${counted(found.length, "right move")}, ${missed.length} missed, ${wrong.length} not legal, ${counted(points, "point")}.`);
}

function showAgreement(agreement) {
  const box = id("agreement");
  const { both, one, points } = agreement;
  box.replaceChildren(make("p", `You and your partner agree about ${counted(both, "move")}; ${one} on one list only, each of which takes half a point. ${counted(points, "point")} for each of you.`));
  box.hidden = false;
  say(box.textContent);
}

/** Finishing again does no harm and returns the agreement once the other one has finished. */
async function waitForPartner(task, answer) {
  let agreement = answer?.agreement ?? null;
  if (!agreement) {
    id("agreement").replaceChildren(make("p", "Your partner is not done yet. The points for agreement come here if you stay."));
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
