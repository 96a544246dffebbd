//! The thread that works: it owns the searcher, and does one piece of work after the other.

use std::fmt::Display;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use engine::search::{STACK_BYTES, Searcher};

use crate::control::Control;
use crate::output::Output;

/// What a piece of work says last, in lines; or why it could not be done.
pub(crate) type LastWords = Result<Option<String>, String>;
type Work = Box<dyn FnOnce(&mut Searcher, &Control) -> LastWords + Send>;

/// The door to the thread.
#[derive(Debug)]
pub(crate) struct Worker {
    work: Sender<(Work, Arc<Control>)>,
    thread: JoinHandle<()>,
}

impl Worker {
    /// Starts the thread.
    pub(crate) fn start(searcher: Searcher, output: Arc<Output>) -> io::Result<Self> {
        let (work, inbox) = channel();
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || run(searcher, &inbox, &output))?;
        Ok(Self { work, thread })
    }

    /// Begins a piece of work, after those before it.
    pub(crate) fn begin(
        &self,
        control: &Arc<Control>,
        work: impl FnOnce(&mut Searcher, &Control) -> LastWords + Send + 'static,
    ) {
        self.work
            .send((Box::new(work), Arc::clone(control)))
            .expect("the thread takes work as long as its door exists");
    }

    /// Does something short with the searcher, after the work before it, and waits for it.
    pub(crate) fn with_searcher<E: Display + 'static>(
        &self,
        work: impl FnOnce(&mut Searcher) -> Result<(), E> + Send + 'static,
    ) -> Result<(), String> {
        let (answer, inbox) = channel();
        let control = Arc::new(Control::of_chore());
        self.begin(&control, move |searcher, _| {
            let result = work(searcher).map_err(|error| error.to_string());
            answer.send(result).expect("the answer is waited for");
            Ok(None)
        });
        inbox.recv().expect("every piece of work is done")
    }

    /// Lets the thread come to its end after the work begun, and waits for it.
    pub(crate) fn join(self) {
        drop(self.work);
        // A panic of the thread has ended the process.
        let _ = self.thread.join();
    }
}

fn run(mut searcher: Searcher, inbox: &Receiver<(Work, Arc<Control>)>, output: &Output) {
    let _guard = AbortOnPanic;
    for (work, control) in inbox {
        let last_words = work(&mut searcher, &control);
        control.begin_to_answer();
        match last_words {
            Ok(Some(lines)) => output.say(lines),
            Ok(None) => {}
            Err(error) => {
                control.fail();
                output.tell(error);
            }
        }
        control.finish();
    }
}

/// Whoever waits for a `bestmove` is better served by a crash than by silence.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            std::process::abort();
        }
    }
}
