//! Lists the live processes of a process group.

/// Live processes of a group, including its leader; `None` where the system does not report them.
/// Processes that have exited but have not been reaped are not counted.
#[cfg(target_os = "linux")]
pub(super) fn living(group: u32) -> Option<Vec<u32>> {
    let entries = std::fs::read_dir("/proc").ok()?;
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    Some(numbers.filter(|&number| is_in(number, group)).collect())
}

/// Not supported on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn living(_group: u32) -> Option<Vec<u32>> {
    None
}

#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the kernel tells it in files")]
fn is_in(process: u32, group: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| is_living_member(&stat, group))
}

/// Parses `/proc/…/stat`: pid, name in parentheses, state, parent, group. The name may contain
/// anything, including parentheses.
#[cfg(target_os = "linux")]
fn is_living_member(stat: &str, group: u32) -> bool {
    let Some((_, fields)) = stat.rsplit_once(')') else {
        return false;
    };
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next().unwrap_or("Z");
    let its_group = fields.nth(1).and_then(|field| field.parse().ok());
    its_group == Some(group) && !matches!(state, "Z" | "X")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn members_live() {
        let rows = [
            ("7 (a b) c) S 1 5 5 0", 5, true),
            ("7 (a) R 1 5 5 0", 6, false),
            ("7 (a) Z 1 5 5 0", 5, false),
            ("", 5, false),
        ];
        for (stat, group, expected) in rows {
            assert_eq!(is_living_member(stat, group), expected, "{stat}");
        }
    }
}
