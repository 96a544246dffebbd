//! The fields of the form, from a test and back. Pure.

use selfplay::lab::spec::{EngineSpec, LimitsSpec, TestKind, TestSpec, ThenSpec, TuneSpec};
use selfplay::model::{EloModel, SprtConfig};
use serde_json::Value;

use crate::pages::fields::Fields;

/// The kinds that the form has, and what they are.
pub(super) const KINDS: [(&str, &str); 7] = [
    ("sprt", "Sequential test (SPRT)"),
    ("match", "Match of so many pairs"),
    ("tournament", "Tournament"),
    ("tune", "Tuning of options (SPSA)"),
    ("epd", "Test positions"),
    ("label", "Scores of positions for a trainer"),
    ("data", "Games for a trainer"),
];

/// The systems of a tournament.
pub(super) const SYSTEMS: [&str; 4] = ["round-robin", "gauntlet", "swiss", "knockout"];

/// The built-in suites of test positions.
pub(super) const SUITES: [&str; epd::suites::TACTICS.len()] = {
    let mut names = [""; epd::suites::TACTICS.len()];
    let mut nth = 0;
    while nth < names.len() {
        names[nth] = epd::suites::TACTICS[nth].name;
        nth += 1;
    }
    names
};

/// Where a test has the value of a field, as a pointer into its document.
const PLACES: [(&str, &str); 28] = [
    ("title", "/title"),
    ("repository", "/repository"),
    ("new", "/engines/0/revision"),
    ("new_bench", "/engines/0/bench"),
    ("base", "/engines/1/revision"),
    ("base_bench", "/engines/1/bench"),
    ("tc", "/limits/tc"),
    ("nodes", "/limits/nodes"),
    ("depth", "/limits/depth"),
    ("movetime", "/limits/movetime_ms"),
    ("hash", "/hash_mib"),
    ("rounds", "/rounds"),
    ("elo0", "/bounds/elo0"),
    ("elo1", "/bounds/elo1"),
    ("model", "/bounds/model"),
    ("alpha", "/bounds/alpha"),
    ("beta", "/bounds/beta"),
    ("then_tc", "/then/limits/tc"),
    ("then_elo0", "/then/bounds/elo0"),
    ("then_elo1", "/then/bounds/elo1"),
    ("then_hash", "/then/hash_mib"),
    ("system", "/system"),
    ("parameters", "/tune/parameters"),
    ("iterations", "/tune/iterations"),
    ("tune_pairs", "/tune/pairs"),
    ("lag", "/tune/lag"),
    ("suite", "/suite"),
    ("positions", "/positions"),
];

/// The form's fields for a test; what the form does not have is left out.
pub(super) fn fields_of(spec: &TestSpec) -> Fields {
    let mut fields = Fields::default();
    let document = serde_json::to_value(spec).unwrap_or_default();
    for (name, place) in PLACES {
        match document.pointer(place) {
            Some(Value::String(text)) => fields.set(name, text),
            Some(Value::Array(lines)) => {
                let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
                fields.set(name, lines.join("\n"));
            }
            // `f64` prints a whole number as people write it: `0`, not `0.0`.
            Some(number) => fields.set(name, number.as_f64().unwrap_or_default()),
            None => {}
        }
    }
    for (field, engine) in ["new_options", "base_options"].iter().zip(&spec.engines) {
        let options = (engine.options.iter()).map(|(name, value)| format!("{name}={value}\n"));
        fields.set(field, options.collect::<String>());
    }
    let others = spec.engines.iter().skip(2);
    let others: Vec<&str> = others.filter_map(|one| one.revision.as_deref()).collect();
    fields.set("others", others.join("\n"));
    // The document leaves these out where they have their default values.
    fields.set("kind", spec.kind.name());
    fields.set("threads", spec.threads);
    fields.set("book", &spec.openings.book);
    fields.set("priority", spec.priority);
    fields.set("weight", spec.weight);
    fields
}

/// The test that a form describes; errors are reported at the fields.
pub(super) fn spec_of(fields: &mut Fields) -> TestSpec {
    let mut spec = TestSpec::new(kind_of(fields));
    fields.value("title").clone_into(&mut spec.title);
    spec.repository = fields.text("repository");
    spec.engines = vec![engine_of(fields, "new")];
    let is_tournament = matches!(spec.kind, TestKind::Tournament { .. });
    if is_tournament || matches!(spec.kind, TestKind::Sprt { .. } | TestKind::Match { .. }) {
        spec.engines.push(engine_of(fields, "base"));
    }
    if is_tournament {
        let others = lines(fields, "others").into_iter();
        spec.engines.extend(others.map(|revision| EngineSpec {
            revision: Some(revision),
            ..EngineSpec::default()
        }));
    }
    spec.limits = LimitsSpec {
        tc: fields.text("tc"),
        nodes: fields.number("nodes", "a number of nodes"),
        depth: fields.number("depth", "a number of plies"),
        movetime_ms: fields.number("movetime", "a number of milliseconds"),
        ..LimitsSpec::default()
    };
    spec.threads = fields.number("threads", "a number of threads").unwrap_or(1);
    spec.hash_mib = fields.number("hash", "a number of MiB");
    spec.priority = fields.number("priority", "a whole number").unwrap_or(0);
    spec.weight = fields.number("weight", "a number").unwrap_or(1.0);
    if spec.kind.is_of_pairs() {
        spec.openings.book = { fields.text("book") }.unwrap_or_else(|| "balanced".to_owned());
    }
    if spec.repository.is_none() {
        fields.fault("repository", "choose a repository");
    }
    for fault in spec.check() {
        fields.fault(field_of(&fault.field), fault.message);
    }
    spec
}

/// The kind with its own fields; SPRT unless another one is chosen.
fn kind_of(fields: &mut Fields) -> TestKind {
    let rounds = "a number of pairs";
    let positions = lines(fields, "positions");
    match fields.value("kind") {
        "match" => TestKind::Match {
            rounds: needed(fields, "rounds", rounds),
        },
        "data" => TestKind::Data {
            rounds: needed(fields, "rounds", rounds),
        },
        "tournament" => TestKind::Tournament {
            rounds: fields.number("rounds", rounds),
            system: { fields.text("system") }
                .and_then(|system| serde_json::from_value(system.into()).ok()),
        },
        "tune" => TestKind::Tune {
            tune: tune_of(fields),
        },
        "epd" => TestKind::Epd {
            suite: fields.text("suite"),
            positions,
        },
        "label" => TestKind::Label { positions },
        _ => TestKind::Sprt {
            bounds: bounds_of(fields, ["elo0", "elo1"]).unwrap_or_else(|| {
                fields.fault("elo0", "missing, expected a number of Elo");
                SprtConfig::new([0.0, 2.0], EloModel::Normalized)
            }),
            rounds: fields.number("rounds", rounds),
            then: then_of(fields),
        },
    }
}

/// A number without which there is no test: a fault and 1 if it is missing.
fn needed(fields: &mut Fields, name: &str, what: &str) -> u64 {
    // With 1 the test can be checked further, so that all faults are shown at once.
    fields.number(name, what).unwrap_or_else(|| {
        fields.fault(name, format!("missing, expected {what}"));
        1
    })
}

/// The lines of a field that are not empty.
fn lines(fields: &Fields, name: &str) -> Vec<String> {
    let lines = fields.value(name).lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

fn then_of(fields: &mut Fields) -> Option<ThenSpec> {
    let tc = fields.text("then_tc")?;
    Some(ThenSpec {
        limits: LimitsSpec {
            tc: Some(tc),
            ..LimitsSpec::default()
        },
        bounds: bounds_of(fields, ["then_elo0", "then_elo1"]),
        hash_mib: fields.number("then_hash", "a number of MiB"),
        ..ThenSpec::default()
    })
}

fn tune_of(fields: &mut Fields) -> TuneSpec {
    let iterations = needed(fields, "iterations", "a number of iterations");
    TuneSpec {
        parameters: lines(fields, "parameters"),
        pairs: { fields.number("tune_pairs", "a number of pairs") }.unwrap_or(8),
        lag: fields.number("lag", "a number of iterations").unwrap_or(8),
        ..TuneSpec::usual(iterations)
    }
}

fn engine_of(fields: &mut Fields, role: &str) -> EngineSpec {
    let mut engine = EngineSpec {
        revision: fields.text(role),
        bench: fields.number(&format!("{role}_bench"), "a number of nodes"),
        ..EngineSpec::default()
    };
    if engine.revision.is_none() {
        fields.fault(role, "missing, expected a branch, a tag or a commit hash");
    }
    let name = format!("{role}_options");
    let lines = fields.value(&name).to_owned();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once('=') {
            Some((option, value)) => {
                let value = value.trim().to_owned();
                engine.options.insert(option.trim().to_owned(), value);
            }
            None => fields.fault(&name, format!("'{line}', expected 'Name=value'")),
        }
    }
    engine
}

/// Bounds, unless both fields are empty.
fn bounds_of(fields: &mut Fields, names: [&str; 2]) -> Option<SprtConfig> {
    let given = names.map(|name| fields.number::<f64>(name, "a number of Elo"));
    let [Some(elo0), Some(elo1)] = given else {
        for (name, given) in names.iter().zip(given) {
            if given.is_none() && !names.iter().all(|name| fields.value(name).is_empty()) {
                fields.fault(name, "missing, expected a number of Elo");
            }
        }
        return None;
    };
    // The form has model and errors once: those of the second test are the first one's.
    let model = EloModel::ALL
        .into_iter()
        .find(|model| fields.is("model", model.name()));
    let mut bounds = SprtConfig::new([elo0, elo1], model.unwrap_or(EloModel::Normalized));
    for (name, rate) in [("alpha", &mut bounds.alpha), ("beta", &mut bounds.beta)] {
        if let Some(given) = fields.number(name, "a probability") {
            *rate = given;
        }
    }
    Some(bounds)
}

/// The form's field for a field of a test.
pub(super) fn field_of(path: &str) -> &'static str {
    // The first that fits counts: longer beginnings stand before shorter ones.
    const FIELDS: [(&str, &str); 29] = [
        ("engines[0].options", "new_options"),
        ("engines[1].options", "base_options"),
        ("engines[0]", "new"),
        ("engines[1]", "base"),
        ("engines", "others"),
        ("system", "system"),
        ("tune.iterations", "iterations"),
        ("tune.pairs", "tune_pairs"),
        ("tune.lag", "lag"),
        ("tune", "parameters"),
        ("suite", "suite"),
        ("positions", "positions"),
        ("then.limits", "then_tc"),
        ("then.bounds", "then_elo0"),
        ("then.hash_mib", "then_hash"),
        ("then", "then_tc"),
        ("limits.nodes", "nodes"),
        ("limits.depth", "depth"),
        ("limits.movetime_ms", "movetime"),
        ("limits", "tc"),
        ("bounds.elo1", "elo1"),
        ("bounds", "elo0"),
        ("rounds", "rounds"),
        ("threads", "threads"),
        ("hash_mib", "hash"),
        ("openings", "book"),
        ("repository", "repository"),
        ("priority", "priority"),
        ("weight", "weight"),
    ];
    let known = FIELDS.iter().find(|(start, _)| path.starts_with(start));
    // A fault of a field that the form does not have is shown at the title.
    known.map_or("title", |(_, field)| field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(sent: &[(&str, &str)]) -> Fields {
        let all = [
            ("repository", "r"),
            ("new", "a"),
            ("base", "main"),
            ("tc", "10+0.1"),
            ("elo0", "0"),
            ("elo1", "2"),
        ];
        let all = all.iter().chain(sent);
        Fields::new(all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn a_form_is_a_test_and_a_test_a_form() {
        let mut given = fields(&[
            ("then_tc", "60+0.6"),
            ("then_hash", "64"),
            ("new_bench", "4 021 533"),
            ("new_options", "Contempt = 3"),
        ]);
        let spec = spec_of(&mut given);
        let faults: Vec<_> = given.faults().collect();
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(spec.engines[0].bench, Some(4_021_533));
        assert_eq!(spec.engines[0].options["Contempt"], "3");
        let TestKind::Sprt {
            then: Some(then), ..
        } = &spec.kind
        else {
            panic!("{spec:?}");
        };
        assert_eq!(then.hash_mib, Some(64));
        assert_eq!(then.bounds, None, "those of the first");
        let mut again = fields_of(&spec);
        assert_eq!(spec_of(&mut again), spec);
        let mut given = fields(&[("model", "logistic"), ("alpha", "0.1"), ("beta", "0.02")]);
        let spec = spec_of(&mut given);
        let TestKind::Sprt { bounds, .. } = &spec.kind else {
            panic!("{spec:?}");
        };
        let found = (bounds.model, bounds.alpha, bounds.beta);
        assert_eq!(found, (EloModel::Logistic, 0.1, 0.02));
        assert_eq!(
            spec_of(&mut fields_of(&spec)),
            spec,
            "submitted again as it was"
        );
    }

    #[test]
    fn every_kind_is_a_form() {
        let positions = ("positions", "8/8/8/8/8/5k2/7p/7K w - - bm Kxh2;");
        let searched = [("tc", ""), ("nodes", "100"), positions];
        let rows: [(&str, &[(&str, &str)]); 6] = [
            ("match", &[("rounds", "50")]),
            ("data", &[("rounds", "50")]),
            ("epd", &searched),
            ("label", &searched),
            (
                "tournament",
                &[
                    ("others", "c\n\n d"),
                    ("system", "knockout"),
                    ("rounds", "2"),
                ],
            ),
            (
                "tune",
                &[
                    ("parameters", "A, int, 5, 0, 9, 2, 0.01"),
                    ("iterations", "100"),
                ],
            ),
        ];
        for (kind, sent) in rows {
            let sent = [&[("kind", kind), ("elo0", "")], sent].concat();
            let mut given = fields(&sent);
            let spec = spec_of(&mut given);
            let faults: Vec<_> = given.faults().collect();
            assert!(faults.is_empty(), "{kind}: {faults:?}");
            assert_eq!(spec.kind.name(), kind);
            assert_eq!(spec_of(&mut fields_of(&spec)), spec, "{kind}");
        }
    }

    #[test]
    fn faults_are_at_their_fields() {
        let rows = [
            (("new", ""), "new", "missing, expected a branch"),
            (("new", "a b"), "new", "'a b', expected a branch"),
            (("elo0", "x"), "elo0", "'x', expected a number of Elo"),
            (("elo1", ""), "elo1", "missing, expected a number of Elo"),
            (("elo1", "-1"), "elo0", ""),
            (("tc", "ten"), "tc", ""),
            (("then_tc", "ten"), "then_tc", ""),
            (
                ("new_options", "Hash"),
                "new_options",
                "'Hash', expected 'Name=value'",
            ),
            (("hash", "-1"), "hash", "'-1', expected a number of MiB"),
            (("threads", "0"), "threads", ""),
            (("book", "none at all"), "book", ""),
            (("repository", ""), "repository", "choose a repository"),
            (("kind", "match"), "rounds", "missing"),
            (("kind", "tune"), "iterations", "missing, expected"),
            (("kind", "epd"), "tc", "of games only"),
            (("kind", "label"), "positions", "missing"),
        ];
        for (sent, field, message) in rows {
            let mut fields = fields(&[sent]);
            spec_of(&mut fields);
            let error = fields.error(field);
            let all: Vec<_> = fields.faults().collect();
            assert!(
                !error.is_empty() && error.starts_with(message),
                "{sent:?}: {all:?}"
            );
        }
    }
}
