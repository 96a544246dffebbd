//! Writes test cases as EPD, CSV or JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::TestCase;
use super::cases::day;

/// Output format of test cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum CaseFormat {
    /// Suite: one record per position, with `id`, `D1`, `lm` and comments
    Epd,
    /// One row per legal move
    Csv,
    /// One object with everything
    Json,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    cases: &'a [TestCase],
}

const SCHEMA: &str = "touchstone/crowd-cases/1";
const HEAD: [&str; 13] = [
    "position",
    "name",
    "fen",
    "chess960",
    "move",
    "san",
    "yes",
    "no",
    "probability",
    "lists",
    "certified",
    "method",
    "version",
];

/// Writes test cases in a format; the text ends with a newline.
pub fn write_cases(cases: &[TestCase], format: CaseFormat) -> String {
    match format {
        CaseFormat::Epd => suite(cases),
        CaseFormat::Csv => table(cases),
        CaseFormat::Json => {
            let document = Document {
                schema: SCHEMA,
                cases,
            };
            let text = serde_json::to_string_pretty(&document);
            text.expect("plain values can be written") + "\n"
        }
    }
}

fn suite(cases: &[TestCase]) -> String {
    let mut text = String::from(
        "# Positions whose legal moves people listed; the lists and the generators agree.\n",
    );
    for case in cases {
        writeln!(text, "{}", case.epd).expect("a string takes all");
    }
    text
}

fn table(cases: &[TestCase]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let in_memory = "memory takes all";
    writer.write_record(HEAD).expect(in_memory);
    for case in cases {
        for row in rows(case) {
            writer.write_record(&row).expect(in_memory);
        }
    }
    let bytes = writer.into_inner().expect(in_memory);
    String::from_utf8(bytes).expect("all of it was text")
}

/// A position without legal moves has one row with an empty move.
fn rows(case: &TestCase) -> Vec<[String; 13]> {
    let row = |of_move: [String; 5]| {
        let [mv, san, yes, no, probability] = of_move;
        [
            case.position_id.to_string(),
            case.name.clone(),
            case.fen.clone(),
            case.chess960.to_string(),
            mv,
            san,
            yes,
            no,
            probability,
            case.provenance.lists.to_string(),
            day(case.certified_at),
            case.provenance.method.clone(),
            case.provenance.version.clone(),
        ]
    };
    if case.moves.is_empty() {
        return vec![row(Default::default())];
    }
    let moves = case.moves.iter().map(|one| {
        row([
            one.mv.to_string(),
            one.san.clone(),
            one.yes.to_string(),
            one.no.to_string(),
            one.probability.to_string(),
        ])
    });
    moves.collect()
}
