// The drawn board: cm-chessboard behind the face of board.js.

import { Chessboard, INPUT_EVENT_TYPE } from "/vendor/src/Chessboard.js";
import { Accessibility } from "/vendor/src/extensions/accessibility/Accessibility.js";
import { Arrows } from "/vendor/src/extensions/arrows/Arrows.js";
import { Markers } from "/vendor/src/extensions/markers/Markers.js";
import { Hand } from "./hand.js";

const STYLES = [
  "/vendor/assets/chessboard.css",
  "/vendor/assets/extensions/markers/markers.css",
  "/vendor/assets/extensions/arrows/arrows.css",
];
const MARKERS = {
  last: { class: "marker-last", slice: "markerSquare" },
  legal: { class: "marker-legal", slice: "markerDot", position: "above" },
  check: { class: "marker-check", slice: "markerCircleFilled" },
  chosen: { class: "marker-chosen", slice: "markerSquare" },
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
  constructor(element, settings) {
    loadStyles();
    this.hand = new Hand(settings, true);
    element.classList.add("board", "board-drawn");
    this.board = new Chessboard(element, {
      position: settings.fen,
      orientation: letter(settings.orientation),
      assetsUrl: "/vendor/assets/",
      style: {
        cssClass: "touchstone",
        pieces: { file: "pieces/standard.svg" },
        animationDuration: calm() ? 0 : 150,
      },
      extensions: [
        { class: Markers, props: { autoMarkers: HELD } },
        { class: Arrows },
        { class: Accessibility, props: accessibility(settings) },
      ],
    });
    this.board.view.svg.setAttribute("aria-label", `${settings.label}. Arrow keys go over the squares, Enter lifts and puts down.`);
    this.board.view.svg.addEventListener("keydown", (event) => event.key === "Escape" && this.hand.chosen(null));
    this.setInteractive(this.hand.side);
  }

  setPosition(fen) {
    this.hand.setPosition(fen);
    return this.board.setPosition(fen, !calm());
  }

  setOrientation(color) {
    return this.board.setOrientation(letter(color), false);
  }

  setInteractive(side) {
    this.hand.side = side;
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

  /** Always false, so that the piece goes back; the page learns of the move afterwards. */
  ended(from, to) {
    if (!to || (!this.isDragged() && this.hand.changesChoice(from, to))) {
      return false;
    }
    queueMicrotask(() => this.letGo());
    // Later, when the press of the mouse has been dealt with: else it takes the focus from the question of promotion.
    setTimeout(() => this.hand.moved(from, to));
    return false;
  }

  /** A piece that was dragged is put down already when the move is asked about; a click upon an own piece is not. */
  isDragged() {
    return this.board.view.visualMoveInput.moveInputState === "moveDone";
  }

  /** A refused move leaves a piece in hand (the keyboard's, or the rook a king was put upon); it is let go. */
  letGo() {
    if (!this.board.view) {
      return;
    }
    this.board.cancelMoveInput();
    this.setInteractive(this.hand.side);
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
