//! Reads an engine's configuration of [OpenBench](https://github.com/AndyGrant/OpenBench), one of its `Engines/*.json`:
//! where the engine comes from, how it is built, and its presets. Pure.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use queue::program::Recipe;

/// The name of the executable that `OpenBench` asks the make file for.
const EXECUTABLE: &str = "openbench-engine";

/// What a configuration says of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenBenchEngine {
    /// Where it is fetched from.
    pub url: String,
    /// How it is built.
    pub recipe: Recipe,
    /// Parts of tests, by name.
    pub presets: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct OpenBenchFile {
    source: String,
    build: OpenBenchBuild,
    #[serde(default)]
    test_presets: BTreeMap<String, BTreeMap<String, Value>>,
}

#[derive(Deserialize)]
struct OpenBenchBuild {
    path: String,
}

/// Reads a configuration.
///
/// # Errors
/// It is no JSON, a field is missing, or a preset has something that a lab's preset has no place for: what and where.
pub fn read(text: &str) -> Result<OpenBenchEngine, String> {
    let read: OpenBenchFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let path = read.build.path.trim_matches('/');
    let (folder, artefact) = match path {
        "" | "." => (String::new(), EXECUTABLE.to_owned()),
        path => (format!(" -C {path}"), format!("{path}/{EXECUTABLE}")),
    };
    let every = read
        .test_presets
        .get("default")
        .cloned()
        .unwrap_or_default();
    let named = read
        .test_presets
        .iter()
        .filter(|(name, _)| *name != "default");
    let presets = named.map(|(name, own)| {
        let mut all = every.clone();
        all.extend(own.clone());
        let preset = preset(&all).map_err(|error| format!("test_presets.{name}.{error}"))?;
        Ok((name.clone(), Value::Object(preset)))
    });
    Ok(OpenBenchEngine {
        url: read.source,
        recipe: Recipe {
            // OpenBench's client calls make in the same way, and each engine with the argument `bench`.
            build: format!("make{folder} -j EXE={EXECUTABLE}"),
            artefact,
            bench: "bench".to_owned(),
            ..Recipe::default()
        },
        presets: presets.collect::<Result<_, String>>()?,
    })
}

/// A part of a test from a preset.
fn preset(given: &BTreeMap<String, Value>) -> Result<Map<String, Value>, String> {
    let mut preset = Map::new();
    // OpenBench's bounds are in normalised Elo, as those of fishtest.
    let mut bounds = json!({"model": "normalized"});
    let mut adjudication = Map::new();
    for (name, value) in given {
        let Some(text) = value.as_str() else { continue };
        let wrong = || format!("{name}: '{text}' is not understood");
        match name.as_str() {
            "both_options" => options(text, &mut preset)?,
            "both_time_control" => {
                let limits = limits(text).ok_or_else(wrong)?;
                preset.insert("limits".to_owned(), limits);
            }
            "test_bounds" => {
                let [elo0, elo1] = pair(text).ok_or_else(wrong)?;
                (bounds["elo0"], bounds["elo1"]) = (elo0.into(), elo1.into());
            }
            "test_confidence" => {
                let [alpha, beta] = pair(text).ok_or_else(wrong)?;
                (bounds["alpha"], bounds["beta"]) = (alpha.into(), beta.into());
            }
            // `None` switches an adjudication off.
            "win_adj" | "draw_adj" if text == "None" => {}
            "win_adj" => {
                let [moves, score] = numbers(text, ["movecount", "score"]).ok_or_else(wrong)?;
                let resign = json!({"moves": moves, "score_cp": score, "two_sided": false});
                adjudication.insert("resign".to_owned(), resign);
            }
            "draw_adj" => {
                let names = ["movenumber", "movecount", "score"];
                let [from, moves, score] = numbers(text, names).ok_or_else(wrong)?;
                let draw = json!({"from_move": from, "moves": moves, "score_cp": score});
                adjudication.insert("draw".to_owned(), draw);
            }
            // Books and workloads are OpenBench's own, and branches differ from test to test.
            _ => {}
        }
    }
    if bounds.get("elo0").is_some() {
        preset.insert("bounds".to_owned(), bounds);
    }
    if !adjudication.is_empty() {
        preset.insert("adjudication".to_owned(), Value::Object(adjudication));
    }
    Ok(preset)
}

/// `Threads=1 Hash=8`: other options are of one engine, and no preset has them.
fn options(text: &str, preset: &mut Map<String, Value>) -> Result<(), String> {
    for word in text.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let place = match name {
            "Threads" => "threads",
            "Hash" => "hash_mib",
            _ => {
                return Err(format!(
                    "both_options: a preset has no place for '{word}': give it with the test"
                ));
            }
        };
        let number: u64 = value
            .parse()
            .map_err(|_| format!("both_options: '{word}' is no number"))?;
        preset.insert(place.to_owned(), number.into());
    }
    Ok(())
}

/// `10.0+0.1`, `N=5000`, `D=9` or `MT=100`.
fn limits(text: &str) -> Option<Value> {
    let Some((name, value)) = text.split_once('=') else {
        return Some(json!({ "tc": text }));
    };
    let place = match name.trim() {
        "N" => "nodes",
        "D" => "depth",
        "MT" => "movetime_ms",
        _ => return None,
    };
    let number: u64 = value.trim().parse().ok()?;
    Some(json!({ place: number }))
}

/// `[0.00, 2.00]`.
fn pair(text: &str) -> Option<[f64; 2]> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (one, other) = inner.split_once(',')?;
    Some([one.trim().parse().ok()?, other.trim().parse().ok()?])
}

/// The values of these names in `a=1 b=2`.
fn numbers<const N: usize>(text: &str, names: [&str; N]) -> Option<[u64; N]> {
    let words: BTreeMap<&str, &str> = text
        .split_whitespace()
        .filter_map(|word| word.split_once('='))
        .collect();
    let mut found = [0; N];
    for (place, name) in found.iter_mut().zip(names) {
        *place = words.get(name)?.parse().ok()?;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use selfplay::lab::spec::{TestKind, TestSpec};
    use selfplay::model::EloModel;

    use super::*;
    use crate::conduct::repositories::apply_preset;

    const ENGINE: &str = r#"{
        "private": false, "nps": 1200000, "source": "https://example.org/engine",
        "build": {"path": "src", "compilers": ["gcc"], "cpuflags": [], "systems": ["Linux"]},
        "test_presets": {
            "default": {"base_branch": "main", "book_name": "book.epd", "test_bounds": "[-1.50, 2.00]",
                "test_confidence": "[0.05, 0.10]", "win_adj": "movecount=4 score=500",
                "draw_adj": "movenumber=30 movecount=6 score=9"},
            "quick": {"both_options": "Threads=2 Hash=32", "both_time_control": "6.0+0.06", "workload_size": 16},
            "nodes": {"both_time_control": "N=9000", "win_adj": "None"}
        }
    }"#;

    #[test]
    fn a_configuration_is_a_repository_with_presets() {
        let engine = read(ENGINE).expect("an engine");
        assert_eq!(engine.url, "https://example.org/engine");
        assert_eq!(engine.recipe.build, "make -C src -j EXE=openbench-engine");
        assert_eq!(engine.recipe.artefact, "src/openbench-engine");
        let of = |name: &str| {
            let mut test = Map::new();
            test.insert("schema".to_owned(), selfplay::lab::spec::SCHEMA.into());
            test.insert("kind".to_owned(), "sprt".into());
            let engines = json!([{"revision": "a"}, {"revision": "b"}]);
            test.insert("engines".to_owned(), engines);
            test.insert("repository".to_owned(), "engine".into());
            let whole = apply_preset(&engine.presets, name, &test).expect("there");
            let spec: TestSpec = serde_json::from_value(whole.into()).expect("a test");
            assert_eq!(spec.check(), [], "{name}");
            spec
        };
        let quick = of("quick");
        assert_eq!((quick.threads, quick.hash_mib), (2, Some(32)));
        assert_eq!(quick.limits.tc.as_deref(), Some("6.0+0.06"));
        let TestKind::Sprt { bounds, .. } = quick.kind else {
            panic!("{quick:?}");
        };
        let found = (
            bounds.elo0,
            bounds.elo1,
            bounds.alpha,
            bounds.beta,
            bounds.model,
        );
        assert_eq!(found, (-1.5, 2.0, 0.05, 0.1, EloModel::Normalized));
        assert!(quick.adjudication.resign.is_some() && quick.adjudication.draw.is_some());
        let nodes = of("nodes");
        assert_eq!((nodes.limits.nodes, nodes.limits.tc), (Some(9000), None));
        assert!(nodes.adjudication.resign.is_none());
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let rows = [
            (
                ENGINE.replace("\"source\"", "\"origin\""),
                "missing field `source`",
            ),
            (
                ENGINE.replace("[-1.50, 2.00]", "-1.5 2"),
                "test_presets.nodes.test_bounds: '-1.5 2' is not understood",
            ),
            (
                ENGINE.replace("Threads=2", "Contempt=2"),
                "test_presets.quick.both_options: a preset has no place for 'Contempt=2'",
            ),
            (
                ENGINE.replace("N=9000", "X=9"),
                "test_presets.nodes.both_time_control: 'X=9'",
            ),
        ];
        for (text, expected) in rows {
            let error = read(&text).expect_err(expected);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
