// The drawn board: cm-chessboard behind the face of board.js.

import { Chessboard, INPUT_EVENT_TYPE } from "../vendor/src/Chessboard.js";
import { Accessibility } from "../vendor/src/extensions/accessibility/Accessibility.js";
import { Arrows } from "../vendor/src/extensions/arrows/Arrows.js";
import { Markers } from "../vendor/src/extensions/markers/Markers.js";
import { frame } from "./frame.js";
import { Hand } from "./hand.js";
import { t } from "../texts.js";

// Below the fingerprint of this script, so that browsers keep the files for ever.
const ASSETS = new URL("../vendor/assets/", import.meta.url).pathname;
const STYLES = ["chessboard.css", "extensions/markers/markers.css", "extensions/arrows/arrows.css"].map((name) => ASSETS + name);
const MARKERS = {
  last: { class: "marker-last", slice: "markerSquare" },
  legal: { class: "marker-legal", slice: "markerDot", position: "above" },
  check: { class: "marker-check", slice: "markerCircleFilled" },
  chosen: { class: "marker-chosen", slice: "markerSquare" },
  premove: { class: "marker-premove", slice: "markerSquare" },
};
const HELD = { class: "marker-held", slice: "markerFrame" };
const ARROWS = { question: { class: "arrow-question" }, good: { class: "arrow-good" }, bad: { class: "arrow-bad" } };

const letter = (color) => color[0];
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function loadStyles() {
  for (const href of STYLES) {
    if (!document.querySelector(`link[href="${href}"]`)) {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      // Before the site's own sheet, which has the last word.
      document.head.prepend(link);
    }
  }
}

export class DrawnBoard {
  /** Whether a piece that was dragged is put down now: it stands where it is and need not slide there. */
  isDropping = false;

  constructor(element, settings) {
    loadStyles();
    this.element = element;
    this.hand = new Hand(settings, (square) => element.querySelector(`rect[data-square="${square}"]`));
    element.classList.add("board", "board-drawn");
    this.board = new Chessboard(frame(element, settings.orientation), {
      position: settings.fen,
      orientation: letter(settings.orientation),
      assetsUrl: ASSETS,
      style: {
        cssClass: "touchstone",
        showCoordinates: false,
        pieces: { file: "pieces/standard.svg" },
        animationDuration: calm() ? 0 : 150,
      },
      extensions: [
        { class: Markers, props: { autoMarkers: HELD } },
        { class: Arrows },
        { class: Accessibility, props: accessibility(settings) },
      ],
    });
    this.board.view.svg.setAttribute("aria-label", t("board-keys", { label: settings.label }));
    this.board.view.svg.addEventListener("keydown", (event) => event.key === "Escape" && this.hand.chosen(null));
    this.board.view.svg.addEventListener("touchstart", (event) => this.touched(event), { capture: true, passive: false });
    this.takeInput();
  }

  setPosition(fen) {
    this.hand.setPosition(fen);
    return this.board.setPosition(fen, !calm() && !this.isDropping);
  }

  setOrientation(color) {
    this.element.dataset.orientation = color;
    return this.board.setOrientation(letter(color), false);
  }

  setInteractive(side) {
    // A piece in hand stays there when nothing changes.
    if (side !== this.hand.side) {
      this.hand.side = side;
      this.takeInput();
    }
  }

  takeInput() {
    const { side } = this.hand;
    this.board.disableMoveInput();
    if (side) {
      const color = side === "both" ? undefined : letter(side);
      this.board.enableMoveInput((event) => this.input(event), color);
    }
  }

  highlight(kind, squares) {
    const type = MARKERS[kind];
    this.board.removeMarkers(type);
    for (const square of squares) {
      this.board.addMarker(type, square);
    }
  }

  arrows(list) {
    this.board.removeArrows();
    for (const { from, to, kind } of list) {
      this.board.addArrow(ARROWS[kind] ?? ARROWS.good, from, to);
    }
  }

  focus() {
    this.board.view.svg.focus();
  }

  destroy() {
    this.board.destroy();
    this.element.replaceChildren();
  }

  /**
   * A tap that puts a piece down is not repeated as a press of the mouse: that would lift the piece from where it stands
   * now.
   */
  touched(event) {
    if (this.board.view.visualMoveInput.moveInputState === "clickTo" && event.touches.length === 1) {
      event.preventDefault();
    }
  }

  input(event) {
    if (event.type === INPUT_EVENT_TYPE.moveInputStarted) {
      return this.started(event.squareFrom);
    }
    if (event.type === INPUT_EVENT_TYPE.validateMoveInput) {
      return this.ended(event.squareFrom, event.squareTo);
    }
    if (event.type === INPUT_EVENT_TYPE.moveInputCanceled) {
      this.hand.chosen(null);
    }
    return undefined;
  }

  started(square) {
    const may = this.hand.mayLift(square);
    if (may) {
      this.hand.chosen(square);
    }
    return may;
  }

  /**
   * Always false: the page learns of the move and sets the position that it leads to. A piece that was put down stands
   * there in the next frame, so the page learns of it at once.
   */
  ended(from, to) {
    if (!to || (!this.isPutDown() && this.hand.changesChoice(from, to))) {
      return false;
    }
    queueMicrotask(() => this.letGo());
    if (this.isPutDown() && !this.hand.asks(from, to)) {
      this.isDropping = this.board.view.visualMoveInput.draggablePiece !== null;
      this.hand.moved(from, to);
      this.isDropping = false;
    } else {
      // Later, when the press of the mouse has been dealt with: else it takes the focus from the question of promotion.
      setTimeout(() => this.hand.moved(from, to));
    }
    return false;
  }

  /** Whether the piece is down already when the move is asked about: not by a click upon an own piece, nor by keys. */
  isPutDown() {
    return this.board.view.visualMoveInput.moveInputState === "moveDone";
  }

  /** A refused move leaves a piece in hand (the keyboard's, or the rook a king was put upon); it is let go. */
  letGo() {
    if (!this.board.view) {
      return;
    }
    this.board.cancelMoveInput();
    this.takeInput();
    this.hand.chosen(null);
  }
}

function accessibility(settings) {
  return {
    language: "en",
    keyboardMoveInput: settings.interactive,
    brailleNotationInAlt: false,
    movePieceForm: false,
    boardAsTable: false,
    piecesAsList: false,
  };
}
