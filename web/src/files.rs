//! How many connections the process's limit of open files has room for.

/// Files that a server needs for other things: its database, its log, files that are read.
#[cfg(unix)]
const OTHERS: u64 = 128;

/// Raises the process's limit of open files, as far as the system allows, to have room for `wanted`
/// connections; returns how many there is room for, at most `wanted`, at least one.
#[cfg(unix)]
pub fn room_for(wanted: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let needed = u64::try_from(wanted)
        .unwrap_or(u64::MAX)
        .saturating_add(OTHERS);
    // A process may raise its soft limit up to the hard one without privileges (getrlimit(2)).
    let raised = Rlimit {
        current: Some(limit.maximum.unwrap_or(u64::MAX).min(needed)),
        maximum: limit.maximum,
    };
    // None is no limit.
    let is_short = limit.current.is_some_and(|current| current < needed);
    let files = if is_short && setrlimit(Resource::Nofile, raised).is_ok() {
        raised.current
    } else {
        limit.current
    };
    let room = files.unwrap_or(u64::MAX).saturating_sub(OTHERS);
    usize::try_from(room)
        .unwrap_or(usize::MAX)
        .clamp(1, wanted.max(1))
}

/// This platform has no such limit.
#[cfg(not(unix))]
pub fn room_for(wanted: usize) -> usize {
    wanted.max(1)
}

#[cfg(test)]
mod tests {
    use super::room_for;

    #[test]
    fn there_is_room_for_some_and_never_for_more_than_wanted() {
        assert_eq!(room_for(0), 1);
        assert_eq!(room_for(8), 8);
        assert!(room_for(usize::MAX) >= 8);
    }
}
