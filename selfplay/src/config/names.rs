//! Default names of engines. Pure.

use std::ffi::OsStr;
use std::path::Path;

use super::engine::{EngineDraft, REVISION, Side};
use super::error::ConfigError;

/// The names of all engines. Given names must differ. Other engines are named after their program,
/// or their revision and its commit; if that name is taken, the two sides of a match are named
/// after their sides, and other engines get a number.
pub(super) fn names(drafts: &[EngineDraft]) -> Result<Vec<String>, ConfigError> {
    let given: Vec<Option<&str>> = drafts.iter().map(|one| one.name.as_deref()).collect();
    check_given(&given)?;
    let labels: Vec<String> = drafts.iter().map(label).collect();
    let mut names: Vec<String> = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        let label = &labels[index];
        let others = labels.iter().zip(&given).enumerate();
        let is_shared = others
            .filter(|(other, _)| *other != index)
            .any(|(_, (other, given))| given.unwrap_or(other) == label);
        let side = draft.side.filter(|_| is_shared).map(Side::as_str);
        let is_free =
            |name: &String| !names.contains(name) && !given.contains(&Some(name.as_str()));
        let numbered = (2..).map(|number| format!("{label}-{number}"));
        let own = || {
            let side = side.map(ToOwned::to_owned).into_iter();
            let mut all = side.chain([label.clone()]).chain(numbered);
            all.find(is_free)
                .expect("there are more numbers than engines")
        };
        names.push(draft.name.clone().unwrap_or_else(own));
    }
    Ok(names)
}

fn check_given(given: &[Option<&str>]) -> Result<(), ConfigError> {
    for (second, name) in given.iter().enumerate() {
        let Some(name) = name else { continue };
        if let Some(first) = given[..second].iter().position(|one| *one == Some(name)) {
            return Err(ConfigError::SameName {
                first: first + 1,
                second: second + 1,
                name: (*name).to_owned(),
            });
        }
    }
    Ok(())
}

/// Default name of an engine, regardless of the others.
fn label(draft: &EngineDraft) -> String {
    const SHORT_HASH: usize = 7;
    let cmd = draft.cmd.as_deref().unwrap_or("?");
    let Some(reference) = cmd.strip_prefix(REVISION) else {
        let name = Path::new(cmd).file_stem().map(OsStr::to_string_lossy);
        return name.map_or_else(|| cmd.to_owned(), std::borrow::Cow::into_owned);
    };
    let Some(commit) = &draft.commit else {
        return reference.to_owned();
    };
    let short = commit.get(..SHORT_HASH).unwrap_or(commit);
    if commit.starts_with(reference) {
        return short.to_owned();
    }
    format!("{reference}-{short}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of engines, the first two of which are the sides of a match.
    fn named(texts: &[&str]) -> Vec<String> {
        let mut drafts: Vec<EngineDraft> = texts
            .iter()
            .map(|text| text.parse().expect("an engine"))
            .collect();
        drafts[0].side = Some(Side::New);
        drafts[1].side = Some(Side::Base);
        for draft in &mut drafts {
            draft.commit = Some("0123456789abcdef".to_owned());
        }
        names(&drafts).expect("names that differ")
    }

    #[test]
    fn sides_are_called_by_what_tells_them_apart() {
        let rows = [
            (["cmd=x/new-engine", "cmd=y/old"], ["new-engine", "old"]),
            (["cmd=x/a", "cmd=y/a"], ["new", "base"]),
            (["cmd=x/a name=b", "cmd=y/b"], ["b", "base"]),
            (["cmd=a name=base", "cmd=base"], ["base", "base-2"]),
            (
                ["cmd=rev:HEAD", "cmd=rev:v1"],
                ["HEAD-0123456", "v1-0123456"],
            ),
            (
                ["cmd=rev:01234567", "cmd=stockfish"],
                ["0123456", "stockfish"],
            ),
            (["cmd=rev:HEAD", "cmd=rev:HEAD"], ["new", "base"]),
        ];
        for (texts, expected) in rows {
            assert_eq!(named(&texts), expected, "{texts:?}");
        }
        let three = named(&["cmd=a", "cmd=b", "cmd=a"]);
        assert_eq!(three, ["new", "b", "a"]);
    }
}
