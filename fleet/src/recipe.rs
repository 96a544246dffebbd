//! How engines are built: the recipe that a repository has at the lab, or in its `touchstone.toml`. Pure.

use std::path::Component;

use queue::program::Recipe;
use serde::Deserialize;

/// The name of the file at the root of a repository.
pub const FILE: &str = "touchstone.toml";
/// The longest command or path, in bytes.
const LONGEST: usize = 2000;

/// A field of a recipe that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {expected}")]
pub struct RecipeFault {
    /// The name of the field.
    pub field: &'static str,
    /// The fault, and the expected value.
    pub expected: &'static str,
}

/// Checks a recipe that says how to build, and returns the arguments of its bench.
///
/// # Errors
/// The first field that is not valid.
pub fn check(recipe: &Recipe) -> Result<Vec<String>, RecipeFault> {
    let fault = |field, expected| Err(RecipeFault { field, expected });
    let fields = [
        ("fetch", &recipe.fetch),
        ("build", &recipe.build),
        ("artefact", &recipe.artefact),
        ("bench", &recipe.bench),
    ];
    for (field, text) in fields {
        // Commands are arguments of a shell, and no argument of a program contains a NUL.
        if text.len() > LONGEST || text.contains('\0') {
            return fault(field, "expected at most 2000 bytes, without NUL");
        }
    }
    if recipe.build.trim().is_empty() {
        return fault("build", "missing, expected a command");
    }
    if recipe.artefact.trim().is_empty() {
        return fault("artefact", "missing, expected the path of the executable");
    }
    let path = std::path::Path::new(&recipe.artefact);
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !path.components().all(is_inside) {
        return fault("artefact", "expected a path inside the repository");
    }
    shlex::split(&recipe.bench).ok_or(RecipeFault {
        field: "bench",
        expected: "expected arguments, whose quotation marks are closed",
    })
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
    check(&engine).map_err(|fault| format!("{FILE}: engine.{fault}"))?;
    Ok(engine)
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
    fn recipes_are_checked() {
        let recipe = |build: &str, artefact: &str, bench: &str| Recipe {
            fetch: String::new(),
            build: build.to_owned(),
            artefact: artefact.to_owned(),
            bench: bench.to_owned(),
        };
        let found = check(&recipe("make", "./src/engine", "bench '1 2'"));
        assert_eq!(found, Ok(vec!["bench".to_owned(), "1 2".to_owned()]));
        let path = "artefact: expected a path inside the repository";
        let rows = [
            (recipe(" ", "x", ""), "build: missing, expected a command"),
            (
                recipe("make", " ", ""),
                "artefact: missing, expected the path of the executable",
            ),
            (recipe("make", "../x", ""), path),
            (recipe("make", "/bin/sh", ""), path),
            (
                recipe("make", "x", "'bench"),
                "bench: expected arguments, whose quotation marks are closed",
            ),
            (
                recipe(&"x".repeat(2001), "x", ""),
                "build: expected at most 2000 bytes, without NUL",
            ),
        ];
        for (recipe, expected) in rows {
            assert_eq!(check(&recipe).expect_err("a fault").to_string(), expected);
        }
    }
}
