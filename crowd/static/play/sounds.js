// Sounds of the moves, made here and not loaded. None before the first press of a pointer or key on the page; a button
// turns them off, which is remembered.

import { byId } from "../dom.js";
import { choices, keepChoices } from "./store.js";

/** Each sound as tones: pitch in Hz, start and length in seconds, and wave. A falling triangle is a knock on wood. */
const KNOCK = { from: 330, to: 110, at: 0, length: 0.09, wave: "triangle" };
const SOUNDS = {
  move: [KNOCK],
  capture: [KNOCK, { ...KNOCK, from: 240, to: 80, at: 0.055 }],
  check: [KNOCK, { from: 740, to: 740, at: 0.05, length: 0.16, wave: "sine" }],
  end: [
    { from: 523, to: 523, at: 0, length: 0.25, wave: "sine" },
    { from: 392, to: 392, at: 0.14, length: 0.4, wave: "sine" },
  ],
};
const VOLUME = 0.25;
const SILENCE = 0.001;

/** The sound of a move by its SAN. */
const soundOf = (san) => ({ "+": "check", "#": "end" })[san.at(-1)] ?? (san.includes("x") ? "capture" : "move");

export class Sounds {
  context = null;
  isTouched = false;

  constructor(match) {
    this.match = match;
    this.toggle = byId("play-sound-toggle");
    this.isOn = choices().sound;
    this.show();
    this.toggle.addEventListener("click", () => {
      this.isOn = !this.isOn;
      keepChoices({ sound: this.isOn });
      this.show();
      this.play("move");
    });
    for (const gesture of ["pointerdown", "keydown"]) {
      addEventListener(gesture, () => (this.isTouched = true), { capture: true, once: true });
    }
  }

  show() {
    this.toggle.setAttribute("aria-pressed", String(this.isOn));
  }

  /** Plays what belongs to a change of the match. */
  hear(change) {
    if (change === "moved") {
      this.play(soundOf(this.match.state.san.at(-1)));
    } else if (change === "ended") {
      this.play("end");
    }
  }

  play(name) {
    if (!this.isOn || !this.isTouched || !window.AudioContext) {
      return;
    }
    this.context ??= new AudioContext();
    // A browser that has not let it begin may do so now; one that forbids sounds stays silent.
    this.context.resume().catch(() => {});
    for (const tone of SOUNDS[name]) {
      this.sound(tone);
    }
  }

  sound({ from, to, at, length, wave }) {
    const { context } = this;
    const start = context.currentTime + at;
    const volume = new GainNode(context, { gain: VOLUME });
    const source = new OscillatorNode(context, { type: wave, frequency: from });
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, start + length);
    volume.gain.setValueAtTime(VOLUME, start);
    volume.gain.exponentialRampToValueAtTime(SILENCE, start + length);
    source.connect(volume).connect(context.destination);
    source.start(start);
    source.stop(start + length);
  }
}
