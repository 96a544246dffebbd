//! Comparing, writing and reading baselines.

use super::*;

/// Results from names, whether solved, and nodes.
fn results(positions: &[(&str, bool, u64)]) -> EngineResults {
    EngineResults {
        command: "engine".to_owned(),
        name: None,
        positions: positions
            .iter()
            .map(|&(name, solved, nodes)| position(name, solved, nodes))
            .collect(),
    }
}

fn position(name: &str, solved: bool, nodes: u64) -> PositionResult {
    PositionResult {
        suite: "suite".to_owned(),
        name: name.to_owned(),
        position: format!("position of {}", &name[..1]),
        asked: "bm a1".to_owned(),
        solved,
        solved_searches: usize::from(solved),
        searches: 1,
        best_move: None,
        points: None,
        depth: None,
        nodes: solved.then_some(nodes),
        ms: None,
        fault: None,
    }
}

fn names<'a>(changes: &[Change<'a>]) -> Vec<&'a str> {
    changes.iter().map(|one| one.now.name.as_str()).collect()
}

#[test]
fn changes_are_told_apart() {
    let then = results(&[
        ("a", true, 5000),
        ("b", true, 5000),
        ("c", true, 5000),
        ("d", false, 0),
        ("e", false, 0),
        ("f", true, 20_000),
        ("g", true, 2),
        ("z", true, 5000),
    ]);
    let now = results(&[
        ("g", true, 999),
        ("a", true, 9999),
        ("b", false, 0),
        ("c", true, 10_000),
        ("d", true, 70),
        ("e", false, 0),
        ("f", true, 10_000),
        ("n", true, 1),
    ]);
    let found = compare(&then, &now, 2.0);
    assert_eq!(found.common, 7);
    assert_eq!((found.solved_then, found.solved_now), (5, 5));
    assert_eq!(names(&found.newly_failed), ["b"]);
    assert_eq!(names(&found.newly_solved), ["d"]);
    // 9,999 is not twice 5,000, and counts below 1,000 are equal.
    assert_eq!(names(&found.slower), ["c"]);
    assert_eq!(names(&found.faster), ["f"]);
    let names: Vec<&str> = found.missing.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["z"]);
    let names: Vec<&str> = found.new.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["n"]);
    assert_eq!((found.solved.worse, found.solved.better), (1, 1));
    // g, a and c take more nodes, f fewer.
    assert_eq!((found.nodes.worse, found.nodes.better), (3, 1));
    assert!((found.nodes.p_value - 10.0 / 16.0).abs() < 1e-12);
}

#[test]
fn one_question_twice_is_two_questions() {
    // Names do not matter, only the position and what is asked.
    let then = results(&[("a1", true, 1), ("a2", false, 1)]);
    let now = results(&[("a3", true, 1), ("a4", true, 1), ("a5", true, 1)]);
    let found = compare(&then, &now, 2.0);
    assert_eq!(names(&found.newly_solved), ["a4"]);
    assert_eq!(found.new.len(), 1);
    let mut other = now.clone();
    other.positions[0].asked = "bm a2".to_owned();
    assert_eq!(compare(&then, &other, 2.0).new[0].name, "a3");
}

#[test]
fn a_factor_of_one_finds_no_standstill() {
    let results = results(&[("a", true, 5000), ("b", true, 10)]);
    let found = compare(&results, &results, 1.0);
    assert!(found.slower.is_empty() && found.faster.is_empty());
    assert!((found.nodes.p_value - 1.0).abs() < f64::EPSILON);
}

#[test]
fn files_are_written_and_read() {
    let kept = Baseline {
        schema: SCHEMA.to_owned(),
        limits: "nodes 5".to_owned(),
        repeat: 1,
        engines: vec![results(&[("a", true, 5)]), results(&[])],
    };
    let text = kept.to_text().expect("it can be written");
    assert_eq!(Baseline::parse(&text).expect("it can be read"), kept);
    assert_eq!(kept.for_engine(1), Some(&kept.engines[1]));
    assert_eq!(kept.for_engine(2), None);
    let rows = [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("{}", "missing field `schema` at line 1 column 2"),
        (
            "{\"schema\": \"touchstone/epd-baseline/2\"}",
            "its schema is 'touchstone/epd-baseline/2', expected 'touchstone/epd-baseline/1'",
        ),
        (
            "{\"schema\": \"touchstone/epd-baseline/1\"}",
            "missing field `limits` at line 1 column 39",
        ),
    ];
    for (text, expected) in rows {
        let error = Baseline::parse(text).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
}
