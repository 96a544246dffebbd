//! `touchstone.toml`: how an engine is built, in its own repository. Pure.

use std::path::{Component, Path};

use queue::program::Recipe;
use serde::Deserialize;

/// The name of the file, at the root of a repository.
pub(super) const FILE: &str = "touchstone.toml";
/// The largest file that is read, in bytes.
pub(super) const LARGEST: u64 = 1 << 16;
/// The longest command, in bytes.
const LONGEST: usize = 4096;

/// Why a recipe cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RecipeError {
    #[error("{FILE}: {0}")]
    Parse(String),
    #[error("the recipe has no {0}")]
    Missing(&'static str),
    #[error("the artefact '{0}' is no path from the root of the repository, without '..'")]
    Artefact(String),
    #[error("{0} of the recipe is longer than {LONGEST} bytes")]
    Long(&'static str),
    #[error("the bench command '{0}' has an unclosed quotation mark")]
    Bench(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipeDocument {
    engine: Recipe,
}

/// The recipe in a file.
///
/// # Errors
/// It is no TOML, or has other fields.
pub(super) fn parse(text: &str) -> Result<Recipe, RecipeError> {
    let document: RecipeDocument =
        toml::from_str(text).map_err(|error| RecipeError::Parse(error.to_string()))?;
    Ok(document.engine)
}

/// Checks a recipe; returns the words of its bench command.
///
/// # Errors
/// A command is missing or too long, or the artefact would be outside the repository.
pub(super) fn check(recipe: &Recipe) -> Result<Vec<String>, RecipeError> {
    let fields = [
        ("fetch command", &recipe.fetch),
        ("build command", &recipe.build),
        ("artefact", &recipe.artefact),
        ("bench command", &recipe.bench),
    ];
    if let Some((name, _)) = fields.iter().find(|(_, text)| text.len() > LONGEST) {
        return Err(RecipeError::Long(name));
    }
    for (name, text) in [fields[1], fields[2]] {
        if text.trim().is_empty() {
            return Err(RecipeError::Missing(name));
        }
    }
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(&recipe.artefact).components().all(is_inside) {
        return Err(RecipeError::Artefact(recipe.artefact.clone()));
    }
    shlex::split(&recipe.bench).ok_or_else(|| RecipeError::Bench(recipe.bench.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_parsed() {
        let text = "[engine]\nfetch = 'cargo fetch --locked'\nbuild = 'cargo build'\n\
                    artefact = 'target/release/x'\nbench = 'bench 16'\n";
        let recipe = parse(text).expect("well formed");
        assert_eq!(recipe.fetch, "cargo fetch --locked");
        assert_eq!(
            check(&recipe),
            Ok(vec!["bench".to_owned(), "16".to_owned()])
        );
        let error = parse("[engine]\nbuilt = 'make'\n")
            .expect_err("unknown")
            .to_string();
        assert!(
            error.starts_with("touchstone.toml: TOML parse error at line 2"),
            "{error}"
        );
    }

    #[test]
    fn recipes_are_checked() {
        let recipe = |build: &str, artefact: &str, bench: &str| Recipe {
            fetch: String::new(),
            build: build.to_owned(),
            artefact: artefact.to_owned(),
            bench: bench.to_owned(),
        };
        assert_eq!(check(&recipe("make", "./src/engine", "")), Ok(Vec::new()));
        let rows = [
            (recipe("", "x", ""), "the recipe has no build command"),
            (recipe("make", " ", ""), "the recipe has no artefact"),
            (
                recipe("make", "../x", ""),
                "the artefact '../x' is no path from the root of the repository, without '..'",
            ),
            (
                recipe("make", "/bin/sh", ""),
                "the artefact '/bin/sh' is no path from the root of the repository, without '..'",
            ),
            (
                recipe("make", "x", "'bench"),
                "the bench command ''bench' has an unclosed quotation mark",
            ),
            (
                recipe(&"x".repeat(4097), "x", ""),
                "build command of the recipe is longer than 4096 bytes",
            ),
        ];
        for (recipe, expected) in rows {
            assert_eq!(check(&recipe).expect_err("a fault").to_string(), expected);
        }
    }
}
