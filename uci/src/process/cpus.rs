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

#[cfg(windows)]
use super::os as system;

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeSet;
    use std::io;
    use std::path::Path;

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

    /// The CPUs of the same core; only `cpu` itself if they cannot be read.
    #[expect(clippy::disallowed_methods, reason = "the edge looks at the machine")]
    fn siblings(cpu: usize) -> BTreeSet<usize> {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        let text = std::fs::read_to_string(Path::new(&path)).unwrap_or_default();
        parse_list(text.trim()).unwrap_or_else(|| BTreeSet::from([cpu]))
    }

    /// Parses a CPU list in Linux syntax, such as `0,4-5`.
    fn parse_list(text: &str) -> Option<BTreeSet<usize>> {
        let mut all = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            all.extend(first..=last);
        }
        Some(all)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn lists_are_read_as_linux_writes_them() {
            let set = |cpus: &[usize]| Some(cpus.iter().copied().collect::<BTreeSet<_>>());
            assert_eq!(parse_list("0,4"), set(&[0, 4]));
            assert_eq!(parse_list("2-3,8"), set(&[2, 3, 8]));
            assert_eq!(parse_list(""), None);
            assert_eq!(parse_list("a-b"), None);
        }
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
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_can_be_pinned_to_what_was_found() {
        let cores = super::cores().expect("Linux says");
        let cpu = *cores[0].iter().next().expect("a core has a CPU");
        let found = std::thread::spawn(move || {
            pin(&[cpu]).expect("it may be used");
            super::cores().expect("Linux says")
        });
        assert_eq!(found.join().expect("no panic"), [BTreeSet::from([cpu])]);
    }
}
