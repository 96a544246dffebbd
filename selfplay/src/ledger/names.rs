//! Names of directories and files. Pure.

use super::date::UtcTime;

/// The default name of a run directory: the start time and the engines.
///
/// ```
/// use selfplay::ledger::{UtcTime, default_name};
///
/// let began = UtcTime::of_milliseconds(1_234_567_890_000);
/// assert_eq!(default_name(began, ["new/1", "base"]), "selfplay-20090213-233130-new_1-base");
/// ```
pub fn default_name<'a>(began: UtcTime, engines: impl IntoIterator<Item = &'a str>) -> String {
    const MAX_NAMES: usize = 2;
    let names: Vec<String> = engines.into_iter().map(plain).collect();
    let UtcTime {
        year,
        month,
        day,
        hour,
        minute,
        second,
    } = began;
    let mut name = format!("selfplay-{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}");
    for engine in names.iter().take(MAX_NAMES) {
        name = name + "-" + engine;
    }
    if names.len() > MAX_NAMES {
        name = format!("{name}-and-{}", names.len() - MAX_NAMES);
    }
    name
}

/// The path of the transcript of a game that ended by a fault, relative to the run directory.
pub fn failure_name(game: u64) -> String {
    format!("failures/game-{:06}.txt", game + 1)
}

/// Replaces characters that not every file system allows in names.
fn plain(name: &str) -> String {
    const MAX_CHARS: usize = 30;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let chars = name.chars().take(MAX_CHARS);
    chars.map(|c| if is_plain(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        let began = UtcTime::of_milliseconds(0);
        let long = "x".repeat(100);
        assert_eq!(
            default_name(began, [&*long, "ä b", "c", "d"]),
            format!("selfplay-19700101-000000-{}-__b-and-2", "x".repeat(30))
        );
        assert_eq!(failure_name(16), "failures/game-000017.txt");
    }
}
