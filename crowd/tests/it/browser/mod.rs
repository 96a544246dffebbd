//! The pages in real browsers, against the real server: Chromium, driven through its `chromedriver`, and Firefox.
//!
//! They must be installed (Debian: `chromium-headless-shell`, `chromium-driver`, `firefox-esr`), and axe-core by
//! `npm ci --prefix crowd/npm`; `scripts/test` installs all of it. `CROWD_SCREENSHOTS=FOLDER` makes the test `every_page`
//! put pictures of what it sees into that folder.

mod accessibility;
mod cdp;
mod driver;
mod firefox;
mod language;
mod lists;
mod network;
mod page;
mod play;
mod scene;
mod server;
mod typed;
