//! The worker thread, which owns the searcher and runs one job after the other; its clock.

use std::fmt::Display;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use engine::search::{RunningClock, STACK_BYTES, Searcher};

use crate::control::JobControl;
use crate::output::StandardOutput;

/// The final output of a job, in lines, or the reason of its failure.
pub(crate) type JobOutput = Result<Option<String>, String>;
type BoxedJob = Box<dyn FnOnce(&mut Searcher, &JobControl) -> JobOutput + Send>;

/// The handle of the worker thread.
#[derive(Debug)]
pub(crate) struct WorkerThread {
    work: Sender<(BoxedJob, Arc<JobControl>)>,
    thread: JoinHandle<()>,
}

impl WorkerThread {
    pub(crate) fn start(searcher: Searcher, output: Arc<StandardOutput>) -> io::Result<Self> {
        let (work, inbox) = channel();
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || run(searcher, &inbox, &output))?;
        Ok(Self { work, thread })
    }

    pub(crate) fn begin(
        &self,
        control: &Arc<JobControl>,
        work: impl FnOnce(&mut Searcher, &JobControl) -> JobOutput + Send + 'static,
    ) {
        self.work
            .send((Box::new(work), Arc::clone(control)))
            .expect("the thread takes work as long as its door exists");
    }

    /// Runs a short action on the searcher after the queued jobs, and waits for it.
    pub(crate) fn with_searcher<E: Display + 'static>(
        &self,
        work: impl FnOnce(&mut Searcher) -> Result<(), E> + Send + 'static,
    ) -> Result<(), String> {
        let (answer, inbox) = channel();
        let control = Arc::new(JobControl::of_chore());
        self.begin(&control, move |searcher, _| {
            let result = work(searcher).map_err(|error| error.to_string());
            answer.send(result).expect("the answer is waited for");
            Ok(None)
        });
        inbox.recv().expect("every piece of work is done")
    }

    /// Lets the thread finish its jobs and joins it.
    pub(crate) fn join(self) {
        drop(self.work);
        // A panic of the thread has already aborted the process.
        let _ = self.thread.join();
    }
}

fn run(
    mut searcher: Searcher,
    inbox: &Receiver<(BoxedJob, Arc<JobControl>)>,
    output: &StandardOutput,
) {
    let _guard = AbortOnPanic;
    for (work, control) in inbox {
        let answer = work(&mut searcher, &control);
        control.begin_to_answer();
        match answer {
            Ok(Some(lines)) => output.say(lines),
            Ok(None) => {}
            Err(error) => {
                control.fail();
                output.info(error);
            }
        }
        control.finish();
    }
}

/// Aborts on a panic: for a GUI waiting for `bestmove`, a crash is better than silence.
struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            std::process::abort();
        }
    }
}

/// The time since a line was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SinceLine(Instant);

impl SinceLine {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the clock"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl RunningClock for SinceLine {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
