//! How engines are built: `touchstone.toml`. Pure.

use serde::Deserialize;

pub use queue::program::Recipe;

/// The name of the file at the root of a repository.
pub const FILE: &str = "touchstone.toml";
/// The longest command or path, in bytes.
const LONGEST: usize = 2000;

/// Checks of a recipe.
pub(super) trait RecipeCheck {
    /// The first field that is not valid, and what is expected; a recipe without a build command
    /// stands for that of the commit.
    fn check(&self) -> Result<(), (&'static str, &'static str)>;
    /// Whether it says how to build.
    fn is_given(&self) -> bool;
}

impl RecipeCheck for Recipe {
    fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let fields = [
            ("fetch", &self.fetch),
            ("build", &self.build),
            ("artefact", &self.artefact),
            ("bench", &self.bench),
        ];
        for (name, text) in fields {
            if text.len() > LONGEST || text.contains('\0') {
                return Err((name, "expected at most 2000 bytes"));
            }
        }
        let path = std::path::Path::new(&self.artefact);
        let is_inside = path
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        match (self.build.is_empty(), self.artefact.is_empty()) {
            (false, true) => Err(("artefact", "missing, expected the path of the executable")),
            (true, false) => Err(("build", "missing, expected a command")),
            _ if !is_inside => Err(("artefact", "expected a path inside the repository")),
            _ => Ok(()),
        }
    }

    fn is_given(&self) -> bool {
        !self.build.is_empty()
    }
}

#[derive(Deserialize)]
struct RecipeFile {
    engine: Recipe,
}

/// The recipe in the text of a `touchstone.toml`: its table `engine`.
///
/// # Errors
/// It is not TOML, has no such table, or the recipe is not valid; the message says where.
pub fn parse(text: &str) -> Result<Recipe, String> {
    let RecipeFile { engine } = toml::from_str(text).map_err(|error| format!("{FILE}: {error}"))?;
    engine
        .check()
        .map_err(|(field, expected)| format!("{FILE}: engine.{field}: {expected}"))?;
    if engine.is_given() {
        Ok(engine)
    } else {
        Err(format!("{FILE}: engine.build: missing, expected a command"))
    }
}

/// The bench of a commit, as engines write it into commit messages: the last line `Bench: N`.
pub fn bench_of(message: &str) -> Option<u64> {
    let bench = |line: &str| {
        let (word, rest) = line.trim().split_once(':')?;
        let digits: String = rest
            .trim()
            .chars()
            // Some engines print thousands with separators, such as `4,463,545`.
            .filter(|&c| c != ',' && c != '_')
            .collect();
        word.eq_ignore_ascii_case("bench")
            .then(|| digits.parse().ok())?
    };
    message.lines().rev().find_map(bench)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_recipe() {
        let text = "[engine]\nbuild = 'make -j'\nartefact = 'src/tool'\nbench = 'bench'\n";
        let recipe = parse(text).expect("a recipe");
        assert_eq!(
            (recipe.build.as_str(), recipe.artefact.as_str()),
            ("make -j", "src/tool")
        );
        for (text, expected) in [
            ("", "touchstone.toml: TOML parse error at line 1"),
            (
                "[engine]\nartefact = 'a'",
                "touchstone.toml: engine.build: missing, expected a command",
            ),
            (
                "[engine]\nbuild = 'make'",
                "touchstone.toml: engine.artefact: missing, expected",
            ),
            (
                "[engine]\nbuild = 'make'\nartefact = '../../bin/sh'",
                "touchstone.toml: engine.artefact: expected a path inside the repository",
            ),
            (
                "[engine]\nmake = 'x'",
                "touchstone.toml: TOML parse error at line 2",
            ),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn messages_have_the_bench() {
        let rows = [
            ("Tune\n\nBench: 1234567\n", Some(1_234_567)),
            ("bench: 1,234", Some(1234)),
            ("Bench: 1\n\nBench: 2", Some(2)),
            ("No functional change", None),
            ("Bench: many", None),
        ];
        for (message, expected) in rows {
            assert_eq!(bench_of(message), expected, "{message}");
        }
    }
}
