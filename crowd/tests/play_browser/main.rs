//! `/play` in a real browser: Chromium, driven by Debian's `chromium-driver`.

mod access;
mod browser;
mod engine;
mod people;
mod positions;
mod texts;
