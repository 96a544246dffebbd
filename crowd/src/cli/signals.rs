use std::future::Future;

use anyhow::Context as _;
use kit::Exit;
use tokio::sync::watch;
#[cfg(unix)]
use tokio::time::{Duration, Instant};

/// Signals closer together count as one: some senders signal both a process and its group.
#[cfg(unix)]
const APART: Duration = Duration::from_millis(500);

/// The termination signals received, in order; clones share them.
#[derive(Clone, Debug)]
pub(super) struct Signals(watch::Receiver<Vec<Exit>>);

impl Signals {
    /// Listens until the runtime ends.
    pub(super) fn listen() -> anyhow::Result<Self> {
        let (sender, receiver) = watch::channel(Vec::new());
        collect(sender).context("cannot listen to signals")?;
        Ok(Self(receiver))
    }

    /// Waits for the first signal.
    pub(super) fn first(&self) -> impl Future<Output = ()> + Send + use<> {
        self.clone().until(1)
    }

    /// Waits for a second signal.
    pub(super) fn second(&self) -> impl Future<Output = ()> + Send + use<> {
        self.clone().until(2)
    }

    async fn until(mut self, count: usize) {
        if self.0.wait_for(|come| come.len() >= count).await.is_err() {
            // The sender is gone: the program ends in another way.
            std::future::pending::<()>().await;
        }
    }

    /// The exit code of the first signal.
    pub(super) fn exit(&self) -> Exit {
        self.0.borrow().first().copied().unwrap_or(Exit::Agreed)
    }
}

#[cfg(unix)]
fn collect(sender: watch::Sender<Vec<Exit>>) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupts = signal(SignalKind::interrupt())?;
    let mut ends = signal(SignalKind::terminate())?;
    tokio::spawn(async move {
        let mut last: Option<Instant> = None;
        loop {
            let exit = tokio::select! {
                Some(()) = interrupts.recv() => Exit::Interrupted,
                Some(()) = ends.recv() => Exit::Agreed,
                else => break,
            };
            let now = Instant::now();
            if last.is_none_or(|last| now.duration_since(last) >= APART) {
                sender.send_modify(|come| come.push(exit));
            }
            last = Some(now);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn collect(sender: watch::Sender<Vec<Exit>>) -> std::io::Result<()> {
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            sender.send_modify(|come| come.push(Exit::Interrupted));
        }
    });
    Ok(())
}
