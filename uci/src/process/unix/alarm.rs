//! `poll` with a time limit.
//!
//! To arm and disarm a timer in each call costs as much as all the rest of the wait for an engine
//! that answers soon. On Linux, each thread therefore has a timer that is left armed: it ends a
//! wait after the time that it was set for, or an earlier one.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

/// A pipe and the events to wait for.
pub(super) type Pipe<'fd> = (BorrowedFd<'fd>, PollFlags);

/// Waits for an event of one or two pipes, at most for a time and sometimes less. Returns whether
/// the first has one.
pub(super) fn poll(pipes: &[Pipe<'_>], time: Duration) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    if !time.is_zero()
        && let Some(waited) = timer::poll(pipes, time)
    {
        return waited;
    }
    poll_until(pipes, Some(time))
}

fn poll_until(pipes: &[Pipe<'_>], time: Option<Duration>) -> io::Result<bool> {
    let fds = pipes
        .iter()
        .map(|&(fd, flags)| PollFd::from_borrowed_fd(fd, flags));
    let mut fds: ArrayVec<PollFd, 3> = fds.collect();
    let timeout = time.map(Timespec::try_from).transpose();
    let timeout = timeout.map_err(io::Error::other)?;
    match rustix::event::poll(&mut fds, timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(!fds[0].revents().is_empty()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(target_os = "linux")]
mod timer {
    use std::cell::RefCell;
    use std::io;
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::time::{Duration, Instant};

    use arrayvec::ArrayVec;
    use rustix::event::{PollFlags, Timespec};
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create,
        timerfd_settime,
    };

    use super::{Pipe, poll_until};
    use crate::process::now;

    struct Timer {
        fd: OwnedFd,
        /// When it is due, or was since it was armed last.
        due: Option<Instant>,
    }

    thread_local! {
        /// `None` if the system has no more timers.
        static TIMER: RefCell<Option<Timer>> = RefCell::new(Timer::new().ok());
    }

    /// Polls with the timer of this thread; `None` if it has none.
    pub(super) fn poll(pipes: &[Pipe<'_>], time: Duration) -> Option<io::Result<bool>> {
        TIMER.with_borrow_mut(|timer| timer.as_mut().map(|timer| timer.poll(pipes, time)))
    }

    impl Timer {
        fn new() -> io::Result<Self> {
            let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
            let fd = timerfd_create(TimerfdClockId::Monotonic, flags)?;
            Ok(Self { fd, due: None })
        }

        fn poll(&mut self, pipes: &[Pipe<'_>], time: Duration) -> io::Result<bool> {
            let now = now();
            let due = now + time;
            // One that has rung while nobody waited ends the next wait at once, unless armed anew.
            if self
                .due
                .is_none_or(|earlier| earlier <= now || earlier > due)
            {
                let once = Itimerspec {
                    it_interval: Timespec::default(),
                    it_value: Timespec::try_from(time).map_err(io::Error::other)?,
                };
                timerfd_settime(&self.fd, TimerfdTimerFlags::empty(), &once)?;
                self.due = Some(due);
            }
            let mut all: ArrayVec<Pipe, 3> = pipes.iter().copied().collect();
            all.push((self.fd.as_fd(), PollFlags::IN));
            poll_until(&all, None)
        }
    }
}
