//! Books of openings for matches: positions and games, packed or not.

use std::io::Write as _;
use std::path::Path;

use chess::notation::{fen, uci_move};
use chess::rules::CastlingMode;
use selfplay::model::{BookFormat, BookOrder, Opening, OpeningSource};
use selfplay::openings::{OpeningError, Openings};

use super::corpus;
use crate::target::{Checked, Target, ensure, refused, text};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "openings-epd",
        corpus: corpus!("openings_epd.txt"),
        words: &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "w",
            "b",
            "KQkq",
            "EBeb",
            "-",
            "e3",
            "0 1",
            "hmvc 99;",
            "fmvn 5;",
            "id \"a\";",
            "#",
            "\n",
            "\r\n",
            "\x1f\u{8b}",
        ],
        check: |bytes| check(bytes, BookFormat::Epd),
    },
    Target {
        name: "openings-pgn",
        corpus: corpus!("openings_pgn.txt"),
        words: &[
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]",
            "[Variant \"Chess960\"]",
            "1.",
            "e4",
            "Nf3",
            "Ng8",
            "O-O",
            "Qh4#",
            "(",
            ")",
            "{a}",
            "*",
            "1-0",
            "\n",
            "\r",
            "\n\n",
        ],
        check: |bytes| check(bytes, BookFormat::Pgn),
    },
];

/// Openings of a book that are looked at.
const LOOKED_AT: u64 = 16;

fn check(bytes: &[u8], format: BookFormat) -> Result<Checked, String> {
    let failed = |error: std::io::Error| format!("no temporary file: {error}");
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    let mut checked = Checked::Refused;
    for (plies, chess960) in [(None, false), (Some(2), true)] {
        let book = book(file.path(), format, plies, chess960);
        match Openings::open(&book, 1) {
            Ok(openings) => {
                checked = Checked::Read;
                check_openings(&openings)?;
            }
            Err(error) => check_refusal(bytes, &error)?,
        }
    }
    Ok(checked)
}

fn book(path: &Path, format: BookFormat, plies: Option<u32>, chess960: bool) -> OpeningSource {
    OpeningSource::Book {
        path: path.to_owned(),
        format,
        order: BookOrder::Random,
        start: 0,
        plies,
        chess960,
    }
}

/// Every opening can be played.
fn check_openings(openings: &Openings) -> Result<(), String> {
    ensure(openings.fingerprint().is_some(), || "no sum".to_owned())?;
    for number in 0..openings.len().min(LOOKED_AT) {
        let opening = openings.get(number).map_err(|error| error.to_string())?;
        check_opening(&opening).map_err(|error| format!("{opening:?}: {error}"))?;
    }
    Ok(())
}

fn check_opening(opening: &Opening) -> Result<(), String> {
    let mut position = fen::parse(&opening.fen).map_err(|error| error.to_string())?;
    let mode = if opening.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    for text in &opening.moves {
        let m = uci_move::parse(text, &position, mode).map_err(|error| error.to_string())?;
        position = position.play_unchecked(m);
    }
    ensure(!position.legal_moves().is_empty(), || {
        "it is over".to_owned()
    })
}

/// A faulty opening has a line, which a book that is not packed has too.
fn check_refusal(bytes: &[u8], error: &OpeningError) -> Result<(), String> {
    refused(error)?;
    let OpeningError::Faulty { line, .. } = error else {
        return Ok(());
    };
    let breaks = text(bytes).matches(['\n', '\r']).count() as u64;
    ensure(
        bytes.starts_with(b"\x1f\x8b") || (1..=breaks + 1).contains(line),
        || format!("line {line} of {breaks}"),
    )
}
