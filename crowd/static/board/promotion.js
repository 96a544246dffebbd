// The question which piece a pawn becomes: at its square where there is a board, else in the middle of the window.

import { faceOf } from "./face.js";
import { kindName } from "./squares.js";
import { t } from "../texts.js";

const CHOICES = ["q", "r", "b", "n"];

function choiceButton(color, kind) {
  const button = document.createElement("button");
  button.value = kind;
  button.className = "promotion-choice";
  button.dataset.promotion = kind;
  button.autofocus = kind === "q";
  button.setAttribute("aria-label", kindName(kind));
  button.append(faceOf(color[0] + kind));
  return button;
}

function cancelButton() {
  const cancel = document.createElement("button");
  cancel.value = "";
  cancel.className = "promotion-cancel";
  cancel.textContent = t("promotion-cancel");
  return cancel;
}

function arrowKeys(dialog, event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const buttons = [...dialog.querySelectorAll(".promotion-choice")];
  const letter = CHOICES.indexOf(event.key.toLowerCase());
  if (letter >= 0) {
    dialog.close(CHOICES[letter]);
  } else if (step) {
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  } else {
    return;
  }
  event.preventDefault();
}

/**
 * Only what was pressed in the dialog counts: a tap that opened it is followed by a click upon what is there by then.
 * A press beside it puts the question away.
 */
function pointer(dialog) {
  let isPressed = false;
  dialog.addEventListener("pointerdown", ({ target }) => {
    isPressed = true;
    if (target === dialog) {
      dialog.close("");
    }
  });
  dialog.addEventListener("click", (event) => event.detail > 0 && !isPressed && event.preventDefault(), true);
}

/** Whether a square is in the upper half of its board: then there is room below it. */
const isHigh = (square) => {
  const [own, whole] = [square, square.closest(".board-field")].map((part) => part.getBoundingClientRect());
  return own.top - whole.top < whole.height / 2;
};

function place(dialog, square, down) {
  const { top, bottom, left, width } = square.getBoundingClientRect();
  const px = (number) => `${number}px`;
  dialog.style.setProperty("--choice", px(width));
  dialog.style.left = px(left);
  dialog.style.top = down ? px(top) : "auto";
  dialog.style.bottom = down ? "auto" : px(document.documentElement.clientHeight - bottom);
}

/**
 * Asks which piece; resolves to "q", "r", "b", "n", or to null when the question is put away.
 * `square`: the element of the square on a board where the pawn goes.
 */
export function askPromotion(color, to, square = null) {
  const down = !square || isHigh(square);
  const dialog = document.createElement("dialog");
  dialog.className = square ? "promotion promotion-there" : "promotion";
  const form = document.createElement("form");
  form.method = "dialog";
  const title = document.createElement("h2");
  title.id = "promotion-title";
  title.textContent = t("promotion-title", { square: to });
  title.classList.toggle("visually-hidden", Boolean(square));
  dialog.setAttribute("aria-labelledby", title.id);
  const choices = document.createElement("div");
  choices.className = "promotion-choices";
  // The queen is where the pawn stands.
  choices.append(...(down ? CHOICES : CHOICES.toReversed()).map((kind) => choiceButton(color, kind)));
  form.append(title, ...(down ? [choices, cancelButton()] : [cancelButton(), choices]));
  dialog.append(form);
  document.body.append(dialog);
  dialog.addEventListener("keydown", (event) => arrowKeys(dialog, event));
  pointer(dialog);
  const open = new AbortController();
  if (square) {
    const keepPlace = () => place(dialog, square, down);
    keepPlace();
    addEventListener("resize", keepPlace, { signal: open.signal });
    addEventListener("scroll", keepPlace, { signal: open.signal });
  }
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      open.abort();
      dialog.remove();
      resolve(CHOICES.includes(dialog.returnValue) ? dialog.returnValue : null);
    });
    dialog.showModal();
  });
}
