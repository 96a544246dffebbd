//! CPU affinity of threads and of the engines they start.

use std::collections::BTreeSet;
use std::io;

/// The cores of this machine, each with its CPUs, limited to the CPUs that this process may use. On
/// Windows, these are at most the 64 of its processor group.
///
/// # Errors
///
/// When the system does not say, as on systems other than Linux and Windows.
pub fn cores() -> io::Result<Vec<BTreeSet<usize>>> {
    system::cores()
}

/// Pins this thread and all engines that it starts from now on.
///
/// # Errors
///
/// When the CPUs may not be used, or the system cannot do it.
pub fn pin(cpus: &[usize]) -> io::Result<()> {
    system::pin(cpus)
}

/// Lets this thread, and all engines that it starts from now on, use every CPU of this process again.
///
/// # Errors
///
/// As for [`pin`].
pub fn unpin() -> io::Result<()> {
    system::unpin()
}

/// The CPUs that were idle for most of a short time from now on; `None` where the system has no such count,
/// as on systems other than Linux.
pub fn idle() -> Option<BTreeSet<usize>> {
    system::idle()
}

/// The largest number of a CPU that is taken for one.
const MAX_CPU: usize = 1 << 14;

/// Parses a list of CPUs as Linux writes it, such as `0,4-5`. `None` if it is none, or names a CPU beyond
/// 16,384.
pub fn parse_list(text: &str) -> Option<BTreeSet<usize>> {
    let mut all = BTreeSet::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        if first > last || last > MAX_CPU {
            return None;
        }
        all.extend(first..=last);
    }
    Some(all)
}

/// The hundredths of a second that each CPU has worked, from the text of `/proc/stat`: all columns of
/// proc(5) but `idle`, `iowait`, `steal` and those of guests, which count as others already.
#[cfg(any(target_os = "linux", test))]
fn busy_ticks(stat: &str) -> Vec<(usize, u64)> {
    let of_line = |line: &str| {
        let mut words = line.strip_prefix("cpu")?.split(' ');
        let cpu = words.next()?.parse().ok()?;
        let ticks: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        let [user, nice, system, _idle, _iowait, irq, softirq, ..] = ticks[..] else {
            return None;
        };
        Some((cpu, user + nice + system + irq + softirq))
    };
    stat.lines().filter_map(of_line).collect()
}

#[cfg(windows)]
use super::os as system;

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeSet;
    use std::io;
    use std::path::Path;
    use std::time::Duration;

    use rustix::process::getpid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    pub(super) fn cores() -> io::Result<Vec<BTreeSet<usize>>> {
        let allowed = sched_getaffinity(None)?;
        let cpus = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu));
        let mut cores: Vec<BTreeSet<usize>> = Vec::new();
        for cpu in cpus {
            let siblings = siblings(cpu);
            let same = cores.iter_mut().find(|core| !core.is_disjoint(&siblings));
            if let Some(core) = same {
                core.insert(cpu);
            } else {
                cores.push(BTreeSet::from([cpu]));
            }
        }
        Ok(cores)
    }

    /// Processes inherit the affinity of the thread that starts them.
    pub(super) fn pin(cpus: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for &cpu in cpus {
            set.set(cpu);
        }
        Ok(sched_setaffinity(None, &set)?)
    }

    /// The process's first thread is never pinned.
    pub(super) fn unpin() -> io::Result<()> {
        let all = sched_getaffinity(Some(getpid()))?;
        Ok(sched_setaffinity(None, &all)?)
    }

    /// Long enough for a few ticks of the kernel's counters, which are hundredths of a second.
    const WINDOW: Duration = Duration::from_millis(60);

    #[expect(clippy::disallowed_methods, reason = "the edge looks at the machine")]
    pub(super) fn idle() -> Option<BTreeSet<usize>> {
        let busy = || {
            Some(super::busy_ticks(
                &std::fs::read_to_string("/proc/stat").ok()?,
            ))
        };
        let before = busy()?;
        std::thread::sleep(WINDOW);
        let after = busy()?;
        let was_idle = |&(cpu, ticks): &(usize, u64)| {
            let earlier = before.iter().find(|&&(other, _)| other == cpu);
            // A busy processor makes 6 ticks in this time.
            earlier.is_some_and(|(_, earlier)| ticks.saturating_sub(*earlier) < 3)
        };
        Some(
            after
                .into_iter()
                .filter(was_idle)
                .map(|(cpu, _)| cpu)
                .collect(),
        )
    }

    /// The CPUs of the same core; only `cpu` itself if they cannot be read.
    #[expect(clippy::disallowed_methods, reason = "the edge looks at the machine")]
    fn siblings(cpu: usize) -> BTreeSet<usize> {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        let text = std::fs::read_to_string(Path::new(&path)).unwrap_or_default();
        super::parse_list(text.trim()).unwrap_or_else(|| BTreeSet::from([cpu]))
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod system {
    use std::collections::BTreeSet;
    use std::io;

    pub(super) fn cores() -> io::Result<Vec<BTreeSet<usize>>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn pin(_: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn unpin() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn idle() -> Option<BTreeSet<usize>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_can_be_pinned_to_what_was_found() {
        let cores = super::cores().expect("Linux says");
        let cpu = *cores[0].iter().next().expect("a core has a CPU");
        let found = std::thread::spawn(move || {
            pin(&[cpu]).expect("it may be used");
            let pinned = super::cores().expect("Linux says");
            unpin().expect("all may be used");
            (pinned, super::cores().expect("Linux says"))
        });
        let (pinned, unpinned) = found.join().expect("no panic");
        assert_eq!(pinned, [BTreeSet::from([cpu])]);
        assert_eq!(unpinned, cores);
    }

    #[test]
    fn work_is_counted_as_linux_does() {
        let text = "cpu  35 6 9 900 30 1 2 9 0 0\ncpu0 20 5 4 500 20 1 0 4 0 0\n\
                    cpu11 15 1 5 400 10 0 2 5 0 0\nintr 1 2\n";
        assert_eq!(busy_ticks(text), [(0, 30), (11, 23)]);
    }

    #[test]
    fn lists_are_read_as_linux_writes_them() {
        let set = |cpus: &[usize]| Some(cpus.iter().copied().collect::<BTreeSet<_>>());
        assert_eq!(parse_list("0,4"), set(&[0, 4]));
        assert_eq!(parse_list("2-3,8"), set(&[2, 3, 8]));
        for bad in ["", "a-b", "3-2", "0,", "0-99999999999"] {
            assert_eq!(parse_list(bad), None, "{bad}");
        }
    }
}
