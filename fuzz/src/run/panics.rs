//! Panics as texts, with where they came from.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use crate::target::Checked;

thread_local! {
    /// What the last panic of this thread said; `None` outside of [`catch`].
    static HEARD: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Has panics within [`catch`] noted in silence; all others are told as ever.
pub(super) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !note(panic) {
                before(panic);
            }
        }));
    });
}

/// Whether the panic is one that [`catch`] waits for.
fn note(panic: &PanicHookInfo<'_>) -> bool {
    HEARD.with_borrow_mut(|heard| match heard {
        Some(text) => {
            let place = panic.location().map(ToString::to_string);
            let said = panic.payload_as_str().unwrap_or_default();
            *text = format!("panicked at {}: {said}", place.unwrap_or_default());
            true
        }
        None => false,
    })
}

/// What a check says; a panic is an error.
pub(super) fn catch(check: impl FnOnce() -> Result<Checked, String>) -> Result<Checked, String> {
    HEARD.set(Some(String::new()));
    let checked = panic::catch_unwind(AssertUnwindSafe(check));
    let heard = HEARD.take().unwrap_or_default();
    checked.unwrap_or(Err(heard))
}
