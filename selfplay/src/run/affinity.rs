//! CPU affinity of workers and of the engines they start.

use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::path::Path;

/// Assigns `threads` CPUs to each of `games` workers: first one CPU of every core, so that games
/// share a core only when cores run out, then the siblings. `None` if there are too few CPUs.
///
/// `cores` holds the usable CPUs of each core. Pure.
pub(crate) fn choose(
    cores: &[BTreeSet<usize>],
    games: usize,
    threads: usize,
) -> Option<Vec<Vec<usize>>> {
    let most = cores.iter().map(BTreeSet::len).max().unwrap_or(0);
    // The first of every core, then the second of every core, and so on.
    let nth = |n| {
        cores
            .iter()
            .filter_map(move |core| core.iter().nth(n).copied())
    };
    let in_order: Vec<usize> = (0..most).flat_map(nth).collect();
    let chosen: Vec<Vec<usize>> = in_order
        .chunks_exact(threads)
        .take(games)
        .map(<[usize]>::to_vec)
        .collect();
    (chosen.len() == games).then_some(chosen)
}

/// The cores of this machine, limited to the CPUs this process may use.
///
/// # Errors
///
/// If the affinity of this process cannot be read.
#[cfg(target_os = "linux")]
pub(crate) fn cores() -> std::io::Result<Vec<BTreeSet<usize>>> {
    let allowed = rustix::thread::sched_getaffinity(None)?;
    let cpus = (0..rustix::thread::CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu));
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

/// Pins this thread and all processes it starts from now on.
///
/// # Errors
///
/// If the system call fails.
#[cfg(target_os = "linux")]
pub(crate) fn pin(cpus: &[usize]) -> std::io::Result<()> {
    let mut set = rustix::thread::CpuSet::new();
    for &cpu in cpus {
        set.set(cpu);
    }
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

/// The CPUs of the same core; only `cpu` itself if they cannot be read.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the edge looks at the machine")]
fn siblings(cpu: usize) -> BTreeSet<usize> {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    let text = std::fs::read_to_string(Path::new(&path)).unwrap_or_default();
    parse_list(text.trim()).unwrap_or_else(|| BTreeSet::from([cpu]))
}

/// Parses a CPU list in Linux syntax, such as `0,4-5`.
#[cfg(target_os = "linux")]
fn parse_list(text: &str) -> Option<BTreeSet<usize>> {
    let mut all = BTreeSet::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        all.extend(first..=last);
    }
    Some(all)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn cores() -> std::io::Result<Vec<BTreeSet<usize>>> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn pin(_cpus: &[usize]) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(cpus: &[&[usize]]) -> Vec<BTreeSet<usize>> {
        cpus.iter()
            .map(|core| core.iter().copied().collect())
            .collect()
    }

    #[test]
    fn siblings_come_last() {
        let four = cores(&[&[0, 4], &[1, 5], &[2], &[3, 7]]);
        let one = |cpus: &[usize]| cpus.iter().map(|&cpu| vec![cpu]).collect::<Vec<_>>();
        assert_eq!(choose(&four, 4, 1), Some(one(&[0, 1, 2, 3])));
        assert_eq!(choose(&four, 7, 1), Some(one(&[0, 1, 2, 3, 4, 5, 7])));
        assert_eq!(choose(&four, 8, 1), None);
        assert_eq!(
            choose(&four, 3, 2),
            Some(vec![vec![0, 1], vec![2, 3], vec![4, 5]])
        );
        assert_eq!(choose(&four, 4, 2), None);
        assert_eq!(choose(&[], 1, 1), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lists_are_read_as_linux_writes_them() {
        let set = |cpus: &[usize]| Some(cpus.iter().copied().collect::<BTreeSet<_>>());
        assert_eq!(parse_list("0,4"), set(&[0, 4]));
        assert_eq!(parse_list("2-3,8"), set(&[2, 3, 8]));
        assert_eq!(parse_list(""), None);
        assert_eq!(parse_list("a-b"), None);
    }

    #[cfg(target_os = "linux")]
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
