//! What `perft` reads: foreign engines' counts, and journals of counts that were broken off.

use std::path::Path;

use chess::rules::{CastlingMode, Position};
use kit::journal::{Extent, JournalError, JournalPlace, replay, to_line};
use perft::resume::{CountHeader, UnitCount};
use uci::perft::AnswerForm;

use crate::target::{FuzzTarget, judge, sound, text};

targets![perft_answers perft_journal];

/// An input is what an engine says to the three known counts, then to one that is asked; parts end with
/// a line `==`.
fn perft_answers(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let mut parts = text.split("==\n");
    let known = [(); 3].map(|()| parts.next().unwrap_or_default());
    let Some(form) = AnswerForm::learn(known) else {
        return false;
    };
    let start = Position::startpos();
    for (depth, part) in (1..).zip(known.into_iter().chain(parts)) {
        let answer = form.read(part, depth, &start, CastlingMode::Standard);
        // A total that the engine prints takes precedence over the sum of its rows.
        if answer.total.is_none() && answer.count().is_some() {
            assert_eq!(answer.count(), answer.sum(), "{answer:?}");
        }
        let rows = answer.rows.map_or(0, |rows| rows.len());
        assert!(rows <= part.lines().count(), "{rows} rows in fewer lines");
    }
    true
}

fn perft_journal(bytes: &[u8]) -> bool {
    let header = CountHeader {
        schema: perft::resume::SCHEMA.to_owned(),
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        depth: 4,
        ply: 1,
        units: 20,
    };
    let read = |bytes: &[u8]| {
        let mut counts = vec![None; header.units];
        let enter = |line: UnitCount, place: &JournalPlace| {
            let entered = line.enter(&mut counts, place);
            entered.map_err(|error| place.error(error))
        };
        let extent = replay(bytes, Path::new("journal"), &header, enter)?;
        Ok::<_, JournalError>((counts, extent))
    };
    judge(read(bytes), |(counts, Extent { whole, torn })| {
        assert_eq!(whole + torn, bytes.len() as u64);
        let mut written = to_line(&header);
        for (unit, nodes) in counts.iter().enumerate() {
            written.extend(nodes.map(|nodes| to_line(&UnitCount { unit, nodes })));
        }
        assert_eq!(sound(read(written.as_bytes())).0, counts);
    })
}
