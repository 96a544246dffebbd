//! Signals that end a server.

use std::io;
#[cfg(unix)]
use std::time::Duration;

use tokio::sync::watch;
#[cfg(unix)]
use tokio::time::Instant;

/// Signals closer together count as one: some senders signal both a process and its group.
#[cfg(unix)]
const APART: Duration = Duration::from_millis(500);

/// What ends a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C, SIGINT.
    Interrupt,
    /// SIGTERM, as service managers send it.
    Terminate,
}

/// The signals received, in order; clones share them.
#[derive(Clone, Debug)]
pub struct Signals(watch::Receiver<Vec<Signal>>);

impl Signals {
    /// Listens until the runtime ends.
    ///
    /// # Errors
    /// The system does not permit it.
    pub fn listen() -> io::Result<Self> {
        let (sender, receiver) = watch::channel(Vec::new());
        collect(sender)?;
        Ok(Self(receiver))
    }

    /// Waits until so many have been received.
    pub async fn until(mut self, count: usize) {
        if self.0.wait_for(|come| come.len() >= count).await.is_err() {
            // The sender is gone: the program ends in another way.
            std::future::pending::<()>().await;
        }
    }

    /// The first one received.
    pub fn first(&self) -> Option<Signal> {
        self.0.borrow().first().copied()
    }
}

#[cfg(unix)]
fn collect(sender: watch::Sender<Vec<Signal>>) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupts = signal(SignalKind::interrupt())?;
    let mut ends = signal(SignalKind::terminate())?;
    tokio::spawn(async move {
        let mut last: Option<Instant> = None;
        loop {
            let received = tokio::select! {
                Some(()) = interrupts.recv() => Signal::Interrupt,
                Some(()) = ends.recv() => Signal::Terminate,
                else => break,
            };
            let now = Instant::now();
            if last.is_none_or(|last| now.duration_since(last) >= APART) {
                sender.send_modify(|come| come.push(received));
            }
            last = Some(now);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn collect(sender: watch::Sender<Vec<Signal>>) -> io::Result<()> {
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            sender.send_modify(|come| come.push(Signal::Interrupt));
        }
    });
    Ok(())
}
