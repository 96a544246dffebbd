//! The pages of a lab in a real browser: Chromium, driven through its `chromedriver`, against a real
//! server on a private `PostgreSQL`.
//!
//! Both must be installed (Debian: `chromium-headless-shell`, `chromium-driver`), and axe-core by
//! `npm ci --prefix crowd/npm`; `scripts/test` installs all of it. `FLEET_SCREENSHOTS=FOLDER` makes
//! `every_page` put pictures of what it sees into that folder.

#[path = "../../../../crowd/tests/it/browser/cdp.rs"]
mod cdp;
#[path = "../../../../crowd/tests/it/browser/driver.rs"]
mod driver;
mod events;
mod every_page;
mod forms;
mod lab;
mod moving;
#[path = "../../../../crowd/tests/it/browser/page.rs"]
#[allow(dead_code, reason = "the boards of crowd have hands of their own")]
mod page;
mod people;
