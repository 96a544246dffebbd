//! A changing line on standard error, drawn by its own thread.
//!
//! A terminal may block writes for any length of time; Ctrl-S is enough. Callers must not wait for
//! it, so the thread draws the newest text when it can and skips older ones.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Interval between drawings.
const EVERY: Duration = Duration::from_millis(100);
/// How long to wait for a blocked terminal at the end.
const FAREWELL: Duration = Duration::from_millis(500);

/// The status line; empty if there is no terminal.
pub struct StatusLine(Option<Drawer>);

/// The drawing thread.
struct Drawer {
    newest: Arc<Mutex<Option<String>>>,
    /// Dropped to end the thread.
    wanted: Sender<()>,
    /// Closed by the thread once the line is removed.
    gone: Receiver<()>,
}

impl StatusLine {
    /// A line on standard error, if that is a terminal and `is_wanted`. The template is in the
    /// syntax of `indicatif`.
    ///
    /// # Panics
    ///
    /// If the template is malformed.
    pub fn new(template: &str, is_wanted: bool) -> Self {
        if !is_wanted || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        // The thread limits the rate itself, so every drawing must be shown.
        let target = ProgressDrawTarget::stderr_with_hz(255);
        Self(Drawer::start(target, style))
    }

    /// Whether the line is shown.
    pub fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    /// Number of columns of the terminal, if the line is shown.
    pub fn columns(&self) -> Option<usize> {
        self.0.as_ref()?;
        // Of standard error, like the line.
        Some(usize::from(indicatif::TermLike::width(
            &console::Term::stderr(),
        )))
    }

    /// Shows a text soon, without blocking.
    pub fn show(&self, text: String) {
        if let Some(drawer) = &self.0 {
            *lock(&drawer.newest) = Some(text);
        }
    }

    /// Removes the line. Does not wait for a blocked terminal.
    pub fn finish(&mut self) {
        if let Some(Drawer { wanted, gone, .. }) = self.0.take() {
            drop(wanted);
            // Continue in either case.
            let _ = gone.recv_timeout(FAREWELL);
        }
    }
}

impl Drawer {
    /// Without a thread there is no line, which is not worth an error.
    fn start(target: ProgressDrawTarget, style: ProgressStyle) -> Option<Self> {
        let newest = Arc::new(Mutex::new(None));
        let (wanted, is_over) = channel();
        let (alive, gone) = channel();
        let texts = Arc::clone(&newest);
        let draw = move || {
            let bar = ProgressBar::with_draw_target(None, target);
            bar.set_style(style);
            draw(&bar, &texts, &is_over);
            drop(alive);
        };
        let thread = std::thread::Builder::new().name("status line".to_owned());
        thread.spawn(draw).ok()?;
        Some(Self {
            newest,
            wanted,
            gone,
        })
    }
}

/// Draws until the line is dropped.
fn draw(bar: &ProgressBar, newest: &Mutex<Option<String>>, is_over: &Receiver<()>) {
    while is_over.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        // Taken out first: drawing may block forever, and callers of `show` must not wait for it.
        let text = lock(newest).take();
        if let Some(text) = text {
            bar.set_message(text);
        }
        bar.tick();
    }
    bar.finish_and_clear();
}

/// The text is valid even if another thread has panicked.
fn lock(newest: &Mutex<Option<String>>) -> std::sync::MutexGuard<'_, Option<String>> {
    newest.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io;

    use indicatif::TermLike;

    use super::*;

    /// A terminal that accepts this many texts and then blocks forever.
    #[derive(Debug)]
    struct Stuck {
        room: Mutex<usize>,
        seen: Arc<Mutex<String>>,
    }

    impl Stuck {
        fn take(&self, text: &str) {
            let mut room = self.room.lock().expect("nobody panics");
            if *room == 0 {
                loop {
                    std::thread::park();
                }
            }
            *room -= 1;
            self.seen.lock().expect("nobody panics").push_str(text);
        }
    }

    impl TermLike for Stuck {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.take(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A line on a terminal that accepts this many texts, and the text shown there.
    fn line(room: usize) -> (StatusLine, Arc<Mutex<String>>) {
        let seen = Arc::new(Mutex::new(String::new()));
        let terminal = Stuck {
            room: Mutex::new(room),
            seen: Arc::clone(&seen),
        };
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal), 255);
        let style = ProgressStyle::with_template("{wide_msg}").expect("well formed");
        (StatusLine(Drawer::start(target, style)), seen)
    }

    #[test]
    fn a_terminal_that_is_stuck_is_not_waited_for() {
        let (mut line, _) = line(1);
        for number in 0..100 {
            line.show(format!("text {number}"));
            std::thread::sleep(Duration::from_millis(5));
        }
        // That it returns is all.
        line.finish();
    }

    #[test]
    fn the_newest_text_is_seen() {
        let wait = || std::thread::sleep(Duration::from_millis(5));
        let (mut line, seen) = line(usize::MAX);
        // The terminal waits for this lock, in the middle of the first drawing.
        let terminal = seen.lock().expect("nobody panics");
        line.show("first.".to_owned());
        while lock(&line.0.as_ref().expect("a thread").newest).is_some() {
            wait();
        }
        for number in 0..=100 {
            line.show(format!("text {number}."));
        }
        drop(terminal);
        while !seen.lock().expect("nobody panics").contains("text 100.") {
            wait();
        }
        line.finish();
        let seen = seen.lock().expect("nobody panics");
        assert!(
            seen.contains("first.") && !seen.contains("text 5."),
            "{seen}"
        );
    }
}
