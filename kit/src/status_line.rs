//! A line on standard error that changes, drawn by a thread of its own.
//!
//! A terminal may not take what is written for as long as it likes: Ctrl-S is enough. Who has something to
//! show must not wait for it, so the thread draws what is newest when it can, and what came in between
//! is never seen.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the line is drawn.
const EVERY: Duration = Duration::from_millis(100);
/// How long the end waits for a terminal.
const FAREWELL: Duration = Duration::from_millis(500);

/// The line, or nothing where nobody looks at it.
pub struct StatusLine(Option<Drawer>);

/// The thread that draws.
struct Drawer {
    newest: Arc<Mutex<Option<String>>>,
    /// Dropped to tell the thread that it is over.
    wanted: Sender<()>,
    /// Closed by the thread once the line is gone.
    gone: Receiver<()>,
}

impl StatusLine {
    /// A line on standard error, if that is a terminal and somebody wants it. The template is that of
    /// `indicatif`.
    ///
    /// # Panics
    ///
    /// If the template is not well formed.
    pub fn new(template: &str, is_wanted: bool) -> Self {
        if !is_wanted || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        // We set the pace: each draw is seen.
        let target = ProgressDrawTarget::stderr_with_hz(255);
        Self(Drawer::start(target, style))
    }

    /// Whether anybody looks at it.
    pub fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    /// Shows a text, soon. Never waits.
    pub fn show(&self, text: String) {
        if let Some(drawer) = &self.0 {
            *lock(&drawer.newest) = Some(text);
        }
    }

    /// Takes the line away. A terminal that takes nothing is not waited for.
    pub fn finish(&mut self) {
        if let Some(Drawer { wanted, gone, .. }) = self.0.take() {
            drop(wanted);
            // Either way it is over.
            let _ = gone.recv_timeout(FAREWELL);
        }
    }
}

impl Drawer {
    /// Without a thread there is no line: it is not worth a failure.
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

/// Draws until nobody wants it any more.
fn draw(bar: &ProgressBar, newest: &Mutex<Option<String>>, is_over: &Receiver<()>) {
    while is_over.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        // Taken out first: drawing may take for ever, and who shows must not wait for it.
        let text = lock(newest).take();
        if let Some(text) = text {
            bar.set_message(text);
        }
        bar.tick();
    }
    bar.finish_and_clear();
}

/// The text is whole whoever panicked.
fn lock(newest: &Mutex<Option<String>>) -> std::sync::MutexGuard<'_, Option<String>> {
    newest.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::time::Instant;

    use indicatif::TermLike;

    use super::*;

    /// A terminal that takes so many texts, and then none for ever.
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

    /// A line on a terminal with room for so many texts, and what is seen there.
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
        #[expect(clippy::disallowed_methods, reason = "a wait is tested")]
        let began = Instant::now();
        let (mut line, _) = line(1);
        for number in 0..100 {
            line.show(format!("text {number}"));
            std::thread::sleep(Duration::from_millis(5));
        }
        line.finish();
        assert!(began.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn the_newest_text_is_seen() {
        let (mut line, seen) = line(usize::MAX);
        for number in 0..=100 {
            line.show(format!("text {number}."));
        }
        std::thread::sleep(10 * EVERY);
        line.finish();
        let seen = seen.lock().expect("nobody panics");
        assert!(
            seen.contains("text 100.") && !seen.contains("text 5."),
            "{seen}"
        );
    }
}
